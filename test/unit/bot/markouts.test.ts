// Price moves after a fill: which price counts, and when there is none.
import { describe, expect, test } from '@jest/globals';
import { type MarkedFill, type Markout, Markouts } from '../../../src/bot/metrics/markouts.ts';

const T = 1_700_000_000_000;
const buy: MarkedFill = { tradeId: '1', side: 'buy', price: 100, quantity: 2, at: T };
const sell: MarkedFill = { tradeId: '2', side: 'sell', price: 110, quantity: 1, at: T };

const said = (markouts: readonly Markout[]) =>
  markouts.map(({ side, horizon, gained }) => `${side} ${horizon} s: ${gained}`);

/** One call each second, with the price of `priceAt` (null: none was read); returns the markouts in order. */
function play(
  fills: readonly MarkedFill[],
  priceAt: (second: number) => number | null,
  { from = -5, to = 400 }: { readonly from?: number; readonly to?: number } = {},
): readonly Markout[] {
  const markouts = new Markouts();
  let price: { value: number; at: number } | null = null;
  const found: Markout[] = [];
  for (let second = from; second <= to; second += 1) {
    const now = T + second * 1_000;
    const value = priceAt(second);
    if (value !== null) price = { value, at: now };
    found.push(...markouts.observe({ price, fills: fills.filter(({ at }) => at < now), now }));
  }
  return found;
}

describe('after a fill', () => {
  // 105 at the fill, 103 five seconds later, 99 after a minute, 90 in the end.
  const fading = (second: number) => (second < 3 ? 105 : second < 30 ? 103 : second < 200 ? 99 : 90);

  test('a buy gains while the price is above its own, times its size', () => {
    expect(said(play([buy], fading))).toEqual(['buy 0 s: 10', 'buy 5 s: 6', 'buy 60 s: -2', 'buy 300 s: -20']);
  });

  test('a sale gains while it is below', () => {
    expect(said(play([sell], fading))).toEqual(['sell 0 s: 5', 'sell 5 s: 7', 'sell 60 s: 11', 'sell 300 s: 20']);
  });

  test('the price is the last one known at the time, not the next', () => {
    const jumping = (second: number) => (second <= 4 ? 100 : second === 6 ? 500 : null);
    expect(said(play([buy], jumping, { to: 8 }))).toEqual(['buy 0 s: 0', 'buy 5 s: 0']);
  });
});

describe('there is no markout', () => {
  test('of fills in the first call', () => {
    expect(play([buy], () => 100, { from: 1 })).toEqual([]);
  });

  test('at a time without a known price: the other horizons still have theirs', () => {
    // No book from 8 s before the fill until 30 s after it: too old at the fill only 10 s later.
    const gap = (second: number) => (second <= -8 || second >= 30 ? 100 : null);
    expect(said(play([buy], gap, { from: -20 }))).toEqual(['buy 0 s: 0', 'buy 60 s: 0', 'buy 300 s: 0']);
  });

  test('twice: a fill counts once while it is listed; the other side of a trade is another fill', () => {
    const selfTrade: MarkedFill = { ...buy, side: 'sell' };
    expect(said(play([buy, selfTrade], () => 100, { to: 3 }))).toEqual(['buy 0 s: 0', 'sell 0 s: 0']);
  });
});

test('a fill reported late gets the prices of its time', () => {
  const markouts = new Markouts();
  const found: Markout[] = [];
  for (let second = 0; second <= 120; second += 1) {
    const now = T + second * 1_000;
    const fills = second < 100 ? [] : [{ ...buy, at: T + 20_000 }];
    found.push(...markouts.observe({ price: { value: second < 50 ? 101 : 90, at: now }, fills, now }));
  }
  expect(said(found)).toEqual(['buy 0 s: 2', 'buy 5 s: 2', 'buy 60 s: -20']);
});

test('a clock that was set back does not mix earlier prices with later ones', () => {
  const markouts = new Markouts();
  const look = (at: number, value: number, fills: readonly MarkedFill[]) =>
    markouts.observe({ price: { value, at }, fills, now: at });
  look(T + 3_600_000, 500, []);
  look(T, 100, []);
  look(T + 1_000, 100, []);
  expect(said(look(T + 2_000, 100, [{ ...buy, at: T + 1_500 }]))).toEqual(['buy 0 s: 0']);
});
