// The book without ours, where others are at the same price: theirs must stay in it, whether ours is there, or not yet,
// or no more.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { decisionInputsOf } from '../../../src/trader/decision/view.ts';
import { bookOfOthers } from '../../../src/trader/knowledge/knowledge-of.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { showBook } from './book-kit.ts';
import { BTC, LAG_MS } from './desk-settings.ts';
import {
  type Desk,
  deskWith,
  fillNow,
  inSlot,
  nextCreate,
  quotingDesk,
  readyDesk,
  softRejected,
  textOf,
} from './trader-kit.ts';

/** Others bid a little at 98000, and the next bid is far below: the middle is 100000. */
const showThinBid = (desk: Desk): string[] =>
  showBook(
    desk,
    [
      [98_000, '0.005'],
      [91_000, '1'],
    ],
    [[102_000, '1']],
  );

/** It knows the clock and nothing else yet. */
function beginningDesk(): Desk {
  const desk = deskWith();
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  return desk;
}

const priceOf = (text: string): number => Number(text.split(' @ ')[1]);

describe('a level of others at the price of an own order that is gone', () => {
  test('is met by no bid, also in the moment in which that order is closed (check 13)', () => {
    const desk = quotingDesk();
    desk.run(1_000);
    expect(desk.intents().map(textOf)).toEqual(['buy 0.01 @ 98000', 'sell 0.01 @ 102000']);
    // A pause takes both orders away. Others offer half as much at 102000, and nothing up to 110000.
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.run(1_000);
    expect(desk.shows.orders).toEqual([]);
    desk.tell({ kind: 'resume' });
    // Every book from here on is read after both orders have left it.
    const created = showBook(
      desk,
      [[99_000, '1']],
      [
        [102_000, '0.005'],
        [110_000, '1'],
      ],
    );
    desk.run(3 * LAG_MS, 20);
    const bids = created.filter((text) => text.startsWith('buy'));
    expect(bids.length).toBeGreaterThan(0);
    expect(bids.filter((text) => priceOf(text) >= 102_000)).toEqual([]);
  });

  test('is in the reference price while that order only waits for its proof', () => {
    const desk = quotingDesk();
    desk.run(1_000);
    const ask = inSlot(desk, 'sell:0');
    // The ask is gone from lists and book. Others still offer half as much at its price; the market is 99000 to 102000.
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== ask.orderId);
    const created = showBook(
      desk,
      [[99_000, '1']],
      [
        [102_000, '0.005'],
        [110_000, '1'],
      ],
    );
    desk.run(1_200);
    expect(inSlot(desk, 'sell:0').state).toBe('closing');
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(2_000);
    // Two percent under the middle of 100500 is 98490. A bid above 100500 pays more than the market is worth.
    const bids = created.filter((text) => text.startsWith('buy'));
    expect(bids.length).toBeGreaterThan(0);
    expect(bids.filter((text) => priceOf(text) > 98_490)).toEqual([]);
  });
});

test('a level at the price of an own order that is not there yet is in the reference of the order opposite', () => {
  const desk = beginningDesk();
  const created = showThinBid(desk);
  desk.run(2_500);
  // 2 % from 100000 on either side, and never the ask at the price of our own bid and a tick.
  expect(created).toEqual(['buy 0.01 @ 98000', 'sell 0.01 @ 102000']);
});

test('a level at the price of a create that was refused with 200 is in the reference while that is watched', () => {
  const desk = beginningDesk();
  const created = showThinBid(desk);
  const usual = desk.reply;
  desk.reply = (request) => {
    const answer = usual(request);
    return request.kind === 'create' && request.order.side === 'buy' ? softRejected : answer;
  };
  desk.run(12_000);
  // The market is 98000 to 102000 all the time: an ask of 2 % over its middle of 100000 is at 102000.
  const asks = created.filter((text) => text.startsWith('sell'));
  expect(asks.length).toBeGreaterThan(0);
  expect(asks.filter((text) => priceOf(text) < 102_000)).toEqual([]);
});

describe('an own order that left', () => {
  /** The best bid that is taken for one of others', where the book was read around the moment the bid of ours left. */
  function bestBid({ receivedAfterMs }: { readonly receivedAfterMs: number }): number | undefined {
    const desk = quotingDesk();
    desk.run(1_000);
    showBook(desk, [[97_000, '1']], [[103_000, '1']]);
    desk.look('book');
    const state = desk.state();
    const { sentAt } = inSlot(desk, 'buy:0');
    const market = marketOf(state, BTC);
    const book = { ...market.book, sentAt: sentAt - 40, receivedAt: sentAt + receivedAfterMs };
    return bookOfOthers(state, { ...market, book })?.bids[0]?.price.toNumber();
  }

  test('while the book was in flight may be in it, and counts as ours', () => {
    expect(bestBid({ receivedAfterMs: 40 })).toBe(97_000);
  });

  test("after the book had come is not in it: the level at its price is others'", () => {
    expect(bestBid({ receivedAfterMs: -1 })).toBe(98_000);
  });

  test('while the book was on its way takes no smaller level of others out of it, named or not', () => {
    const desk = readyDesk();
    showBook(
      desk,
      [
        [98_000, '0.005'],
        [91_000, '1'],
      ],
      [[102_000, '1']],
    );
    for (let tries = 0; tries < 20 && desk.open('public')?.request.kind !== 'order-book'; tries += 1) desk.pass(100);
    const book = desk.sent.at(-1)?.chosen;
    if (book === undefined) throw new Error('No book was asked for.');
    // What the exchange had when it was asked.
    const asked = desk.reply(book.request);
    if (asked?.kind !== 'read') throw new Error('The book was not read.');
    const create = nextCreate(desk);
    desk.answer(create);
    expect(desk.slots()).toEqual(['buy:0 open']);
    desk.pass(20);
    desk.answer(book, { kind: 'read', read: { ...asked.read, receivedAt: desk.now() } } as typeof asked);
    expect(bookOfOthers(desk.state(), marketOf(desk.state(), BTC))?.bids[0]?.price.toNumber()).toBe(98_000);
  });
});

describe('the part of an own order that filled since the book was read', () => {
  const reference = (desk: Desk): string =>
    decisionInputsOf(desk.state(), marketOf(desk.state(), BTC)).referencePrice?.toFixed() ?? 'none';
  /** Our bid is at 98000, the next bid of others at 97000, their ask at 103000. */
  function deskOnThinBook(): Desk {
    const desk = quotingDesk();
    desk.run(1_000);
    showBook(desk, [[97_000, '1']], [[103_000, '1']]);
    desk.look('book');
    expect(reference(desk)).toBe('100000');
    return desk;
  }

  test.each([
    ['in part', '0.004'],
    ['wholly', '0.01'],
  ])('%s is no level of others in it', (_, quantity) => {
    const desk = deskOnThinBook();
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal(quantity) });
    desk.look('trades');
    expect(reference(desk)).toBe('100000');
    desk.look('orders');
    expect(reference(desk)).toBe('100000');
  });

  test('does not take a level of others out of a book that was read after it', () => {
    const desk = deskOnThinBook();
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004') });
    showBook(
      desk,
      [
        [98_000, '1'],
        [97_000, '1'],
      ],
      [[103_000, '1']],
    );
    desk.pass(1_000);
    desk.look('trades', 'orders', 'book');
    expect(reference(desk)).toBe('100500');
  });
});
