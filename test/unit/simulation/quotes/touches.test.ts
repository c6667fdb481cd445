// What the best level of the others may be, with own orders in the book that only the bot knows of.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { JournalIntent } from '../../../../simulation/checks/journal-model.ts';
import { touchesOf } from '../../../../simulation/quotes/touches.ts';
import { decimal } from '../../../../src/domain/decimal.ts';

const NOW = 10_000_000;
const fills = new Map([
  ['1', { intentId: 'a', quantity: '0.4' }],
  ['2', { intentId: 'other', quantity: '9' }],
]);
const context = {
  ...{ now: () => NOW, journal: { fills } },
  settings: { assumptions: { readLagBoundMs: 1_000 } },
} as unknown as CheckContext;

const order = (intentId: string, more: object): JournalIntent =>
  ({ intentId, side: 'buy', state: 'open', since: NOW, ...more }) as unknown as JournalIntent;

const rows = (...texts: readonly string[]) =>
  texts.map((text) => {
    const [price = '', quantity = ''] = text.split(' x ');
    return { price: decimal(price), quantity: decimal(quantity) };
  });

function bids(withSizes: boolean, own: readonly JournalIntent[]): string[] {
  const book = { sentAt: NOW, bids: rows('99 x 1', '98 x 2', '97 x 3'), asks: rows('101 x 1') };
  const touches = touchesOf(new Map([['BTC/INR', own]]), context, { symbol: 'BTC/INR', book, withSizes });
  return touches.map(({ buy }) => `${buy.price.toFixed()} x ${buy.quantity.toFixed()}`);
}

test('without own orders it is the first', () => {
  expect(bids(true, [])).toEqual(['99 x 1']);
  expect(bids(true, [order('b', { side: 'sell', price: '99', quantity: '1' })])).toEqual(['99 x 1']);
});

test('an own order may be all of the first level, and then it is the next', () => {
  expect(bids(false, [order('b', { price: '99', quantity: '1' })])).toEqual(['99 x 1', '98 x 2']);
});

test('where sizes matter, what is left beside each part that may be ours', () => {
  // 1 in all, and 0.6 of it since it filled: all of the level is ours, 0.6 of it, or nothing.
  expect(bids(true, [order('a', { price: '99', quantity: '1' })])).toEqual(['99 x 1', '99 x 0.4', '98 x 2']);
  const two = [order('b', { price: '99', quantity: '0.3' }), order('c', { price: '99', quantity: '0.5' })];
  expect(bids(true, two)).toEqual(['99 x 1', '99 x 0.5', '99 x 0.7', '99 x 0.2', '98 x 2']);
});

test('of many orders the newest are tried first, and none that come to more than the level has', () => {
  const old = Array.from({ length: 12 }, (_, index) => order('b', { price: '99', quantity: `0.${500 + 2 ** index}` }));
  const found = bids(true, [...old, order('c', { price: '99', quantity: '0.0123' })]);
  expect(found).toContain('99 x 0.9877');
  expect(found.slice(0, -1).every((row) => !row.includes('-'))).toBe(true);
});

test('an order of more than the level has may be what is left of it', () => {
  expect(bids(true, [order('b', { price: '99', quantity: '1.5' })])).toEqual(['99 x 1', '98 x 2']);
});

test('an order that closed long ago is in no book', () => {
  const closed = { price: '99', quantity: '1', state: 'closed' };
  expect(bids(false, [order('b', { ...closed, since: NOW - 60_000 })])).toEqual(['99 x 1', '98 x 2']);
  expect(bids(false, [order('b', { ...closed, since: NOW - 600_000 })])).toEqual(['99 x 1']);
});
