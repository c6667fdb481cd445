// What books say of own orders: one that they no longer show has gone, most likely filled.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { OrderBook } from '../../../../src/domain/order-book.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { startBook } from '../../../../src/trader/state/surfaces.ts';
import { hasVanished, lookInBook, NOTHING_SEEN, type SeenInBook } from '../../../../src/trader/state/time-account.ts';
import { inSlot, quotingDesk } from '../trader-kit.ts';

const bid: Intent = inSlot(quotingDesk(), 'buy:0');
const level = (price: string) => ({ price: decimal(price), quantity: decimal('1') });
const book = (...bids: string[]): OrderBook => ({ bids: bids.map(level), asks: [] });
const [ours, deeper] = [bid.price.toFixed(), bid.price.sub(100).toFixed()];

function afterBooks(...books: OrderBook[]): SeenInBook {
  return books.reduce(
    (seen, each, index) => lookInBook(seen, { ...startBook(), book: each, sentAt: index }, [bid]),
    NOTHING_SEEN,
  );
}

test.each([
  ['no book has shown it yet', [book('99000', deeper)], false],
  ['the book shows it', [book(ours, deeper)], false],
  ['a book showed it, and the next does not', [book(ours), book('99000', deeper)], true],
  ['the next does not reach so far', [book(ours), book('99000')], false],
  ['it is back', [book(ours), book('99000', deeper), book('99000', ours)], false],
])('%s', (_what, books, vanished) => {
  expect(hasVanished(afterBooks(...books), bid)).toBe(vanished);
});
