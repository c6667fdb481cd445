// What the benchmark of presence makes of fills, cancels and the numbers of many runs.
import { describe, expect, test } from '@jest/globals';
import { gapsAfterCancels } from '../../../../bench/presence/gaps.ts';
import { createPrices, markoutBps, type TrueFill } from '../../../../bench/presence/markouts.ts';
import { estimateOf, quantile } from '../../../../bench/presence/statistics.ts';
import type { JournalRecord } from '../../../../src/ports/journal-storage.ts';

const fill = (side: TrueFill['side'], price: number): TrueFill => ({
  symbol: 'BTC/INR',
  side,
  price,
  quantity: 1,
  at: 1_000,
  tds: 0,
});

describe('markout', () => {
  const mids = createPrices();
  mids.add(0, 100);
  mids.add(2_000, 101);
  mids.add(6_000, 99);

  test('a mid above what was paid is good for a buyer and bad for a seller', () => {
    expect(markoutBps(fill('buy', 100), mids, 1_000)).toBeCloseTo(100);
    expect(markoutBps(fill('sell', 100), mids, 1_000)).toBeCloseTo(-100);
  });

  test('a mid below is the other way about', () => {
    expect(markoutBps(fill('buy', 100), mids, 5_000)).toBeCloseTo(-100);
    expect(markoutBps(fill('sell', 100), mids, 5_000)).toBeCloseTo(100);
  });

  test('the mid counts that held at the moment, and before the first there is none', () => {
    expect(mids.at(1_999)).toBe(100);
    expect(mids.at(2_000)).toBe(101);
    expect(mids.at(-1)).toBeNull();
    expect(markoutBps({ ...fill('buy', 100), at: -2_000 }, mids, 1_000)).toBeNull();
  });
});

describe('statistics', () => {
  test('the standard error is that of the mean', () => {
    expect(estimateOf([1, 2, 3, 4])).toEqual({ mean: 2.5, error: Math.sqrt(5 / 3 / 4) });
    expect(estimateOf([7])).toEqual({ mean: 7, error: 0 });
    expect(estimateOf([])).toBeNull();
  });

  test('a quantile is one of the values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2);
    expect(quantile([4, 1, 3, 2], 0.9)).toBe(4);
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([], 0.5)).toBeNull();
  });
});

describe('gaps after cancels', () => {
  const records = (events: readonly (readonly [type: string, payload: object])[]): JournalRecord[] =>
    events.map(([type, payload], index) => ({
      ...{ seq: index + 1, epoch: 1, wall: 0, mono: 0, prevHash: '', hash: '' },
      type,
      payload: JSON.stringify(payload),
    }));
  const placed = (intentId: string, slot: string, orderId: string) =>
    [
      ['intent', { intentId, symbol: 'BTC/INR', slot }],
      ['create-outcome', { intentId, outcome: 'accepted', orderId }],
    ] as const;
  const canceled = (intentId: string, at: number) =>
    ['cancel-outcome', { intentId, outcome: 'acknowledged', at }] as const;

  test('run to the next order in the same place', () => {
    const journal = records([
      ...placed('1', 'buy:0', 'a'),
      ...placed('2', 'buy:1', 'b'),
      canceled('1', 100),
      ...placed('3', 'buy:1', 'c'),
      ...placed('4', 'buy:0', 'd'),
    ]);
    const births = new Map(Object.entries({ a: 10, b: 20, c: 150, d: 400 }));
    expect(gapsAfterCancels(journal, births)).toEqual([{ at: 100, ms: 300 }]);
  });

  test('are nothing where the next order was there before the answer, and unknown where none came', () => {
    const journal = records([
      ...placed('1', 'buy:0', 'a'),
      ...placed('2', 'buy:0', 'b'),
      canceled('1', 100),
      canceled('2', 200),
    ]);
    expect(gapsAfterCancels(journal, new Map(Object.entries({ a: 10, b: 90 })))).toEqual([{ at: 100, ms: 0 }]);
  });
});
