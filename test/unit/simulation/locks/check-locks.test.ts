// K14: what the judge says of locks that end early or are not kept.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { lockChecks } from '../../../../simulation/locks/check-locks.ts';
import { DAY, MINUTE } from '../../../../src/domain/time.ts';

type Happens = readonly [type: string, payload: object];

const BTC = { symbol: 'BTC/INR' };
const LOCKED = 'Intent 1-9 was written while its side was locked by operator.';

/** What K14 says of these records; all are a second apart. */
const judged = (...course: readonly Happens[]): string[] => judgedBy(() => 0, ...course);

/** The same by a clock that is off by so much at the record of that place. */
function judgedBy(clockError: (place: number) => number, ...course: readonly Happens[]): string[] {
  const broken: string[] = [];
  let place = 0;
  const context = {
    settings: {
      runs: [{ instrument: BTC }],
      assumptions: { maxClockUncertaintyMs: 1_000, recvWindowMs: 2_500 },
    },
    counters: { add: () => undefined },
    now: () => place * 1_000,
    clockError: () => clockError(place),
    wokeAt: () => null,
    violated: (_invariant: string, sentence: string) => broken.push(sentence),
  } as unknown as CheckContext;
  const checks = lockChecks();
  for (const [index, [type, payload]] of course.entries()) {
    place = index;
    const at = index * 1_000 + clockError(index);
    const told: Told = { type, seq: index, epoch: 1, payload: { at, ...payload } };
    checks.recorded?.(context, told, {} as never);
  }
  return broken;
}

const intent: Happens = ['intent', { ...BTC, intentId: '1-9', side: 'buy' }];
const LOCK = { ...BTC, code: 'operator', side: null };
const locked = ({ until = DAY, side = null }: { until?: number; side?: string | null } = {}): Happens => [
  'lock',
  { ...LOCK, side, lock: { until }, by: 'asha' },
];
const unlocked: Happens = ['lock', { ...LOCK, lock: null, by: 'time' }];

test.each<[string, readonly Happens[], readonly string[]]>([
  ['on the other side of a lock', [locked({ side: 'sell' }), intent], []],
  ['behind a lock that has ended', [locked({ until: 0 }), unlocked, intent], []],
  ['of a symbol that a person resumed', [locked(), ['symbol-resumed', BTC], intent], []],
  ['on a locked side', [locked({ side: 'buy' }), intent], [LOCKED]],
  ['on a locked symbol', [locked(), intent], [LOCKED]],
])('a create %s', (_words, course, expected) => {
  expect(judged(...course)).toEqual(expected);
});

test('a lock that ends before its time, or was none, is said', () => {
  expect(judged(locked({ until: 60_000 }), unlocked)).toEqual(['The lock BTC/INR operator null ended 59 s too early.']);
  expect(judged(unlocked)).toEqual(['A lock ended that was none: BTC/INR operator null.']);
});

test('a lock that ends early by true time, whatever the clock was set to', () => {
  const ends: readonly Happens[] = [locked({ until: 30 * MINUTE }), unlocked];
  expect(judgedBy((place) => place * 60 * MINUTE, ...ends)).toEqual([
    'The lock BTC/INR operator null ended 1799 s too early by true time.',
  ]);
});
