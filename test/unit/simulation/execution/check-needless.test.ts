// L9: which cancel nobody needed.
import { describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { needlessChecks } from '../../../../simulation/execution/check-needless.ts';
import { SECOND } from '../../../../src/domain/time.ts';

/** What is sent (→), or what is answered then to something that left at another second. */
type Happens =
  | readonly [second: number, '→', message: object]
  | readonly [second: number, '←', message: object, sentAt?: number]
  | readonly [second: number, 'crash'];

const cancel = { endpoint: 'cancel', body: { order_id: 'o1' } };
const taken = { ...cancel, status: 200, text: '{"msg":"The order is being canceled."}' };
const refused = { ...cancel, status: 400, text: '{"code":-2011,"msg":"Unknown order."}' };
const shown = { endpoint: 'open-orders', status: 200, text: '[{"orderId":"o1"}]' };
const gone = { endpoint: 'open-orders', status: 200, text: '[]' };

const LAG_MS = 5 * SECOND;

function judged(course: readonly Happens[], canWrite = true): string[] {
  const broken = new Set<string>();
  let now = 0;
  const context = {
    settings: { assumptions: { readLagBoundMs: LAG_MS } },
    counters: { add: () => undefined },
    now: () => now,
    clockError: () => 0,
    canWrite: () => canWrite,
    violated: (invariant: string) => broken.add(invariant),
  } as unknown as CheckContext;
  const checks = needlessChecks();
  for (const [second, what, message, sentAt = second] of course) {
    now = second * SECOND;
    if (what === 'crash') checks.crashed?.(context);
    if (what === '→') checks.sent?.(context, message as Outgoing);
    if (what === '←') checks.answered?.(context, { ...message, sentAt: sentAt * SECOND } as Answered);
  }
  return [...broken];
}

describe('a second cancel of an order breaks L9', () => {
  const first: readonly Happens[] = [
    [0, '→', cancel],
    [1, '←', taken],
  ];
  test.each<[string, readonly Happens[], readonly string[]]>([
    ['where the first was acknowledged and nothing was shown since', [...first, [8, '→', cancel]], ['L9']],
    ['where lists have shown it within a lag bound', [...first, [5, '←', shown], [8, '→', cancel]], ['L9']],
    ['where such a list is answered late', [...first, [8, '←', shown, 5], [9, '→', cancel]], ['L9']],
    ['where a list no longer shows it', [...first, [7, '←', gone], [8, '→', cancel]], ['L9']],
    ['not where a list that left a lag bound later shows it', [...first, [6, '←', shown], [8, '→', cancel]], []],
    ['not where it was chosen just before the answer', [...first, [1.5, '→', cancel]], []],
    [
      'not where the first was refused',
      [
        [0, '→', cancel],
        [1, '←', refused],
        [8, '→', cancel],
      ],
      [],
    ],
    ['not where the process has begun anew', [...first, [2, 'crash'], [8, '→', cancel]], []],
  ])('%s', (_words, course, expected) => {
    expect(judged(course)).toEqual(expected);
  });

  test('not where nothing can be written any more: then all that was ever named is canceled', () => {
    expect(judged([...first, [8, '→', cancel]], false)).toEqual([]);
  });
});
