// A read that is not whole is notified and not trusted, whichever list it is of: what was known before stays known.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import type { ReadOutcome } from '../../../../src/venue/outcomes.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, quotingDesk, readNow, reasons, walletRow } from '../trader-kit.ts';

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
  test('it is said, with its reason where there is one', () => {
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

  test('it renews nothing that is known, and is asked for again', () => {
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

test('a book that left before the last one, and comes after it, changes nothing', () => {
  const desk = quotingDesk();
  const surface = marketOf(desk.state(), BTC).book;
  desk.reply = ({ kind }) => (kind === 'order-book' ? null : undefined);
  desk.run(1_500);
  const [late] = desk.held;
  if (!late) throw new Error('No book was asked for.');
  const old = desk.answerTo(late.request, desk.now() - 1_000);
  desk.reply = () => undefined;
  desk.look('book');
  const { book, sentAt } = surface;
  desk.shows.books[BTC] = [50_000, 150_000];
  desk.answer(late, old);
  expect([surface.book, surface.sentAt]).toEqual([book, sentAt]);
});

test('a wallet with an amount that is not exact is useless, and says of which asset', () => {
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
