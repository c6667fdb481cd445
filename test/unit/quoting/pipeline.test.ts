import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal, ZERO } from '../../../src/domain/decimal.ts';
import { computeQuotes } from '../../../src/quoting/pipeline/pipeline.ts';
import {
  book,
  holding,
  liveOrder,
  NOW,
  quotesFrom,
  quoteText,
  type Situation,
  settings,
  view,
  wanting,
} from './market.ts';

const texts = (wanted: readonly string[], situation: Situation = {}): string[] =>
  quotesFrom(wanted, situation).quotes.map(quoteText);

describe('rounding', () => {
  test('levels that fall on one tick are set a tick apart, outwards', () => {
    const wanted = ['buy:0 1 @ 99.19', 'buy:1 1 @ 99.15', 'sell:0 1 @ 100.91', 'sell:1 1 @ 100.95'];
    expect(texts(wanted)).toEqual(['buy:0 1 @ 99.1', 'buy:1 1 @ 99', 'sell:0 1 @ 101', 'sell:1 1 @ 101.1']);
  });

  test('a quote under the least notional is dropped with the figures', () => {
    const { quotes, noQuote } = quotesFrom(['buy:0 0.01 @ 99', 'sell:0 1 @ 101']);
    expect(quotes.map(quoteText)).toEqual(['sell:0 1 @ 101']);
    expect(noQuote).toEqual({ buy: '0.99 INR are under the least notional of 1.', sell: null });
  });

  test('a quote under one lot is dropped, and one whose price would be zero', () => {
    expect(quotesFrom(['buy:0 1 @ 0.05']).noQuote.buy).toBe('Its price would be 0.');
    expect(quotesFrom(['sell:0 0.0009 @ 101']).noQuote.sell).toBe('Its quantity is under one lot of 0.001 BTC.');
  });
});

describe('cost floor', () => {
  const costs = {
    makerFeeRatio: decimal('0.005'),
    takerFeeRatio: decimal('0.005'),
    tdsRatio: ZERO,
    effectiveTaxRatio: ZERO,
  };

  test('is measured from the middle of what the strategy wants, so that its skew stays', () => {
    expect(texts(['buy:0 1 @ 98.9', 'sell:0 1 @ 99.1'], { view: { costs } })).toEqual([
      'buy:0 1 @ 98.5',
      'sell:0 1 @ 100',
    ]);
  });

  test('leaves wide quotes and, switched off, all quotes alone', () => {
    expect(texts(['buy:0 1 @ 99', 'sell:0 1 @ 101'], { view: { costs } })).toEqual(['buy:0 1 @ 99', 'sell:0 1 @ 101']);
    const off = { view: { costs }, settings: { costFloor: { enabled: false } } };
    expect(texts(['buy:0 1 @ 99.9', 'sell:0 1 @ 100.1'], off)).toEqual(['buy:0 1 @ 99.9', 'sell:0 1 @ 100.1']);
  });
});

describe('inventory bounds', () => {
  const wanted = ['buy:0 2 @ 99', 'buy:1 2 @ 98', 'sell:0 2 @ 101', 'sell:1 2 @ 102'];

  test('the most base may be a share of all holdings', () => {
    expect(texts(['buy:0 2 @ 99'], { settings: { inventory: { maxBaseRatio: 0.55 } } })).toEqual(['buy:0 1 @ 99']);
  });

  test('a side at its bound says so', () => {
    const { noQuote } = quotesFrom(wanted, { limits: { maxInventoryBase: decimal('10') } });
    expect(noQuote.buy).toBe('10 BTC are held and with all bids filled it may be 10 at most.');
  });

  test('an old order that is larger than its replacement takes the room of the levels behind', () => {
    const live = [liveOrder('buy:0 3 @ 99')];
    const situation = { live, limits: { maxInventoryBase: decimal('13') } };
    expect(texts(['buy:0 2 @ 99', 'buy:1 2 @ 98'], situation)).toEqual(['buy:0 2 @ 99']);
  });
});

describe('inventory skew of sizes', () => {
  const skewed = { inventorySkew: {} };
  const wanted = ['buy:0 1 @ 99', 'sell:0 1 @ 101'];

  test('a strategy that leans its own sizes is left alone', () => {
    const strategy = wanting(wanted, { ownsInventory: true });
    const market = view({ base: holding('BTC', '13') });
    const { quotes } = computeQuotes({
      strategy,
      params: undefined,
      view: market,
      settings: settings(skewed),
      live: [],
    });
    expect(quotes.map(quoteText)).toEqual(wanted);
  });
});

describe('post-only guard', () => {
  test('levels behind make room', () => {
    const off = { costFloor: { enabled: false } };
    expect(texts(['buy:0 1 @ 102', 'buy:1 1 @ 101', 'buy:2 1 @ 99'], { settings: off })).toEqual([
      'buy:0 1 @ 100',
      'buy:1 1 @ 99.9',
      'buy:2 1 @ 99',
    ]);
  });

  test('the margin grows with volatility and the root of age and delay', () => {
    const guard = { expectedDelayMs: 3_000, volatilityBpsPerSqrtSecond: 5 };
    const wanted = ['buy:0 1 @ 100'];
    expect(texts(wanted, { settings: { guard } })).toEqual(['buy:0 1 @ 99.9']);
    expect(texts(wanted, { settings: { guard }, view: { bookSentAt: NOW - 6_000 } })).toEqual(['buy:0 1 @ 99.8']);
    const doubled = { guard: { ...guard, volatilityBpsPerSqrtSecond: 10 } };
    expect(texts(wanted, { settings: doubled })).toEqual(['buy:0 1 @ 99.8']);
  });
});

describe('self-cross guard', () => {
  test('a bid stays under own asks that may be live, an ask over own bids', () => {
    const ask = liveOrder('sell:0 1 @ 99.5');
    expect(texts(['buy:0 1 @ 99.8'], { live: [ask] })).toEqual(['buy:0 1 @ 99.4']);
    const bid = liveOrder('buy:0 1 @ 100.5', { status: 'pending' });
    expect(texts(['sell:0 1 @ 100.2'], { live: [bid] })).toEqual(['sell:0 1 @ 100.6']);
  });

  test('of two quotes that would meet, the ask gives way', () => {
    const off = { costFloor: { enabled: false } };
    expect(texts(['buy:0 1 @ 100', 'sell:0 1 @ 100'], { settings: off })).toEqual([
      'buy:0 1 @ 100',
      'sell:0 1 @ 100.1',
    ]);
  });

  test('quotes are on tick beside an own order that rests off it, from before the tick was another one', () => {
    expect(texts(['buy:0 1 @ 99.9', 'sell:0 1 @ 103'], { live: [liveOrder('sell:0 1 @ 99.95')] })).toEqual([
      'buy:0 1 @ 99.8',
      'sell:0 1 @ 103',
    ]);
    expect(texts(['buy:0 1 @ 97', 'sell:0 1 @ 100.1'], { live: [liveOrder('buy:0 1 @ 100.05')] })).toEqual([
      'buy:0 1 @ 97',
      'sell:0 1 @ 100.2',
    ]);
  });
});

describe('no quote at all', () => {
  test.each([
    ['a book without asks', { book: book(['99 x 1'], []) }, 'The book of BTC/INR is empty on a side, or crossed.'],
    ['a reference of zero', { referencePrice: ZERO }, 'The reference price of BTC/INR is 0.'],
    ['a reference of NaN', { referencePrice: new Decimal(Number.NaN) }, 'The reference price of BTC/INR is NaN.'],
  ])('from %s', (_words, changes, why) => {
    const { quotes, explain, noQuote, flaws, failure } = quotesFrom(['buy:0 1 @ 99'], { view: changes });
    expect({ quotes, flaws, failure }).toEqual({ quotes: [], flaws: [], failure: null });
    expect(noQuote).toEqual({ buy: why, sell: why });
    expect(explain.map((step) => step.why)).toEqual([why]);
  });
});

test('a slot that a strategy wants twice is taken once', () => {
  const { quotes, explain, noQuote } = quotesFrom(['buy:0 1 @ 98', 'buy:0 1 @ 97']);
  expect(quotes.map(quoteText)).toEqual(['buy:0 1 @ 98']);
  expect(explain.map((step) => step.why)).toContain('The strategy wanted buy:0 twice.');
  expect(explain.findLast(({ slot }) => slot === 'buy:0')?.after).toBe('1 @ 98');
  expect(noQuote).toEqual({ buy: null, sell: 'wanting wants no ask.' });
});
