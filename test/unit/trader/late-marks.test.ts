// Rows that came late stand where they belong, and what is not answered is asked for again.
import { describe, expect, test } from '@jest/globals';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC } from './desk-settings.ts';
import { fillNow, inSlot, quotingDesk } from './trader-kit.ts';

describe('booked trades are remembered by their ids', () => {
  test('one that is read late stands before those that are newer', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const third = bid.quantity.div(3).toDecimalPlaces(4);
    const part = { quantity: third, quoteQuantity: third.mul(bid.price) };
    fillNow(desk, bid, part);
    fillNow(desk, bid, part);
    fillNow(desk, bid, part);
    const [first, late, last] = desk.shows.fills.slice(-3);
    if (first === undefined || late === undefined || last === undefined) throw new Error('Three parts have filled.');
    desk.shows.fills = desk.shows.fills.filter((fill) => fill !== late);
    desk.look('trades');
    desk.shows.fills.push(late);
    desk.run(65_000);
    const ids = marketIn(desk.state().durable, BTC).bookedLately.map(({ tradeId }) => tradeId);
    expect(ids.slice(-3)).toEqual([first.tradeId, late.tradeId, last.tradeId]);
  });
});

test('a book that is not answered is asked for again beside it; of two answers the newer counts', () => {
  const desk = quotingDesk();
  const books = () => desk.sent.filter(({ chosen }) => chosen.request.kind === 'order-book').length;
  desk.reply = ({ kind }) => (kind === 'order-book' ? null : undefined);
  desk.run(2_000);
  const before = books();
  desk.run(12_000);
  expect(books()).toBeGreaterThan(before);
  expect(desk.held.filter(({ request }) => request.kind === 'order-book').length).toBeGreaterThan(1);
});
