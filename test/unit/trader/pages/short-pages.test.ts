// An exchange whose pages are shorter than `limit` says: a page that is as long as any before it is no end of a list.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Fill } from '../../../../src/domain/fill.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, fillOf, moveWallet, ops, quotingDesk, tradesPage } from '../trader-kit.ts';

const CAP = 27;

/** Pages of at most so many rows, of the oldest part of what was asked for. */
function shortPages(desk: Desk): { asked: number } {
  const count = { asked: 0 };
  desk.reply = (request) => {
    if (request.kind !== 'spot-trades') return undefined;
    count.asked += 1;
    const rows = tradesPage(desk.shows.fills, request).slice(0, CAP);
    return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
  return count;
}

function happen(desk: Desk, count: number): void {
  const order = { symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') } as const;
  for (let index = 0; index < count; index += 1) {
    const fill: Fill = fillOf(order, orderId('1-5-1'), { at: desk.now() - count + 1 + index });
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
  }
}

const booked = (desk: Desk): number => desk.events.filter(({ type }) => type === 'fill').length;

describe('pages of 27 rows, where 50 are asked for', () => {
  test('do not end the list: the next one is asked for', () => {
    const desk = quotingDesk();
    shortPages(desk);
    happen(desk, 120);
    const surface = () => desk.state().markets.get(BTC)?.trades;
    const readBefore = surface()?.sentAt;
    for (let step = 0; booked(desk) === 0 && step < 100; step += 1) desk.run(50);
    expect(booked(desk)).toBeLessThanOrEqual(CAP);
    expect(surface()).toMatchObject({ morePages: true, sentAt: readBefore });
    desk.run(4_000);
    expect(booked(desk)).toBe(120);
    expect(surface()?.morePages).toBe(false);
    expect(ops(desk)).not.toContain('read-failed');
  });

  test('a page that is shorter than one before ends it', () => {
    const desk = quotingDesk();
    const count = shortPages(desk);
    happen(desk, 30);
    desk.run(4_000);
    happen(desk, 22);
    const before = count.asked;
    desk.run(1_500);
    expect(booked(desk)).toBe(52);
    expect(count.asked - before).toBeLessThanOrEqual(2);
  });
});
