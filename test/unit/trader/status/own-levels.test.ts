import { expect, test } from '@jest/globals';
import { decimal, plain } from '../../../../src/domain/decimal.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC } from '../desk-settings.ts';
import { fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

test('of each level of the book it is shown what is our own, less what has filled of it', () => {
  const desk = quotingDesk();
  const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
  const levels = () => {
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    return { bids: view?.bids, asks: view?.asks };
  };
  expect(levels()).toEqual({
    bids: [{ price: '99000', quantity: '1', own: '0' }],
    asks: [{ price: '101000', quantity: '1', own: '0' }],
  });
  desk.shows.books[BTC] = [bid.price.toNumber(), ask.price.toNumber()];
  fillNow(desk, ask, { quantity: decimal('0.001') });
  desk.look('trades', 'book');
  expect(levels()).toEqual({
    bids: [{ price: plain(bid.price), quantity: '1', own: plain(bid.quantity) }],
    asks: [{ price: plain(ask.price), quantity: '1', own: plain(ask.quantity.sub('0.001')) }],
  });
});
