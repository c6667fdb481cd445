// Pages that are cut, or shorter than was asked for.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import type { ReadOutcome } from '../../../../src/venue/outcomes.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, ops, quotingDesk, readNow, reasons, tradeNow, tradesPage, walletRow } from '../trader-kit.ts';

type Kind = 'order-book' | 'wallet';

/** For so long every read of the kind is not whole, for the reason given or for none. */
function cut(desk: Desk, kind: Kind, { forMs = 1_500, because = '' } = {}): void {
  desk.reply = (request) => {
    if (request.kind !== kind) return undefined;
    const whole = desk.answerTo(request, desk.now()) as Extract<ReadOutcome<unknown>, { kind: 'read' }>;
    return {
      kind: 'read',
      read: { ...whole.read, complete: false, ...(because !== '' && { incompleteBecause: because }) },
    } as typeof whole & ReadOutcome<never>;
  };
  desk.run(forMs);
  desk.reply = () => undefined;
}

const said = (desk: Desk, op: string) => desk.notices.filter((notice) => notice.op === op);

describe.each([
  ['order-book', 'read-failed', 'A level of the book could not be read.'],
  ['wallet', 'read-failed', 'The wallet could not be read completely.'],
] as const)('of %s', (kind, op, words) => {
  test('it is reported, with its reason if there is one', () => {
    const desk = quotingDesk();
    cut(desk, kind, { forMs: 2_500 });
    expect(said(desk, op).length).toBeGreaterThan(0);
    expect(new Set(said(desk, op).map(({ level, message }) => `${level} ${message}`))).toEqual(
      new Set([`warn ${words}`]),
    );
    const other = quotingDesk();
    cut(other, kind, { forMs: 2_500, because: 'Row 3: it has no price.' });
    expect(said(other, op).at(0)?.message).toBe('Row 3: it has no price.');
  });

  test('it updates nothing, and is requested again', () => {
    const desk = quotingDesk();
    const surface = kind === 'wallet' ? desk.state().wallet : marketOf(desk.state(), BTC).book;
    const before = surface.sentAt;
    cut(desk, kind, { forMs: 3_000 });
    expect([surface.sentAt, surface.failures > 0]).toEqual([before, true]);
    desk.run(6_000);
    expect(surface.sentAt).toBeGreaterThan(before ?? 0);
    expect(surface.failures).toBe(0);
  });
});

test('a book that stays cut is too old to quote by after its time', () => {
  const desk = quotingDesk();
  cut(desk, 'order-book', { forMs: 8_000 });
  expect(reasons(desk)[0]).toMatch(/book/);
  expect(desk.shows.orders).toEqual([]);
});

test('a wallet with an inexact amount is useless, and the asset is named', () => {
  const desk = quotingDesk();
  const before = desk.state().wallet.sentAt;
  const odd = decimal('1e-19');
  desk.reply = (request) => {
    if (request.kind !== 'wallet') return undefined;
    return readNow(desk, [
      walletRow('INR', decimal(1_000_000), desk.shows.orders),
      walletRow('BTC', new Decimal(1).add(odd), desk.shows.orders),
      walletRow('DOGE', odd, []),
    ]);
  };
  desk.run(2_500);
  const [first] = said(desk, 'read-failed');
  expect(first).toMatchObject({ level: 'warn', message: expect.stringMatching(/^The wallet's BTC: /) });
  expect(said(desk, 'read-failed').some(({ message }) => message.includes('DOGE'))).toBe(false);
  expect(desk.state().wallet.sentAt).toBe(before);
});

// An exchange whose pages are shorter than `limit` says: a page that is as long as any before it is no end of a list.

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
  for (let index = 0; index < count; index += 1) tradeNow(desk, order, '1-5-1', { at: desk.now() - count + 1 + index });
}

const booked = (desk: Desk): number => desk.events.filter(({ type }) => type === 'fill').length;

describe('pages of 27 rows, with 50 requested', () => {
  test('do not end the list: the next one is requested', () => {
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

  test('a page shorter than an earlier one ends it', () => {
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
