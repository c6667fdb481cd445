import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { BookSeen, MarketView } from '../../../src/quoting/strategy.ts';
import { strategy } from '../../../strategies/cross-rate.ts';
import { book, NOW, quoteText, view } from '../quoting/market.ts';

const ORDER = { orderSize: '1', sizeUnit: 'base', halfSpreadBps: 100 };
const VIA_USDT = { ...ORDER, legs: ['BTC/USDT', 'USDT/INR'] };

const seen = (bid: string, ask: string, ageMs = 1_000): BookSeen => ({
  book: book([`${bid} x 1`], [`${ask} x 1`]),
  sentAt: NOW - ageMs,
});
const legs = (entries: Readonly<Record<string, BookSeen>>): Partial<MarketView> => ({
  books: new Map(Object.entries(entries)),
});

function asked(changes: Partial<MarketView>, params: object = VIA_USDT) {
  return strategy.quote(view(changes), strategy.params.parse(params), undefined);
}

describe('cross-rate', () => {
  test('the example of its comment: the product of the mid prices, wider by both half-spreads', () => {
    const { quotes, explain } = asked({
      ...legs({ 'BTC/USDT': seen('64000', '64064'), 'USDT/INR': seen('86.00', '86.10') }),
      referencePrice: decimal(5_500_000),
    });
    expect(explain[0]).toEqual({
      name: 'cross rate',
      before: '5500000',
      after: '5509953.6',
      why: 'BTC/USDT and USDT/INR make this price; crossing both adds 10.8 bps to each side.',
    });
    // (64064·86.1 − 64000·86) / 2 / 5509953.6 = 10.8096… bps.
    const half = decimal('5515910.4').sub('5504000').div('5509953.6').mul('0.5');
    const [bid, ask] = quotes;
    expect(bid?.price.toNumber()).toBeCloseTo(5_509_953.6 * (1 - 0.01 - half.toNumber()), 4);
    expect(ask?.price.toNumber()).toBeCloseTo(5_509_953.6 * (1 + 0.01 + half.toNumber()), 4);
  });

  test('a leg that points the other way is turned over', () => {
    const { quotes } = asked(legs({ 'BTC/USDT': seen('50', '50.0001'), 'INR/USDT': seen('0.5', '0.500001') }), {
      ...ORDER,
      legs: ['BTC/USDT', 'INR/USDT'],
    });
    expect(quotes.map(({ price }) => price.toDecimalPlaces(1).toFixed())).toEqual(['99', '101']);
  });

  test('the spread of a leg that points the other way counts as the same', () => {
    const { quotes } = asked(legs({ 'BTC/USDT': seen('50', '50.1'), 'INR/USDT': seen('0.5', '0.51') }), {
      ...ORDER,
      legs: ['BTC/USDT', 'INR/USDT'],
    });
    // Crossing both legs sells at 50/0.51 and buys at 50.1/0.5; one percent of the middle, 99.1196, lies outside.
    expect(quotes.map(({ price }) => price.toDecimalPlaces(2).toFixed())).toEqual(['97.05', '101.19']);
  });

  test('explicit distances are wider, too', () => {
    const changes = legs({ 'BTC/USDT': seen('10', '10'), 'USDT/INR': seen('10', '10.02') });
    const { quotes } = asked(changes, { ...VIA_USDT, bidHalfSpreadsBps: [200], askHalfSpreadsBps: [] });
    // 10 is no two-sided book: bid and ask are locked.
    expect(quotes.map(quoteText)).toEqual([]);
    const open = legs({ 'BTC/USDT': seen('9.999', '10.001'), 'USDT/INR': seen('9.99', '10.01') });
    const [bid] = asked(open, { ...VIA_USDT, bidHalfSpreadsBps: [200], askHalfSpreadsBps: [] }).quotes;
    expect(bid?.price.toNumber()).toBeCloseTo(100 * (1 - 0.02 - 0.0011), 8);
  });

  test.each([
    [
      'no book of a leg',
      legs({ 'BTC/USDT': seen('64000', '64064') }),
      'The book of USDT/INR is not read yet, or its price is not trusted.',
    ],
    [
      'an old one',
      legs({ 'BTC/USDT': seen('64000', '64064', 30_001), 'USDT/INR': seen('86', '86.1') }),
      'The book of BTC/USDT is 30001 ms old and may be 30000 ms old at most.',
    ],
    [
      'a crossed one',
      legs({ 'BTC/USDT': seen('64000', '64064'), 'USDT/INR': seen('86.2', '86.1') }),
      'The book of USDT/INR is empty on a side, or crossed.',
    ],
  ])('%s: no quote, and it says why', (_case, changes, why) => {
    const { quotes, noQuote } = asked(changes);
    expect(quotes).toEqual([]);
    expect(noQuote).toEqual({ buy: why, sell: why });
  });

  test('a price that is too far from the reference price is not quoted, however the legs came to it', () => {
    const shifted = legs({ 'BTC/USDT': seen('640000', '640640'), 'USDT/INR': seen('86.00', '86.10') });
    const why = 'The legs make a price of 55099536, 90181 bps from the reference price; 500 bps are the most.';
    expect(asked({ ...shifted, referencePrice: decimal(5_500_000) })).toMatchObject({
      quotes: [],
      noQuote: { buy: why, sell: why },
    });
    const near = legs({ 'BTC/USDT': seen('9.9', '10.1'), 'USDT/INR': seen('10.4', '10.6') });
    expect(asked(near).quotes).toHaveLength(2);
    expect(asked(near, { ...VIA_USDT, maxDeviationBps: 499 }).quotes).toEqual([]);
  });

  test('legs that lead nowhere, or round in a circle, are a mistake', () => {
    const unfit = (...legs: string[]) =>
      strategy.whyUnfit?.(strategy.params.parse({ ...ORDER, legs }), view().instrument);
    expect(unfit('BTC/USDT', 'USDT/INR')).toBe(null);
    expect(unfit('BTC/USDT', 'ETH/INR')).toBe('BTC/USDT and ETH/INR do not lead from BTC to INR (legs).');
    expect(unfit('BTC/INR', 'USDT/INR')).toBe("BTC/INR can't be priced through itself (legs).");
    expect(unfit('BTC/USDT', 'BTC/USDT')).toBe('BTC/USDT and BTC/USDT do not lead from BTC to INR (legs).');
  });

  test('it needs the books of both legs', () => {
    expect(strategy.needs?.(strategy.params.parse(VIA_USDT))).toEqual({ books: ['BTC/USDT', 'USDT/INR'] });
  });
});
