// A page of own trades that does not reach back: the list and its archive are read to the end, or it is said what is
// missing.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/time.ts';
import { timeText } from '../../../src/domain/time-text.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { BTC } from './desk-settings.ts';
import { haltOf } from './lost-bid.ts';
import { type Desk, fillOf, moveWallet, ops, quotingDesk, rejected } from './trader-kit.ts';

const OWNERS = orderId('1-5-1');

/** The owner buys 0.001 by hand, so often, the first of them at that moment. */
function buy(desk: Desk, count: number, { at = desk.now(), everyMs = 0 } = {}): Fill[] {
  const order = { symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') } as const;
  const fills = Array.from({ length: count }, (_, index) => fillOf(order, OWNERS, { at: at + index * everyMs }));
  for (const fill of fills) moveWallet(desk.shows, fill);
  desk.shows.fills.push(...fills);
  return fills;
}

/** The bot is stopped, time passes, and the list keeps only its last `window`. */
function sleep(desk: Desk, ms: number, whatHappens: () => void, window = 25 * HOUR): void {
  const before = desk.now();
  whatHappens();
  desk.pass(ms);
  const keptFrom = desk.now() - window;
  desk.shows.archive = desk.shows.fills.filter(({ venueTime }) => venueTime < keptFrom);
  desk.shows.fills = desk.shows.fills.filter(({ venueTime }) => venueTime >= keptFrom);
  expect(desk.now() - before).toBe(ms);
  desk.restart();
  desk.look('book', 'orders');
}

const booked = (desk: Desk): number => desk.events.filter(({ type }) => type === 'fill').length;
const held = (desk: Desk): string => plain(ledgerTotal(desk.state().durable.books, 'BTC'));

/** A desk that knows of one trade. */
function knowingDesk(): Desk {
  const desk = quotingDesk();
  buy(desk, 1);
  desk.run(2_000);
  return desk;
}

describe('the last trade known is older than the list goes back', () => {
  test.each([
    ['right', 0],
    ['an hour behind that of the exchange', HOUR],
    ['an hour ahead', -HOUR],
  ])('where our clock is %s: the list is read to its end, and nobody is told of a trade taken back', (_, offsetMs) => {
    const desk = quotingDesk();
    desk.tell({ kind: 'clock', offsetMs, uncertaintyMs: 50, confirmed: true });
    buy(desk, 1, { at: desk.now() + offsetMs });
    desk.run(2_000);
    desk.pass(DAY + 30 * MINUTE);
    desk.shows.archive = desk.shows.fills;
    desk.shows.fills = [];
    desk.run(30_000);
    expect(ops(desk)).toContain('history-read');
    expect(ops(desk)).not.toContain('trade-missing');
  });
});

describe('after a time without the bot (F45)', () => {
  test.each([
    ['1 h', HOUR],
    ['73 h', 73 * HOUR],
    ['10 d', 10 * DAY],
  ])('of %s with 130 trades in it, all are booked, and the ledger is the wallet', (_name, ms) => {
    const desk = knowingDesk();
    const everyMs = Math.floor(ms / 131);
    sleep(desk, ms, () => buy(desk, 130, { at: desk.now() + everyMs, everyMs }));
    desk.run(40_000);
    expect(booked(desk)).toBe(131);
    expect(held(desk)).toBe('1.131');
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.state().phase).toBe('running');
  });

  test('of 10 d without a trade, the archive is asked exactly once', () => {
    const desk = knowingDesk();
    sleep(desk, 10 * DAY, () => {});
    desk.run(20_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.state().phase).toBe('running');
    const archived = desk.sent.filter(({ chosen }) => chosen.request.kind === 'spot-trades-historical');
    expect(archived.length).toBeGreaterThan(0);
    expect(archived.length).toBeLessThan(4);
  });

  test('of 10 d before the very first trade, all are booked', () => {
    const desk = quotingDesk();
    sleep(desk, 10 * DAY, () => buy(desk, 60, { at: desk.now() + HOUR, everyMs: 3 * HOUR }));
    desk.run(40_000);
    expect(booked(desk)).toBe(60);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('whose rows are on the list and in the archive are booked once (F46)', () => {
    const desk = knowingDesk();
    sleep(desk, 73 * HOUR, () => buy(desk, 100, { at: desk.now() + HOUR, everyMs: 40 * 60_000 }));
    desk.shows.archive.push(...desk.shows.fills.slice(0, 20));
    desk.run(40_000);
    expect(booked(desk)).toBe(101);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('for which the archive is closed: the symbol is halted, and what may be missing is said', () => {
    const desk = knowingDesk();
    const cursor = marketIn(desk.state().durable, BTC).cursor;
    sleep(desk, 73 * HOUR, () => buy(desk, 10, { at: desk.now() + HOUR, everyMs: HOUR }));
    desk.reply = ({ kind }) => (kind === 'spot-trades-historical' ? rejected(-1404, 404) : undefined);
    desk.run(40_000);
    const from = timeText(cursor?.venueTime ?? 0);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('trades-gap');
    expect(haltOf(desk)).toMatch(new RegExp(`^Own trades may be missing. From ${from} to \\d{4}-.*: `));
    expect(desk.state().refusal).toBeNull();
  });

  test('in whose archive the last known trade is missing: the symbol is halted', () => {
    const desk = knowingDesk();
    sleep(desk, 73 * HOUR, () => buy(desk, 10, { at: desk.now() + HOUR, everyMs: HOUR }));
    desk.shows.archive.shift();
    desk.run(40_000);
    expect(haltOf(desk)).toContain('the last one known, is on no list');
  });
});

describe('a reading', () => {
  test('goes on after answers that did not come, and books nothing twice', () => {
    const desk = knowingDesk();
    sleep(desk, 73 * HOUR, () => buy(desk, 130, { at: desk.now() + HOUR, everyMs: 30 * 60_000 }));
    let asked = 0;
    desk.reply = ({ kind }) => {
      if (!kind.startsWith('spot-trades')) return undefined;
      asked += 1;
      return asked % 2 === 0 ? { kind: 'throttled', status: 429, retryAt: desk.now() + 500 } : undefined;
    };
    desk.run(60_000);
    expect(booked(desk)).toBe(131);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('goes on when keys or clock were refused meanwhile: that says nothing about the archive', () => {
    const desk = knowingDesk();
    sleep(desk, 73 * HOUR, () => buy(desk, 130, { at: desk.now() + HOUR, everyMs: 30 * 60_000 }));
    let refused = 0;
    desk.reply = ({ kind }) => {
      if (kind !== 'spot-trades-historical' || refused > 2) return undefined;
      refused += 1;
      return rejected(-1021);
    };
    desk.run(60_000);
    expect(refused).toBe(3);
    expect(booked(desk)).toBe(131);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('takes turns with own orders on a slow lane (seed 42022)', () => {
    const desk = knowingDesk();
    // The lists of transfers are not wanted any more.
    desk.run(10_000);
    sleep(desk, 73 * HOUR, () => buy(desk, 700, { at: desk.now() + HOUR, everyMs: 6 * 60_000 }));
    const from = desk.sent.length;
    desk.run(120_000, 3_000);
    const asked = desk.sent.slice(from).map(({ chosen: { request } }) => request.kind);
    expect(asked.filter((kind) => kind.startsWith('spot-trades')).length).toBeGreaterThan(10);
    const turns = asked.flatMap((kind, turn) => (kind === 'open-orders' ? [turn] : []));
    const waited = turns.map((turn, index) => turn - (turns[index - 1] ?? 0));
    expect(Math.max(...waited, asked.length - (turns.at(-1) ?? 0))).toBeLessThan(15);
  });

  test('interrupted by a restart resumes where it was', () => {
    const desk = knowingDesk();
    sleep(desk, 73 * HOUR, () => buy(desk, 400, { at: desk.now() + HOUR, everyMs: 10 * 60_000 }));
    desk.run(500);
    desk.restart();
    desk.look('book', 'orders');
    desk.run(60_000);
    expect(booked(desk)).toBe(401);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('with an unreadable row ends, and names its time', () => {
    const desk = knowingDesk();
    const fills = buy(desk, 30, { at: desk.now(), everyMs: 10 });
    const bad = fills[17];
    desk.reply = (request) => {
      if (request.kind !== 'spot-trades') return undefined;
      const answer = desk.answerTo(request, desk.now());
      if (answer.kind !== 'read') return answer;
      const rows = (answer.read.rows as Fill[]).filter(({ tradeId }) => tradeId !== bad?.tradeId);
      const complete = rows.length === (answer.read.rows as Fill[]).length;
      return {
        kind: 'read',
        read: { ...answer.read, rows, complete, ...(!complete && { incompleteBecause: 'Row 3.' }) },
      };
    };
    desk.run(60_000);
    const at = bad?.venueTime ?? 0;
    expect(haltOf(desk)).toContain(`At ${timeText(at)}: A row can’t be read: Row 3.`);
    expect(booked(desk)).toBe(30);
  });
});
