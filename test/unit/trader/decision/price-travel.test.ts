// What the tolerance of an order is held to: how far the reference price goes while a move is on its way.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { travelBpsOf, travelIn } from '../../../../src/trader/decision/reference.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { quotingDesk } from '../trader-kit.ts';

/** One every five seconds. */
const pricesOf = (prices: readonly number[]) =>
  prices.map((price, index) => ({ at: index * 5_000, price: decimal(price), float: price }));

describe('the travel of reference prices', () => {
  test('is the root mean square of their changes over the time', () => {
    const steps = Array.from({ length: 13 }, (_, index) => 10_000 + (index % 2) * 10);
    const travel = travelIn(pricesOf(steps), 5_000);
    expect(travel?.overMs).toBe(5_000);
    expect(travel?.bps).toBeCloseTo(10, 1);
  });

  test('that go and come back is nothing over two of their steps', () => {
    const steps = Array.from({ length: 14 }, (_, index) => 10_000 + (index % 2) * 10);
    expect(travelIn(pricesOf(steps), 10_000)).toEqual({ bps: 0, overMs: 10_000 });
  });

  test('is over the next time there is, where they are farther apart than was asked for', () => {
    const drift = Array.from({ length: 20 }, (_, index) => 10_000 + index);
    const travel = travelIn(pricesOf(drift), 7_000);
    expect(travel?.overMs).toBe(10_000);
    expect(travel?.bps).toBeCloseTo(2, 1);
  });

  test('is not what they did over an outage: what was seen in seconds before and after it tells', () => {
    const calm = Array.from({ length: 60 }, (_, index) => 10_000 + (index % 2));
    const before = pricesOf(calm);
    const outage = 20 * MINUTE;
    const after = pricesOf(calm.map((price) => price * 1.03)).map(({ at, ...each }) => ({
      ...{ at: at + 60 * 5_000 + outage },
      ...each,
    }));
    const travel = travelIn([...before, ...after], 5_000);
    expect(travel).toEqual({ bps: expect.closeTo(1, 1), overMs: 5_000 });
    // One price in five minutes is all that there is to go by.
    const rare = pricesOf(calm).map(({ at, ...each }) => ({ at: at * 60, ...each }));
    expect(travelIn(rare, 200_000)).toEqual({ bps: expect.closeTo(1, 1), overMs: 300_000 });
  });

  test('is unknown where there are few', () => {
    expect(travelIn(pricesOf([10_000, 10_010, 10_000]), 5_000)).toBeNull();
  });
});

describe('the travel while a move is on its way', () => {
  const desk = () => {
    const settings = deskSettings({ requestsPerSecond: { public: 100, private: 0.5 } });
    const [run] = settings.runs;
    if (run === undefined) throw new Error('The desk has one run.');
    const guard = { ...run.quoting.guard, expectedDelayMs: 1_000, volatilityBpsPerSqrtSecond: 3 };
    const told = { ...run, quoting: { ...run.quoting, guard } };
    return { run: told, desk: quotingDesk({ ...settings, runs: [told] }) };
  };

  test('is what the guard assumes before there are prices: a book of 1 s, two turns in 4 s, 1 s to the book', () => {
    const { run, desk: quoting } = desk();
    expect(travelBpsOf(quoting.state(), run)).toBeCloseTo(3 * Math.sqrt(6), 6);
  });

  test('is what was seen once there are', () => {
    const { run, desk: quoting } = desk();
    for (let book = 0; book < 40; book += 1) {
      // The middle goes from 100000 to 100100 and back.
      quoting.shows.books[BTC] = book % 4 < 2 ? [98_000, 102_000] : [98_100, 102_100];
      quoting.pass(5_000);
      quoting.look('book', 'orders', 'trades', 'wallet');
      quoting.run(100);
    }
    const seen = travelBpsOf(quoting.state(), run);
    expect(seen).toBeGreaterThan(6);
    expect(seen).toBeLessThan(11);
  });
});
