// What the judge says of quotes beside what they should be.
import { describe, expect, test } from '@jest/globals';
import type { JournalIntent } from '../../../../simulation/checks/journal-model.ts';
import { flawOf, type Judged, type Quoted } from '../../../../simulation/quotes/flaws.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../../src/quoting/quoting-settings.ts';
import { limitsSchema } from '../../../../src/quoting/risk/risk-limits.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';
import { instrument } from '../../quoting/market.ts';

const level = (price: number, nearest = price) => ({
  ...{ level: 0, size: decimal(1) },
  ...{ price: decimal(price), nearest: decimal(nearest) },
});
const row = (price: number) => ({ price: decimal(price), quantity: decimal(1) });
const LIMITS = { maxOrderQuantity: '9', maxOrderNotional: '900', maxInventoryBase: '99', maxOpenNotional: '99999' };

/** A bid wanted at 99.05 and an ask at 100.95, each of 1, on ticks of 0.1, with money for all. */
function judged(quotes: readonly Quoted[], { quoting = {}, strategy = 'fixed-spread', ...more }: Changes = {}): Judged {
  const run = {
    ...{ strategy: { name: strategy }, params: {}, instrument },
    ...{ quoting: quotingSettingsSchema.parse(quoting), limits: limitsSchema.parse(LIMITS) },
  } as unknown as RunSettings;
  const money = new Map([
    ['BTC', decimal(10)],
    ['INR', decimal(10_000)],
  ]);
  return {
    ...{ run, quotes, lots: 0, isAll: true, totals: money, taken: new Map(), own: [] },
    ...{ expected: { buy: [level(99.05)], sell: [level(100.95)] }, touch: { buy: row(98), sell: row(102) } },
    ...more,
  };
}

type Changes = Partial<Judged> & { readonly quoting?: object; readonly strategy?: string };

const quote = (side: 'buy' | 'sell', price: number, quantity = 1): Quoted => ({
  ...{ side, level: 0, price: decimal(price), quantity: decimal(quantity) },
});
const BOTH = [quote('buy', 99), quote('sell', 101)];
const buyAt = (price: number, changes: Changes = {}) =>
  flawOf(judged([quote('buy', price), BOTH[1] as Quoted], changes));

test('what is as it should be', () => {
  expect(flawOf(judged(BOTH))).toBe(null);
});

test('nearer is never right, further out is for a reason', () => {
  expect(buyAt(99.1)).toBe('the buy on level 0 is at 99.1, wanted is 99.');
  expect(buyAt(98.9)).toBe('the buy on level 0 is at 98.9, wanted is 99, and nothing is in its way.');
  expect(buyAt(98.9, { touch: { buy: row(98), sell: row(99) } })).toBe(null);
  const own = [
    { side: 'buy', slot: 'buy:1', state: 'unknown', price: '99', quantity: '1' },
  ] as unknown as JournalIntent[];
  expect(buyAt(98.9, { own })).toBe(null);
});

test('levels that an own order of the other side pushes out stand a tick apart, placed or not, and no further', () => {
  const levels = [101, 101.02, 101.04].map((price, index) => ({ ...level(price), level: index }));
  const own = [
    { side: 'buy', slot: 'buy:0', state: 'closing', price: '101', quantity: '1' },
  ] as unknown as JournalIntent[];
  const outermost = (price: number, more: Changes = {}) =>
    flawOf(
      judged([{ ...quote('sell', price), level: 2 }], {
        ...{ isAll: false, expected: { buy: [], sell: levels }, own, ...more },
      }),
    );
  expect(outermost(101.3)).toBe(null);
  expect(outermost(101.4)).toBe('the sell on level 2 is at 101.4, wanted is 101.1, and nothing is in its way.');
  expect(outermost(101.4, { own: [] })).toMatch(/wanted is 101\.1, and nothing is in its way\.$/);
});

test('a model may be off by a tick, either way, and no further', () => {
  expect([99.1, 98.9].map((price) => buyAt(price, { strategy: 'glft' }))).toEqual([null, null]);
  expect(buyAt(99.2, { strategy: 'glft' })).toBe('the buy on level 0 is at 99.2, wanted is 99.');
  expect(buyAt(98.8, { strategy: 'glft' })).toBe(
    'the buy on level 0 is at 98.8, wanted is 99, and nothing is in its way.',
  );
});

describe('with steps between the strategy and the costs', () => {
  const quoting = { width: {} };
  test('further out is right, and so is no quote at all', () => {
    expect(buyAt(97, { quoting })).toBe(null);
    expect(flawOf(judged([BOTH[0] as Quoted], { quoting }))).toBe(null);
    expect(flawOf(judged([BOTH[0] as Quoted]))).toBe('A sell on level 0 is wanted and lacks, with money for it.');
  });

  test('nearer is wrong, but for a level behind one that is left out', () => {
    expect(buyAt(99.1, { quoting })).toBe('the buy on level 0 is at 99.1, wanted is 99.');
    expect(buyAt(99.1, { quoting, expected: { buy: [level(99.05, 99.15)], sell: [level(100.95)] } })).toBe(null);
  });

  test('an order that hangs stays where it is', () => {
    const own = [
      { side: 'buy', slot: 'buy:0', state: 'open', price: '99.5', quantity: '1' },
    ] as unknown as JournalIntent[];
    expect(buyAt(99.5, { own, quoting: { hanging: { cancelBps: 200 } } })).toBe(null);
    expect(buyAt(99.5, { own })).toBe('the buy on level 0 is at 99.5, wanted is 99.');
  });
});

test('larger is never right, smaller is where money is short', () => {
  expect(flawOf(judged([quote('buy', 99, 1.001)]))).toBe('the buy on level 0 is of 1.001, wanted is 1.');
  const small = [quote('buy', 99, 0.9), BOTH[1] as Quoted];
  expect(flawOf(judged(small))).toBe('the buy on level 0 is of 0.9, wanted is 1, with money for it.');
  expect(flawOf(judged(small, { taken: new Map([['INR', decimal(9_900)]]) }))).toBe(null);
});
