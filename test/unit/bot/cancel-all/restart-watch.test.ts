// When the watchdog of another host latches an account whose bot starts again and again.
import { expect, test } from '@jest/globals';
import { restartWatch } from '../../../../src/bot/cancel-all/watch-account.ts';

const LEASE_MS = 10_000;

type Shown = number | 'free' | 'latched' | '-';

/** What each second shows, by the opening: `1 1 2 -` is a database that does not answer in the fourth. */
function reasonsOf(seconds: readonly Shown[]): (string | null)[] {
  let now = 0;
  const look = restartWatch(LEASE_MS, { monotonic: () => now });
  return seconds.map((each) => {
    now += 1_000;
    if (each === '-') return look(null);
    const epoch = typeof each === 'number' ? each : 0;
    const latch = each === 'latched' ? 'by a person' : null;
    return look({ isFree: false, epoch, holder: each === 'free' ? null : 'host a', leftMs: 9_000, latch });
  });
}

const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
/** A start every five seconds. */
const restarts = (count: number) => times(count, (index) => Math.floor(index / 5));

test('an account whose bot lasts for no lease is latched after four leases, with how long and whose', () => {
  const reasons = reasonsOf(restarts(42));
  expect(reasons.findIndex((reason) => reason !== null)).toBe(40);
  expect(reasons[40]).toBe('The watchdog: host a has ended soon after each start, for 41 s.');
});

test.each<readonly [string, readonly Shown[]]>([
  ['one opening that lasts for a lease', [...restarts(30), ...times(11, () => 99), ...restarts(30)]],
  ['an account that nobody has', [...restarts(30), 'free', ...restarts(30)]],
  ['an account that is latched already', [...restarts(30), ...times<Shown>(30, () => 'latched')]],
  ['a database that does not answer', [...restarts(30), '-', ...restarts(30)]],
])('%s begins the time anew', (_, seconds) => {
  expect(reasonsOf(seconds).filter((reason) => reason !== null)).toEqual([]);
});
