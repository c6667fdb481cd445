// What must hold for every quote whatever the strategy wants, the market shows and the settings say.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, maxOf, ZERO } from '../../../src/domain/decimal.ts';
import { isOnLot, isOnTick } from '../../../src/domain/instrument.ts';
import { type Quote, type Side, slotOf } from '../../../src/domain/order.ts';
import { breakEvenAskRatio } from '../../../src/quoting/costs.ts';
import { fundsLocked, fundsNeeded } from '../../../src/quoting/live-order.ts';
import { type QuotingInput, quoteText } from '../../../src/quoting/pipeline/draft.ts';
import { computeQuotes, type QuotingResult } from '../../../src/quoting/pipeline/pipeline.ts';
import { quotingInputs, SEED } from './random-market.ts';

/** Most steps are off in most of them. */
const RUNS = 800;

const of = (side: Side, { quotes }: QuotingResult): Quote[] => quotes.filter((quote) => quote.side === side);

/** An order that stays as it is (hanging orders). It has its funds, and was rounded when it was placed. */
function restsAsIs(quote: Quote, { live, settings }: QuotingInput): boolean {
  if (settings.hanging === undefined) return false;
  const own = live.find((order) => order.slot === slotOf(quote));
  return own?.price.eq(quote.price) === true && own.remaining.eq(quote.quantity);
}

/** Computed once for all statements: they only read. The seed is fixed, so a failure repeats. */
const MARKETS = fc
  .sample(quotingInputs, { numRuns: RUNS, seed: SEED })
  .map((input) => ({ input, result: computeQuotes(input) }));

/** Checks one statement on many random markets. */
function always(statement: (result: QuotingResult, input: QuotingInput) => void): void {
  MARKETS.forEach(({ input, result }, index) => {
    try {
      statement(result, input);
    } catch (error) {
      throw new Error(`Random market ${index} of seed ${SEED}: ${fc.stringify(input)}`, { cause: error });
    }
  });
}

describe('always', () => {
  test('the random markets give quotes on both sides often enough to mean something', () => {
    const twoSided = MARKETS.filter(({ result }) => of('buy', result).length > 0 && of('sell', result).length > 0);
    expect(twoSided.length).toBeGreaterThan(140);
  });

  test('orders hang in the random markets often enough to mean something, on both sides', () => {
    const hanging = MARKETS.flatMap(({ input, result: { quotes, explain } }) => {
      const held = explain.filter(({ name, after }) => name === 'hanging orders' && after !== 'no quote');
      return quotes.filter((quote) => restsAsIs(quote, input) && held.some(({ slot }) => slot === slotOf(quote)));
    });
    for (const side of ['buy', 'sell'])
      expect(hanging.filter((quote) => quote.side === side).length).toBeGreaterThan(8);
  });

  test('quotes are on tick and lot and large enough', () => {
    always(({ quotes }, input) => {
      const { instrument } = input.view;
      for (const quote of quotes) {
        const { price, quantity } = quote;
        expect(isOnTick(price, instrument) && isOnLot(quantity, instrument) && quantity.gt(0)).toBe(true);
        if (!restsAsIs(quote, input)) expect(price.mul(quantity).gte(instrument.minNotional)).toBe(true);
      }
    });
  });

  test('no quote meets the book', () => {
    always((result, { view: { book } }) => {
      for (const bid of of('buy', result)) expect(book.asks.every((level) => bid.price.lt(level.price))).toBe(true);
      for (const ask of of('sell', result)) expect(book.bids.every((level) => ask.price.gt(level.price))).toBe(true);
    });
  });

  test('no quote meets another or an own order that may be live', () => {
    always((result, { live }) => {
      const bids = [...of('buy', result), ...live.filter((order) => order.side === 'buy')];
      const asks = [...of('sell', result), ...live.filter((order) => order.side === 'sell')];
      for (const bid of of('buy', result)) expect(asks.every((ask) => ask.price.gt(bid.price))).toBe(true);
      for (const ask of of('sell', result)) expect(bids.every((bid) => bid.price.lt(ask.price))).toBe(true);
    });
  });

  test('each level is further out than the one before', () => {
    always((result, input) => {
      // Two orders that rest at one price may both stay.
      const staysBeside = (quote: Quote, before: Quote | undefined): boolean =>
        before?.price.eq(quote.price) === true && restsAsIs(before, input) && restsAsIs(quote, input);
      for (const side of ['buy', 'sell'] as const) {
        const quotes = of(side, result);
        const prices = quotes.filter((quote, i) => !staysBeside(quote, quotes[i - 1])).map(({ price }) => price);
        const sorted = prices.toSorted((a, b) => (side === 'buy' ? b.cmp(a) : a.cmp(b)));
        expect(prices.map(String)).toEqual([...new Set(sorted.map(String))]);
      }
    });
  });

  test('the funds suffice: free above the reserve, and in each slot what its own order locks', () => {
    always((result, input) => {
      const { view, live, limits = {} } = input;
      const { reserveQuote = ZERO, reserveBase = ZERO } = limits;
      const spare = {
        buy: maxOf(ZERO, view.quote.free.sub(reserveQuote)),
        sell: maxOf(ZERO, view.base.free.sub(reserveBase)),
      };
      for (const side of ['buy', 'sell'] as const) {
        const fresh = of(side, result).map((quote) => {
          if (restsAsIs(quote, input)) return ZERO;
          const own = live.find((order) => order.slot === slotOf(quote));
          return maxOf(ZERO, fundsNeeded(quote, view.costs).sub(own === undefined ? ZERO : fundsLocked(own)));
        });
        expect(fresh.reduce((sum, need) => sum.add(need), ZERO).lte(spare[side])).toBe(true);
      }
    });
  });

  test('a round trip at any two quotes pays its fees and its tax, to the tick', () => {
    always((result, input) => {
      const { view, settings } = input;
      const { costs } = view;
      // One that hangs belongs to the order of its pair, which has filled.
      const [bid] = of('buy', result).filter((quote) => !restsAsIs(quote, input));
      const [ask] = of('sell', result).filter((quote) => !restsAsIs(quote, input));
      if (bid === undefined || ask === undefined || !settings.costFloor.enabled) return;
      const fees = { buyFeeRatio: costs.makerFeeRatio, sellFeeRatio: costs.makerFeeRatio };
      const least = breakEvenAskRatio({ ...fees, effectiveTaxRatio: costs.effectiveTaxRatio });
      expect(ask.price.div(bid.price).gte(least.sub('1e-36'))).toBe(true);
    });
  });

  test('all of a side filling keeps inventory in its bounds', () => {
    always((result, { view, limits, settings: { inventory } }) => {
      const [bids, asks] = [of('buy', result), of('sell', result)];
      const total = (quotes: readonly Quote[]) => quotes.reduce((sum, quote) => sum.add(quote.quantity), ZERO);
      const everything = view.base.total.add(view.quote.total.div(view.referencePrice));
      const most = everything.mul(new Decimal(inventory.maxBaseRatio));
      if (bids.length > 0 && inventory.maxBaseRatio < 1) expect(view.base.total.add(total(bids)).lte(most)).toBe(true);
      if (asks.length > 0) expect(view.base.total.sub(total(asks)).gte(limits?.minInventoryBase ?? ZERO)).toBe(true);
    });
  });

  test('the last line about a quote ends in the quote', () => {
    always(({ quotes, explain }, { view: { instrument } }) => {
      for (const quote of quotes) {
        const last = explain.findLast((step) => step.slot === slotOf(quote));
        expect(last?.after).toBe(quoteText(quote, instrument));
      }
    });
  });

  test('a side without a quote says why, and one with a quote does not', () => {
    always((result) => {
      for (const side of ['buy', 'sell'] as const) {
        expect(result.noQuote[side] === null).toBe(of(side, result).length > 0);
      }
    });
  });
});
