// Matching of sales with purchases: by FIFO and by average cost, to the last digit.
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Holding, type Lot, METHODS } from '../../../../src/bot/books/lots.ts';
import { divideHalfEven } from '../../../../src/bot/books/rounding.ts';
import { type Amount, amountText, asValue, type Value, valueText } from '../../../../src/ledger/amount.ts';
import { amt } from '../../ledger/fills.ts';

/** `1 for 100`, `-0.5 for 60 USDT`, `2` without a price. */
function lot(text: string): Lot {
  const [quantity = '', value = null, quote = 'INR'] = text.split(/ for | /);
  const price = value === null ? null : { quote, value: asValue(amt(value)) };
  return { at: 0, seq: 0, quantity: amt(quantity), price, symbol: null, origin: null };
}

const priceText = ({ price }: Lot): string => (price === null ? '?' : `${valueText(price.value)} ${price.quote}`);

/** `0.5: 50 INR → 60 INR`: cost and proceeds of each match. */
function meets(holding: Holding, ...texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => holding.take(lot(text)).matches)
    .map(({ came, left }) => `${amountText(left.quantity)}: ${priceText(came)} → ${priceText(left)}`);
}

const heldBy = (holding: Holding): readonly string[] =>
  holding.lots().map((each) => `${amountText(each.quantity)}: ${priceText(each)}`);

describe('FIFO', () => {
  test('a part’s cost is rounded half to even at the last digit, and the rest gets the remainder', () => {
    const holding = METHODS.fifo();
    holding.take(lot('3 for 100'));
    const [third] = holding.take(lot('-1 for 50')).matches;
    expect(third && priceText(third.came)).toBe('33.333333333333333333333333333333333333 INR');
    expect(heldBy(holding)).toEqual(['2: 66.666666666666666666666666666666666667 INR']);
  });

  test('coins sold before their purchase are owed, and matched with the next purchase', () => {
    const holding = METHODS.fifo();
    expect(meets(holding, '-1 for 130')).toEqual([]);
    expect(heldBy(holding)).toEqual(['-1: 130 INR']);
    expect(meets(holding, '0.25 for 20', '1 for 100')).toEqual(['0.25: 20 INR → 32.5 INR', '0.75: 75 INR → 97.5 INR']);
    expect(heldBy(holding)).toEqual(['0.25: 25 INR']);
  });

  test('an unknown price, or one in other money, stays as it is', () => {
    const holding = METHODS.fifo();
    expect(meets(holding, '1', '1 for 2 USDT', '-1.5 for 150', '-0.25')).toEqual([
      '1: ? → 100 INR',
      '0.5: 1 USDT → 50 INR',
      '0.25: 0.5 USDT → ?',
    ]);
    expect(heldBy(holding)).toEqual(['0.25: 0.5 USDT']);
  });
});

describe('LIFO and HIFO', () => {
  const BOUGHT = ['1 for 100', '1 for 300', '1', '1 for 200'];

  test.each([
    ['lifo', ['1: 200 INR → 150 INR', '1: ? → 150 INR']],
    ['hifo', ['1: 300 INR → 150 INR', '1: 200 INR → 150 INR']],
  ] as const)('%s', (method, expected) => {
    expect(meets(METHODS[method](), ...BOUGHT, '-2 for 300')).toEqual(expected);
  });

  test('HIFO goes by unit cost, keeps the rest of a lot in its place, and compares no other money', () => {
    const holding = METHODS.hifo();
    expect(meets(holding, '10 for 500', '1 for 60', '1 for 1 USDT', '2 for 110', '-2 for 200')).toEqual([
      ...['1: 60 INR → 100 INR', '1: 55 INR → 100 INR'],
    ]);
    expect(heldBy(holding)).toEqual(['1: 55 INR', '10: 500 INR', '1: 1 USDT']);
  });
});

describe('average cost', () => {
  test('takes the same share of coins without a known cost', () => {
    const holding = METHODS.average();
    expect(meets(holding, '3', '1 for 100', '-2 for 240')).toEqual(['1.5: ? → 180 INR', '0.5: 50 INR → 60 INR']);
    expect(heldBy(holding)).toEqual(['1.5: ?', '0.5: 50 INR']);
  });

  test('coins sold before their purchase are owed here as well', () => {
    const holding = METHODS.average();
    expect(meets(holding, '-1 for 130', '-1 for 150', '1 for 100')).toEqual(['1: 100 INR → 140 INR']);
    expect(heldBy(holding)).toEqual(['-1: 140 INR']);
  });
});

const anyLot = fc.record({
  quantity: fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
  value: fc.option(fc.bigInt({ min: 0n, max: 10n ** 42n })),
  quote: fc.constantFrom('INR', 'USDT'),
});
const knownLot = anyLot.map(({ quantity, value }) => ({ quantity, value: value ?? 7n, quote: 'INR' }));

const lotOf = ({ quantity, value, quote }: { quantity: bigint; value: bigint | null; quote: string }): Lot => ({
  at: 0,
  seq: 0,
  quantity: quantity as Amount,
  price: value === null ? null : { quote, value: value as Value },
  symbol: null,
  origin: null,
});

/** Value of one side of all matches and holdings, by asset. */
function worth(lots: readonly Lot[], sign: 1n | -1n): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { quantity, price } of lots)
    if (price !== null && quantity * sign > 0n) sums.set(price.quote, (sums.get(price.quote) ?? 0n) + price.value);
  return sums;
}

describe.each([
  ['fifo', METHODS.fifo],
  ['lifo', METHODS.lifo],
  ['hifo', METHODS.hifo],
  ['average', METHODS.average],
])('%s, whatever lots come and leave', (_name, method) => {
  test('loses no unit and no digit of cost or proceeds', () => {
    fc.assert(
      fc.property(fc.array(anyLot, { maxLength: 30 }), (given) => {
        const holding = method();
        const lots = given.map(lotOf);
        const matches = lots.flatMap((each) => holding.take(each).matches);
        const held = holding.lots();
        const sum = (all: readonly Lot[]): bigint => all.reduce((total, { quantity }) => total + quantity, 0n);
        expect(sum(held)).toBe(sum(lots));
        for (const { came, left } of matches)
          expect([came.quantity > 0n, came.quantity]).toEqual([true, left.quantity]);
        // All holdings are on one side.
        expect(new Set(held.map(({ quantity }) => quantity > 0n)).size).toBeLessThanOrEqual(1);
        const came = [...matches.map((match) => match.came), ...held];
        const left = [
          ...matches.map((match) => ({ ...match.left, quantity: -match.left.quantity as Amount })),
          ...held,
        ];
        expect(positive(worth(came, 1n))).toEqual(positive(worth(lots, 1n)));
        expect(positive(worth(left, -1n))).toEqual(positive(worth(lots, -1n)));
      }),
    );
  });
});

const positive = (sums: Map<string, bigint>): Map<string, bigint> =>
  new Map([...sums].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));

test('all methods earn the same once everything is sold', () => {
  fc.assert(
    fc.property(fc.array(knownLot, { maxLength: 30 }), fc.bigInt({ min: 0n, max: 10n ** 42n }), (given, last) => {
      const quantity = -given.reduce((sum, each) => sum + each.quantity, 0n);
      const lots = [...given, { quantity, value: last, quote: 'INR' }].map(lotOf);
      const profit = (holding: Holding): bigint =>
        lots
          .flatMap((each) => holding.take(each).matches)
          .reduce((sum, { came, left }) => sum + (left.price?.value ?? 0n) - (came.price?.value ?? 0n), 0n);
      const holdings = Object.values(METHODS).map((method) => method());
      expect(new Set(holdings.map(profit)).size).toBe(1);
      expect(holdings.flatMap((holding) => holding.lots())).toEqual([]);
    }),
  );
});

test('division rounds half to even, below zero as above it', () => {
  const of = (numerator: bigint): bigint => divideHalfEven(numerator, 10n);
  expect([14n, 15n, 16n, 25n, -14n, -15n, -16n, -25n, -5n].map(of)).toEqual([1n, 2n, 2n, 2n, -1n, -2n, -2n, -2n, 0n]);
});
