// A repeated notice is logged five times a minute, and the rest is counted.
import { expect, test } from '@jest/globals';
import { repeatedNotices } from '../../../../src/bot/run/repeated-notices.ts';
import { intentId } from '../../../../src/domain/ids.ts';
import type { Notice } from '../../../../src/trader/state/turn.ts';

const START = Date.UTC(2026, 2, 17, 9, 0, 0);
const stray = (n: number, symbol = 'BTC/INR'): Notice => ({
  ...{ level: 'warn', op: 'stray-order', symbol },
  message: `Order ${n} is not ours.`,
});

test('five a minute are logged as they are, the rest is counted, and then they are logged again', () => {
  const repeats = repeatedNotices();
  const given = Array.from({ length: 40_000 }, (_, n) => repeats.take(stray(n), START + n));
  expect(given.flatMap((each) => each ?? [])).toEqual(Array.from({ length: 5 }, (_, n) => stray(n)));
  expect(repeats.due(START + 59_999)).toEqual([]);
  const message = '39995 more like it in the last minute. The last: Order 39999 is not ours.';
  expect(repeats.due(START + 60_000)).toEqual([{ ...stray(0), message }]);
  expect(repeats.take(stray(7), START + 60_001)).toEqual(stray(7));
  expect(repeats.due(START + 200_000)).toEqual([]);
});

test('notices about own orders are never cut, and one market’s hide none of another’s', () => {
  const repeats = repeatedNotices();
  const closed: Notice = { level: 'info', op: 'closed', message: 'Closed.', intentId: intentId('1-1') };
  const given = (notice: Notice): number =>
    Array.from({ length: 50 }, () => repeats.take(notice, START)).filter((each) => each !== null).length;
  expect([given(closed), given(stray(1)), given(stray(1, 'ETH/INR'))]).toEqual([50, 5, 5]);
});

test('a clock that was set back by an hour hides nothing for an hour', () => {
  const repeats = repeatedNotices();
  for (let n = 0; n < 10; n += 1) repeats.take(stray(n), START);
  expect(repeats.take(stray(10), START - 3_600_000)).toEqual(stray(10));
});
