// Which of several reasons for not quoting takes the orders from the book, and which one is told of each cancel.
import { describe, expect, test } from '@jest/globals';
import { START_GRACE_MS } from '../../../../src/trader/decision/readiness.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

/** The clock is known too badly: orders may stay while nothing new is placed. */
function doubtfulClock(): Desk {
  const desk = quotingDesk();
  desk.run(START_GRACE_MS);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001, confirmed: true });
  return desk;
}

const whyCanceled = (desk: Desk): string[] => [
  ...new Set(desk.events.flatMap(({ type, payload }) => (type === 'cancel-sent' ? [payload.why] : []))),
];

describe('while a reason stands for which orders may stay', () => {
  test('they stay', () => {
    const desk = doubtfulClock();
    desk.run(60_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('they go when the book grows too old, and are told to go for that', () => {
    const desk = doubtfulClock();
    desk.reply = ({ kind }) =>
      kind === 'order-book' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(7_000);
    expect(desk.shows.orders).toEqual([]);
    expect(whyCanceled(desk)).toEqual([expect.stringMatching(/^The order book is \d\.\d s old\.$/)]);
  });

  test('they go when the book loses a side, and are told to go for that', () => {
    const desk = doubtfulClock();
    desk.shows.books[BTC] = null;
    desk.run(2_000);
    expect(desk.shows.orders).toEqual([]);
    expect(whyCanceled(desk)).toEqual(['The order book has an empty side or is crossed: there is no reference price.']);
  });

  test('orders of before a start stay through its first seconds, though the book has no two sides yet', () => {
    const desk = quotingDesk();
    desk.restart();
    desk.shows.books[BTC] = null;
    desk.reply = ({ kind }) =>
      kind === 'wallet' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(START_GRACE_MS - 1_000);
    expect(desk.shows.orders).toHaveLength(2);
    desk.run(3_000);
    expect(desk.shows.orders).toEqual([]);
  });
});
