// Each check by itself, at the edges: in the gate the first one that denies hides those behind it.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal, ZERO } from '../../../../src/domain/decimal.ts';
import type { Side } from '../../../../src/domain/order.ts';
import { checkInventory } from '../../../../src/quoting/risk/exposure-checks.ts';
import {
  checkCollar,
  checkMarketable,
  checkReference,
  checkState,
  checkSymbol,
} from '../../../../src/quoting/risk/order-checks.ts';
import type { Check, RiskContext } from '../../../../src/quoting/risk/risk-context.ts';
import { calm, limits } from '../calm-context.ts';
import { book, holding, NOW } from '../market.ts';

const NAN = new Decimal(Number.NaN);

const told = (check: Check, context: Partial<RiskContext>, [side, price]: readonly [Side, string] = ['buy', '99']) =>
  check(
    {
      request: { symbol: 'BTC/INR', side, price: decimal(price), quantity: decimal('1') },
      ...{ slot: `${side}:0`, replaces: null },
    },
    { ...calm, ...context },
  )?.message ?? null;
const limited = (changes: Partial<typeof limits>): Partial<RiskContext> => ({ limits: { ...limits, ...changes } });

describe('the reference price', () => {
  const age = (ms: number): Partial<RiskContext> => ({ bookSentAt: NOW - ms, bookMaxAgeMs: 5_000 });

  test.each<[string, Partial<RiskContext>, string | null]>([
    ['of a book of this moment', age(0), null],
    ['of an older one', age(5_001), 'The book of BTC/INR is 5001 ms old; 0 to 5000 ms are allowed.'],
    ['of a book that was never asked for', { bookSentAt: null }, 'The book of BTC/INR is not known.'],
    [
      'of a book with one side',
      { book: book([], ['100.1 x 1']) },
      'The book of BTC/INR is empty on a side, crossed or locked.',
    ],
    [
      'of a book whose best ask has nothing',
      { book: book(['99.9 x 1'], ['100.1 x 0']) },
      'The book of BTC/INR has a best level that is not a positive price and quantity.',
    ],
    ['that is none', { referencePrice: NAN }, 'The reference price of BTC/INR is NaN.'],
    ['after one that is none', { lastGoodReference: NAN }, 'The last good reference price of BTC/INR is NaN.'],
    [
      'of the first book',
      { lastGoodReference: null },
      'Only one order book of BTC/INR has been read: a second must confirm its price.',
    ],
    [
      'of the first book, and far from its best prices',
      { lastGoodReference: null, referencePrice: decimal('200'), ...limited({ collarBps: 100 }) },
      'The reference price 200 is 9980 bps, more than 100 bps, from 100.1, the best price (BTC/INR).',
    ],
    [
      'beyond it',
      { lastGoodReference: decimal('80'), ...limited({ jumpBps: 2_499 }) },
      'The reference price 100 is 2500 bps, more than 2499 bps, from 80, the last good one (BTC/INR).',
    ],
  ])('%s', (_, context, message) => {
    expect(told(checkReference, context)).toBe(message);
  });
});

describe('the collar', () => {
  const collar = (collarBps: number, jumpBps: number): Partial<RiskContext> => ({
    ...limited({ collarBps, jumpBps }),
    recentReference: decimal('110'),
  });

  test.each<[string, Partial<RiskContext>, readonly [Side, string], string | null]>([
    [
      'refuses one beyond the first',
      collar(99, 1_000),
      ['buy', '99'],
      'Price 99 is 100 bps, more than 99 bps, from 100, the reference price (BTC/INR).',
    ],
    [
      'refuses one beyond the second',
      collar(100, 999),
      ['buy', '99'],
      'Price 99 is 1000 bps, more than 999 bps, from 110, the recent reference price (BTC/INR).',
    ],
    ['is none around no price', { referencePrice: NAN }, ['buy', '99'], 'The reference price of BTC/INR is NaN.'],
    [
      'is none around no recent price',
      { recentReference: ZERO },
      ['buy', '99'],
      'The recent reference price of BTC/INR is 0.',
    ],
  ])('%s', (_, context, order, message) => {
    expect(told(checkCollar, context, order)).toBe(message);
  });
});

test.each<[Side, string, Partial<RiskContext>, string | null]>([
  ['buy', '100', {}, null],
  ['buy', '100.1', {}, 'A buy at 100.1 would meet the best ask of 100.1.'],
  ['sell', '100', {}, null],
  ['sell', '99.9', {}, 'A sell at 99.9 would meet the best bid of 99.9.'],
  ['buy', '100', { book: null }, 'There is no book to see whether the order would rest.'],
  ['sell', '100', { book: book(['99.9 x 1'], []) }, 'There is no book to see whether the order would rest.'],
])('a %s at %s rests only where the book shows it', (side, price, context, message) => {
  expect(told(checkMarketable, context, [side, price])).toBe(message);
});

describe('the inventory with every order filled', () => {
  const others = (more: string, less: string) => ({ more: decimal(more), less: decimal(less) });
  // Ten are held, and the order is of one.
  test.each<[Side, Partial<RiskContext>, string | null]>([
    ['buy', { ...limited({ maxInventoryBase: decimal('11') }) }, null],
    [
      'buy',
      { ...limited({ maxInventoryBase: decimal('10.9') }) },
      'With every buy filled 11 BTC would be held; at most 10.9 is allowed.',
    ],
    ['sell', { ...limited({ minInventoryBase: decimal('9') }) }, null],
    [
      'sell',
      { ...limited({ minInventoryBase: decimal('9.1') }) },
      'With every sell filled 9 BTC would be held; at least 9.1 is allowed.',
    ],
    ['buy', { baseInOtherMarkets: others('4', '9') }, null],
    [
      'buy',
      { baseInOtherMarkets: others('4.1', '0') },
      'With every buy filled 15.1 BTC would be held; at most 15 is allowed.',
    ],
    [
      'sell',
      { baseInOtherMarkets: others('0', '4.1') },
      'With every sell filled 4.9 BTC would be held; at least 5 is allowed.',
    ],
    ['buy', { baseInOtherMarkets: others('NaN', '0') }, 'Orders of other symbols may move NaN BTC.'],
    ['sell', { baseInOtherMarkets: others('NaN', '0') }, null],
    ['sell', { baseInOtherMarkets: others('0', '-1') }, 'Orders of other symbols may move -1 BTC.'],
    ['sell', { base: { ...holding('BTC', '10'), total: NAN } }, 'The inventory is NaN BTC.'],
  ])('of a %s: case %#', (side, context, message) => {
    expect(told(checkInventory, context, [side, '100'])).toBe(message);
  });
});

test('what may be sent at all is said of the state and the symbol', () => {
  expect(told(checkState, { isRunning: true })).toBeNull();
  expect(told(checkState, { isRunning: false })).toBe('Nothing is placed in BTC/INR: the bot starts, rests or stops.');
  expect(told(checkSymbol, {})).toBeNull();
  expect(told(checkSymbol, { configuredSymbols: [] })).toBe('BTC/INR is not configured; configured: none.');
  expect(told(checkSymbol, { configuredSymbols: ['A/B', 'C/D'] })).toBe(
    'BTC/INR is not configured; configured: A/B, C/D.',
  );
  const instrument = { ...calm.instrument, symbol: 'ETH/INR' };
  expect(told(checkSymbol, { instrument })).toBe('BTC/INR was judged with the steps of ETH/INR.');
});
