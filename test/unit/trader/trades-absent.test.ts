// Short and empty pages of own trades: what they prove, and what they don't (order-truth §4).
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, LAG_MS } from './desk-settings.ts';
import { haltOf } from './lost-bid.ts';
import { type Desk, deskWith, fillOf, moveWallet, ops, quotingDesk, START, tradesPage } from './trader-kit.ts';

const OWNERS = orderId('1-5-1');

/** The owner buys by hand, so often, 0.001 each. */
function buy(desk: Desk, count: number, at = desk.now()): Fill[] {
  const order = { symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') } as const;
  const fills = Array.from({ length: count }, () => fillOf(order, OWNERS, { at }));
  for (const fill of fills) moveWallet(desk.shows, fill);
  desk.shows.fills.push(...fills);
  return fills;
}

const readTo = (desk: Desk): number | null => desk.state().markets.get(BTC)?.trades?.sentAt ?? null;
const booked = (desk: Desk): number => desk.events.filter(({ type }) => type === 'fill').length;
const pages = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'spot-trades').length;

describe('a page of exactly 20 rows, with 50 requested', () => {
  test('may be cut: it is booked, and the list is not read to its end before the next page', () => {
    const desk = quotingDesk();
    buy(desk, 1);
    desk.run(2_000);
    buy(desk, 30);
    const before = readTo(desk);
    const first = pages(desk);
    desk.reply = (request) => {
      if (request.kind !== 'spot-trades') return undefined;
      if (pages(desk) > first + 1) return null;
      const rows = tradesPage(desk.shows.fills, { ...request, limit: 20 });
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(2_000);
    expect(booked(desk)).toBe(20);
    expect(readTo(desk)).toBe(before);
    for (const page of desk.held.splice(0)) desk.answer(page);
    expect(booked(desk)).toBe(31);
    expect(readTo(desk)).toBeGreaterThan(before ?? 0);
  });

  test.each([20, 21])('the last of %d trades is found, and no page is requested over and over', (count) => {
    const desk = quotingDesk();
    buy(desk, count);
    desk.run(2_000);
    expect(booked(desk)).toBe(count);
    const before = pages(desk);
    desk.run(10_000);
    expect(pages(desk) - before).toBeLessThan(12);
  });
});

describe('the last trade known is older than the shortest window', () => {
  /** A desk whose last trade is 25 h old, and was on the list a moment ago. */
  function agedDesk(): Desk {
    const desk = quotingDesk();
    buy(desk, 1);
    for (let hours = 0; hours < 25; hours += 1) {
      desk.pass(HOUR);
      desk.look('book', 'orders', 'trades', 'wallet');
    }
    expect(readTo(desk)).toBe(desk.now());
    return desk;
  }

  test('an empty page proves nothing, and the missing trade is booked when it shows', () => {
    const desk = agedDesk();
    const before = readTo(desk);
    const { fills } = desk.shows;
    desk.shows.fills = [];
    desk.run(LAG_MS - 1_000);
    expect(ops(desk)).toContain('read-failed');
    expect(readTo(desk)).toBe(before);
    desk.shows.fills = fills;
    buy(desk, 1);
    desk.run(LAG_MS + 31_000);
    expect(booked(desk)).toBe(2);
    expect(readTo(desk)).toBeGreaterThan(before ?? 0);
    expect(ops(desk)).not.toContain('history-read');
  });

  test('missed for longer than a list may trail it has left the list, and the next trade is booked without it', () => {
    const desk = agedDesk();
    const before = readTo(desk);
    desk.shows.fills = [];
    desk.run(2 * LAG_MS + 31_000);
    expect(readTo(desk)).toBeGreaterThan(before ?? 0);
    expect(ops(desk)).not.toContain('trade-missing');
    const left = readTo(desk);
    desk.run(5_000);
    expect(readTo(desk)).toBeGreaterThan(left ?? 0);
    buy(desk, 1);
    desk.run(5_000);
    expect(booked(desk)).toBe(2);
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).not.toContain('history-read');
  });
});

describe('before the opening', () => {
  const known = (desk: Desk, age: number): Fill[] => buy(desk, 1, START - age);

  test.each([
    ['young', HOUR],
    ['old', 2 * DAY],
  ])('an empty page after one with a trade, %s, opens nothing', (_age, age) => {
    const desk = deskWith();
    const fills = known(desk, age);
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.look('book', 'orders', 'trades');
    expect(marketOf(desk.state(), BTC).openingCursor?.tradeId).toBe(fills[0]?.tradeId);
    desk.shows.fills = [];
    desk.run(LAG_MS - 1_000);
    expect(desk.state().durable.books.opened).toBe(false);
    desk.shows.fills = fills;
    desk.run(31_000);
    expect(desk.state().durable.books.opened).toBe(true);
  });

  test('an old trade that left the list meanwhile keeps nothing from opening', () => {
    const desk = deskWith();
    known(desk, 2 * DAY);
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.look('book', 'orders', 'trades');
    desk.shows.fills = [];
    desk.run(2 * LAG_MS + 31_000);
    expect(desk.state().durable.books.opened).toBe(true);
    buy(desk, 1);
    desk.run(5_000);
    expect(booked(desk)).toBe(1);
  });
});
