import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { fixedSpreadParams, inventoryDeviation, strategy } from '../../../strategies/fixed-spread.ts';
import { holding, quoteText, view } from '../quoting/market.ts';

const quotesOf = (params: object, changes: Parameters<typeof view>[0] = {}): string[] =>
  strategy.quote(view(changes), fixedSpreadParams.parse(params), undefined).quotes.map(quoteText);

const inBase = { orderSize: '1', sizeUnit: 'base' };

test('says how far it quotes at the most: its outermost level, and the lean', () => {
  const width = (params: object) => strategy.widthBps?.(fixedSpreadParams.parse({ ...inBase, ...params }));
  expect(width({ levels: 3, halfSpreadBps: 50, halfSpreadStepBps: 25 })).toBe(100);
  expect(width({ bidHalfSpreadsBps: [20, 200], askHalfSpreadsBps: [], skewBps: 60 })).toBe(260);
});

describe('levels', () => {
  test('one per side at the half-spread', () => {
    expect(quotesOf({ ...inBase, halfSpreadBps: 50 })).toEqual(['buy:0 1 @ 99.5', 'sell:0 1 @ 100.5']);
  });

  test('distance and size of each further level grow by their steps', () => {
    const params = { ...inBase, levels: 3, halfSpreadBps: 50, halfSpreadStepBps: 25, orderSizeStep: '0.5' };
    expect(quotesOf(params)).toEqual([
      'buy:0 1 @ 99.5',
      'buy:1 1.5 @ 99.25',
      'buy:2 2 @ 99',
      'sell:0 1 @ 100.5',
      'sell:1 1.5 @ 100.75',
      'sell:2 2 @ 101',
    ]);
  });

  test('lists per side come before first and step', () => {
    const params = { ...inBase, levels: 1, bidHalfSpreadsBps: [50, 200], askHalfSpreadsBps: [100], bidSizes: ['3'] };
    expect(quotesOf(params)).toEqual(['buy:0 3 @ 99.5', 'buy:1 1 @ 98', 'sell:0 1 @ 101']);
  });

  test('an empty list quotes no such side', () => {
    expect(quotesOf({ ...inBase, askHalfSpreadsBps: [] })).toEqual(['buy:0 1 @ 99']);
  });

  test('sizes in quote are converted at the reservation price, so that both sides are for the same base', () => {
    const params = { orderSize: '400', orderSizeStep: '50', levels: 2 };
    const sizes = quotesOf(params).map((text) => text.split(' @ ')[0]);
    expect(sizes).toEqual(['buy:0 4', 'buy:1 4.5', 'sell:0 4', 'sell:1 4.5']);
  });
});

describe('skew of the reservation price', () => {
  const params = { ...inBase, halfSpreadBps: 100, skewBps: 200 };

  test.each([
    ['at the target it stays', '10', '1000', '99', '101'],
    ['all in base it is lower by all of it', '20', '0', '97.02', '98.98'],
    ['nothing in base it is higher by all of it', '0', '2000', '100.98', '103.02'],
    ['half way to all it is lower by half', '15', '500', '98.01', '99.99'],
  ])('%s', (_words, base, quote, bid, ask) => {
    const changes = { base: holding('BTC', base), quote: holding('INR', quote) };
    expect(quotesOf(params, changes)).toEqual([`buy:0 1 @ ${bid}`, `sell:0 1 @ ${ask}`]);
  });

  test('with a range of its own it is complete there and goes no further', () => {
    const deviation = (base: string) => inventoryDeviation(view({ base: holding('BTC', base) }), decimal(2)).toFixed();
    expect(['8', '9', '10', '11', '12', '15'].map(deviation)).toEqual(['-1', '-0.5', '0', '0.5', '1', '1']);
  });

  test('a target of nothing, held exactly, is no deviation', () => {
    const empty = view({ base: holding('BTC', '0'), inventoryTarget: decimal(0) });
    expect(inventoryDeviation(empty).toFixed()).toBe('0');
  });

  test('is explained', () => {
    const market = view({ base: holding('BTC', '20'), quote: holding('INR', '0') });
    expect(strategy.quote(market, fixedSpreadParams.parse(params), undefined).explain).toEqual([
      {
        name: 'reservation price',
        before: '100',
        after: '98',
        why: '20 BTC are held, 10 wanted; the skew is 200 bps at most.',
      },
    ]);
  });
});

describe('parameters', () => {
  test('the size must be written out, all else has a default', () => {
    expect(fixedSpreadParams.safeParse({}).success).toBe(false);
    expect(fixedSpreadParams.parse({ orderSize: '500' })).toMatchObject({ levels: 1, halfSpreadBps: 100, skewBps: 0 });
  });

  test.each([
    ['levels', 0],
    ['levels', 6],
    ['halfSpreadBps', 0],
    ['halfSpreadBps', -5],
    ['orderSize', '0'],
    ['orderSize', 500],
    ['bidSizes', ['1', '2']],
  ])('%s of %p is refused', (name, value) => {
    expect(fixedSpreadParams.safeParse({ orderSize: '500', [name]: value }).success).toBe(false);
  });
});
