// Hanging orders: what becomes of the two orders of a pair, and of the levels around them, when one has filled.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { OwnFill } from '../../../src/quoting/strategy.ts';
import { book, holding, liveOrder, NOW, quotesFrom, quoteText, type Situation } from './market.ts';

const TWO_PAIRS = ['buy:0 1 @ 98', 'buy:1 1 @ 97', 'sell:0 1 @ 102', 'sell:1 1 @ 103'];
/** The bid of the first level filled half a minute ago; own orders of the tests are a minute old. */
const FILLED: OwnFill = {
  ...{ side: 'buy', slot: 'buy:0', price: decimal('98'), quantity: decimal('1'), at: NOW - 30_000 },
  ...{ liquidity: 'maker', completesOrder: true },
};

function becomes({ view, settings, limits = {}, live }: Situation): string[] {
  const hanging = { cancelBps: 1_000 };
  const filled = { view: { ownFills: [FILLED], ...view }, settings: { hanging, ...settings } };
  const situation = { ...filled, limits, live: live ?? [] };
  return quotesFrom(TWO_PAIRS, situation).quotes.map(quoteText);
}

describe('an ask whose bid has filled', () => {
  test('stays with what remains of it, and its level buys nothing', () => {
    const live = [liveOrder('sell:0 1 @ 102.5', { remaining: decimal('0.4') })];
    expect(becomes({ live })).toEqual(['buy:1 1 @ 97', 'sell:0 0.4 @ 102.5', 'sell:1 1 @ 103']);
  });

  test('does not push the next level out behind it', () => {
    const live = [liveOrder('sell:0 1 @ 107')];
    expect(becomes({ live })).toEqual(['buy:1 1 @ 97', 'sell:1 1 @ 103', 'sell:0 1 @ 107']);
  });

  test('keeps its price to itself', () => {
    const live = [liveOrder('sell:0 1 @ 103')];
    expect(becomes({ live })).toEqual(['buy:1 1 @ 97', 'sell:0 1 @ 103', 'sell:1 1 @ 103.1']);
  });

  test('is not moved by the cost floor, and moves nobody by it', () => {
    const fee = decimal('0.01');
    const costs = { makerFeeRatio: fee, takerFeeRatio: fee, tdsRatio: ZERO, effectiveTaxRatio: ZERO };
    const live = [liveOrder('sell:0 1 @ 100.5')];
    expect(becomes({ view: { costs }, live })).toEqual(['buy:1 1 @ 97', 'sell:0 1 @ 100.5', 'sell:1 1 @ 103']);
  });

  test('keeps its size while sizes lean', () => {
    const live = [liveOrder('sell:0 1 @ 102')];
    const quotes = becomes({
      settings: { inventorySkew: {} },
      view: { inventoryTarget: decimal('9') },
      live,
    });
    expect(quotes).toContain('sell:0 1 @ 102');
    expect(quotes).not.toContain('sell:1 1 @ 103');
  });

  test('needs no funds that are free, and takes room in the inventory bounds', () => {
    const live = [liveOrder('sell:0 1 @ 102')];
    expect(becomes({ view: { base: holding('BTC', '10', '0') }, live })).toEqual(['buy:1 1 @ 97', 'sell:0 1 @ 102']);
    expect(becomes({ limits: { minInventoryBase: decimal('8.5') }, live })).toEqual([
      ...['buy:1 1 @ 97', 'sell:0 1 @ 102', 'sell:1 0.5 @ 103'],
    ]);
    // No room for all of it: it is a quote like any other.
    expect(becomes({ limits: { minInventoryBase: decimal('9.5') }, live })).toEqual([
      ...['buy:0 1 @ 98', 'buy:1 1 @ 97', 'sell:0 0.5 @ 102'],
    ]);
  });
});

describe('it hangs no longer', () => {
  const asEver = TWO_PAIRS;

  test.each([
    ['once it is too far', liveOrder('sell:0 1 @ 110.1'), {}],
    ['once it is too old', liveOrder('sell:0 1 @ 104', { sentAt: NOW - 1_800_000 }), {}],
    ['where it was sent after the fill', liveOrder('sell:0 1 @ 104', { sentAt: NOW - 29_000 }), {}],
    ['where only a part has filled', liveOrder('sell:0 1 @ 104'), { ownFills: [{ ...FILLED, completesOrder: false }] }],
    [
      'where another level has filled',
      liveOrder('sell:0 1 @ 104'),
      { ownFills: [{ ...FILLED, slot: 'buy:1' as const }] },
    ],
    ['where it is leaving', liveOrder('sell:0 1 @ 104', { status: 'leaving' }), {}],
  ])('%s', (_words, order, view) => {
    expect(becomes({ live: [order], view })).toEqual(asEver);
  });

  test('where the bid has a successor', () => {
    expect(becomes({ live: [liveOrder('sell:0 1 @ 104'), liveOrder('buy:0 1 @ 98')] })).toEqual(asEver);
  });

  test('where a guard could not leave it', () => {
    const near = { book: book(['101.9 x 1'], ['104 x 1']), referencePrice: decimal('102.95') };
    expect(becomes({ live: [liveOrder('sell:0 1 @ 102')], view: near })).toContain('sell:0 1 @ 102');
    const guarded = becomes({
      live: [liveOrder('sell:0 1 @ 102')],
      view: near,
      settings: { guard: { guardTicks: 2 } },
    });
    expect(guarded).toContain('sell:0 1 @ 102.1');
  });

  test('where it would be better than the external price, or under what the base cost', () => {
    const live = [liveOrder('sell:0 1 @ 102')];
    const asks = (view: NonNullable<Situation['view']>, settings: NonNullable<Situation['settings']>) =>
      becomes({ live, view, settings }).filter((quote) => quote.startsWith('sell'));
    const priced = (price: string) => ({
      externalPrice: {
        ...({ kind: 'known', price: decimal(price) } as const),
        ...{ ageMs: 0, sources: 2, spreadBps: 0, widenBps: 0 },
      },
    });
    const guard = { externalGuard: { minimumEdgeBps: 0 } };
    expect(asks(priced('102'), guard)).toEqual(['sell:0 1 @ 102', 'sell:1 1 @ 103']);
    expect(asks(priced('105'), guard)).toEqual(['sell:0 1 @ 105', 'sell:1 1 @ 106']);
    const cost = { inventoryCost: { minimumProfitBps: 0 } };
    expect(asks({ averageCost: decimal('101.9') }, cost)).toEqual(['sell:0 1 @ 102', 'sell:1 1 @ 103']);
    expect(asks({ averageCost: decimal('103') }, cost)).toEqual(['sell:0 1 @ 103', 'sell:1 1 @ 104']);
  });

  test('where its side is stopped', () => {
    const stopped = { priceBand: { floor: '100' } };
    expect(becomes({ live: [liveOrder('sell:0 1 @ 104')], settings: stopped })).toEqual([
      'buy:0 1 @ 98',
      'buy:1 1 @ 97',
    ]);
  });
});
