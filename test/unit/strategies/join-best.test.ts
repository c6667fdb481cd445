import { expect, test } from '@jest/globals';
import { strategy } from '../../../strategies/join-best.ts';
import { book, quoteText, view } from '../quoting/market.ts';

const params = strategy.params.parse({ orderSizeBase: '0.5' });

test('it joins the best bid and the best ask', () => {
  expect(strategy.quote(view(), params, undefined).quotes.map(quoteText)).toEqual([
    'buy:0 0.5 @ 99.9',
    'sell:0 0.5 @ 100.1',
  ]);
});

test('without a side to join it wants nothing', () => {
  expect(strategy.quote(view({ book: book([], ['100 x 1']) }), params, undefined).quotes).toEqual([]);
});
