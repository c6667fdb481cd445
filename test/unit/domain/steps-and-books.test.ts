// Rounding and stripping are written for speed: they must be what their plain definitions say.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, decimal, parseDecimal, plain } from '../../../src/domain/decimal.ts';
import { ceilToTick, floorToLot } from '../../../src/domain/instrument.ts';
import { type Level, withoutOwn } from '../../../src/domain/order-book.ts';

const instrumentOf = (lotSize: string) => ({
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('1'),
  lotSize: decimal(lotSize),
  minNotional: decimal('1'),
});

const values = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, places]) => decimal(digits.toString()).mul(decimal(10).pow(-places)));

test('rounding to steps is the quotient rounded down or up, times the step', () => {
  const steps = fc.constantFrom('0.00000001', '0.05', '0.3', '1', '7', '250');
  const run = fc.property(values, steps, (value, step) => {
    const instrument = instrumentOf(step);
    const quotient = value.div(step);
    expect(plain(floorToLot(value, instrument))).toBe(plain(quotient.floor().mul(step)));
    expect(plain(ceilToTick(value, { ...instrument, tickSize: instrument.lotSize }))).toBe(
      plain(quotient.ceil().mul(step)),
    );
  });
  fc.assert(run, { numRuns: 2_000 });
});

const own = fc.array(
  fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 90, max: 110 }).map((price) => decimal(price)),
    quantity: fc.integer({ min: 1, max: 4 }).map((quantity) => decimal(quantity)),
    isCertain: fc.boolean(),
  }),
  { maxLength: 6 },
);
const side = (prices: fc.Arbitrary<number>, direction: 1 | -1): fc.Arbitrary<Level[]> =>
  fc
    .uniqueArray(prices, { maxLength: 8 })
    .map((found) => found.sort((a, b) => (a - b) * direction))
    .map((sorted) => sorted.map((price) => ({ price: decimal(price), quantity: decimal(3) })));

test(
  'a book without our orders lacks at each price those of them that are certain, ' +
    'and of the others those that it has enough for',
  () => {
    const books = fc.record({
      bids: side(fc.integer({ min: 88, max: 100 }), -1),
      asks: side(fc.integer({ min: 101, max: 112 }), 1),
    });
    const run = fc.property(books, own, (book, orders) => {
      const plainly = (levels: readonly Level[], name: 'buy' | 'sell') =>
        levels.flatMap(({ price, quantity }) => {
          const ours = orders.filter((order) => order.side === name && order.price.eq(price));
          const certain = ours.filter(({ isCertain }) => isCertain);
          const rest = certain.reduce((sum, order) => sum.sub(order.quantity), quantity);
          const left = ours
            .filter(({ isCertain }) => !isCertain)
            .reduce((sum, order) => (order.quantity.gt(sum) ? sum : sum.sub(order.quantity)), rest);
          return left.gt(0) ? [`${plain(left)} @ ${plain(price)}`] : [];
        });
      const left = withoutOwn(book, orders);
      const shown = (levels: readonly Level[]) =>
        levels.map(({ price, quantity }) => `${plain(quantity)} @ ${plain(price)}`);
      expect(shown(left.bids)).toEqual(plainly(book.bids, 'buy'));
      expect(shown(left.asks)).toEqual(plainly(book.asks, 'sell'));
    });
    fc.assert(run, { numRuns: 1_000 });
  },
);

test('a text is read the same however often and after however many others', () => {
  const texts = ['1.50', '1.5', '-0', '007', '1e-7', '.5', '1,5', ''];
  const before = texts.map((text) => parseDecimal(text)?.toString());
  for (let n = 0; n < 10_000; n += 1) expect(parseDecimal(`${n}.25`)?.eq(new Decimal(n).add('0.25'))).toBe(true);
  expect(texts.map((text) => parseDecimal(text)?.toString())).toEqual(before);
  expect(before).toEqual(['1.5', '1.5', '0', '7', '0.0000001', '0.5', undefined, undefined]);
});
