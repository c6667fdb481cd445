// What a record says of a cancel, against the answers that came to it.
import { expect, test } from '@jest/globals';
import type { Answered, CheckContext } from '../../../../simulation/checks/context.ts';
import { recordChecks } from '../../../../simulation/records/check-records.ts';

/** Cancels of order 9 that left, and answers to them, in turn; then what the record says came to the last one. */
function brokenBy(turns: readonly ('leaves' | 'answered')[], outcome: string): string[] {
  const broken: string[] = [];
  let now = 5;
  const context = {
    isUp: () => true,
    now: () => now,
    clockError: () => 0,
    journal: { epoch: 1, intents: new Map([['1-1', { intentId: '1-1', symbol: 'BTC/INR', orderId: '9' }]]) },
    violated: (_invariant: string, sentence: string) => void broken.push(sentence),
  } as unknown as CheckContext;
  const checks = recordChecks();
  const told = (type: string, more: object): void =>
    checks.recorded?.(context, { type, seq: 7, epoch: 1, payload: { intentId: '1-1', at: now, ...more } }, {} as never);
  const answer = { endpoint: 'cancel', intent: null, body: { order_id: '9' }, status: 200, text: '{"msg":"Done."}' };
  for (const turn of turns) {
    now += 1;
    if (turn === 'leaves') told('cancel-sent', { why: 'Moved.' });
    else checks.answered?.(context, answer as unknown as Answered);
  }
  told('cancel-outcome', { outcome, detail: 'So.' });
  return broken.filter((sentence) => sentence.includes('of a cancel that was answered'));
}

test.each([
  ['as it came', ['leaves', 'answered'], 'acknowledged', 0],
  ['otherwise than it came', ['leaves', 'answered'], 'throttled', 1],
  ['not sent though it was answered', ['leaves', 'answered'], 'not-sent', 1],
  ['not sent, where another one was answered', ['leaves', 'leaves', 'answered'], 'not-sent', 0],
  ['not sent, where as many were answered as have left', ['leaves', 'leaves', 'answered', 'answered'], 'not-sent', 1],
  ['not sent, where an older one of another was answered', ['answered', 'leaves'], 'not-sent', 0],
] as const)('a cancel is told %s', (_what, turns, outcome, violations) => {
  expect(brokenBy(turns, outcome)).toHaveLength(violations);
});
