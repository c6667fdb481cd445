// A gap in own trades that a person has taken note of: reading begins anew behind it, and nothing halts for it again.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  type Desk,
  fillNow,
  fillOf,
  inSlot,
  moveWallet,
  quotingDesk,
  readNow,
  rejected,
  tradeNow,
  tradesPage,
} from './trader-kit.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const haltOf = (desk: Desk, symbol = BTC): string | undefined => haltsIn(desk.state().durable).get(symbol);
const bookedIds = (desk: Desk): string[] =>
  desk.events.flatMap((event) => (event.type === 'fill' ? [event.payload.fill.tradeId] : []));

/** The owner's own trade: every list shows it at once. */
function trade(desk: Desk): Fill {
  const order = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.0001') } as const;
  return tradeNow(desk, order, `1-7-${desk.now()}`);
}

const noArchive: Desk['reply'] = (request) =>
  request.kind === 'spot-trades-historical' ? rejected(-1404, 404) : undefined;

/** The bot was away for days: the last trade known has left the list, and there is no archive. */
function away(desk: Desk, days = 4): void {
  desk.pass(days * DAY);
  desk.shows.fills = [];
  start(desk);
  desk.run(20_000);
}

function start(desk: Desk, ...resumed: string[]): void {
  desk.restart(
    undefined,
    resumed.map((symbol) => ({ symbol, price: decimal(symbol === BTC ? 100_000 : 10_000) })),
  );
  desk.reply = noArchive;
  desk.look('book', 'orders');
}

function halted(): Desk {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  away(desk);
  expect(haltOf(desk)).toContain('Own trades may be missing');
  return desk;
}

test('a symbol that is resumed after a gap is quoted, now and after the next start', () => {
  const desk = halted();
  start(desk, BTC);
  desk.run(60_000);
  expect(haltOf(desk)).toBeUndefined();
  expect(inSlot(desk, 'buy:0').state).toBe('open');
  start(desk);
  desk.run(60_000);
  expect(haltOf(desk)).toBeUndefined();
});

test('until a person resumes it, it stays halted over starts', () => {
  const desk = halted();
  start(desk);
  desk.run(60_000);
  expect(haltOf(desk)).toContain('Own trades may be missing');
});

test('later trades are booked', () => {
  const desk = halted();
  start(desk, BTC);
  desk.run(5_000);
  const fill = trade(desk);
  desk.run(10_000);
  expect(bookedIds(desk)).toContain(fill.tradeId);
  const ours = fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(10_000);
  expect(bookedIds(desk)).toContain(ours.tradeId);
});

test('a listed trade behind it ends it with a notice: reading goes on from there (seed 90118)', () => {
  const desk = halted();
  trade(desk);
  desk.run(60_000);
  expect(marketIn(desk.state().durable, BTC).gapUntil).toBeNull();
  expect(desk.notices.filter(({ op }) => op === 'trades-gap')).toEqual([
    expect.objectContaining({
      level: 'info',
      symbol: BTC,
      message: expect.stringContaining('The missing trades are still missing'),
    }),
  ]);
  expect(haltOf(desk)).toContain('Own trades may be missing');
});

test('trades between the halt and the resume are booked', () => {
  const desk = halted();
  desk.pass(2 * HOUR);
  const fill = trade(desk);
  desk.pass(2 * HOUR);
  start(desk, BTC);
  desk.run(60_000);
  expect(bookedIds(desk)).toContain(fill.tradeId);
  expect(haltOf(desk)).toBeUndefined();
});

test('a new gap halts it again', () => {
  const desk = halted();
  start(desk, BTC);
  desk.run(60_000);
  away(desk);
  expect(haltOf(desk)).toContain('Own trades may be missing');
  start(desk, BTC);
  desk.run(60_000);
  expect(haltOf(desk)).toBeUndefined();
});

test('it is reported once while it stands, and its extent is recorded: a person may take days', () => {
  const desk = halted();
  desk.run(3 * DAY, 20_000);
  const said = desk.notices.filter(({ level, message }) => level === 'page' && message.includes('may be missing'));
  expect(said).toHaveLength(1);
  expect(desk.events.filter(({ type }) => type === 'trades-gap').length).toBeLessThan(80);
  desk.pass(10 * 60_000);
  start(desk, BTC);
  desk.run(60_000);
  expect(haltOf(desk)).toBeUndefined();
});

test('a list that shows the last known trade again closes it with a notice', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  const known = [...desk.shows.fills];
  away(desk);
  expect(haltOf(desk)).toContain('Own trades may be missing');
  desk.shows.fills = known;
  desk.run(60_000);
  const gaps = desk.events.flatMap((event) => (event.type === 'trades-gap' ? [event.payload.until] : []));
  expect(gaps.at(-1)).toBeNull();
  const told = desk.notices.filter(({ op }) => op === 'trades-gap').map(({ level, message }) => [level, message]);
  expect(told).toEqual([['info', 'Own trades are read to the present again.']]);
});

test('how far it reaches is a whole millisecond, though the offset of the clock is not', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  desk.pass(4 * DAY);
  desk.shows.fills = [];
  start(desk);
  desk.tell({ kind: 'clock', offsetMs: 0.3, uncertaintyMs: 50, confirmed: true });
  desk.run(20_000);
  const gaps = desk.events.flatMap((event) => (event.type === 'trades-gap' ? [event.payload.until] : []));
  expect(gaps).not.toEqual([]);
  expect(gaps.every(Number.isInteger)).toBe(true);
});

test('an archive that returns meanwhile closes it: the missing trades are booked, and reading goes on', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  desk.pass(HOUR);
  const missing = trade(desk);
  desk.shows.archive = [...desk.shows.fills];
  away(desk);
  expect(haltOf(desk)).toContain('Own trades may be missing');
  desk.reply = () => undefined;
  desk.run(5 * 60_000);
  expect(bookedIds(desk)).toContain(missing.tradeId);
  const cursor = marketIn(desk.state().durable, BTC).cursor;
  expect(cursor?.tradeId).toBe(missing.tradeId);
  start(desk, BTC);
  expect(marketIn(desk.state().durable, BTC).cursor).toEqual(cursor);
});

test('the same in a market that never had a trade', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  desk.run(5_000);
  away(desk);
  expect([haltOf(desk), haltOf(desk, ETH)]).toEqual([
    expect.stringContaining('may be missing'),
    expect.stringContaining('may be missing'),
  ]);
  start(desk, BTC, ETH);
  desk.run(60_000);
  expect([haltOf(desk), haltOf(desk, ETH)]).toEqual([undefined, undefined]);
});

test('a gap in a symbol with another halt is recorded with it', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  const reason = 'Since midnight UTC: a loss.';
  desk.events.push({ type: 'symbol-halted', payload: { symbol: BTC, reason, code: 'loss', at: desk.now() } });
  away(desk);
  expect(haltOf(desk)).toBe(reason);
  start(desk, BTC);
  desk.run(60_000);
  expect(haltOf(desk)).toBeUndefined();
});

test('a trade from before the gap that shows afterward is booked, but is no trade to read on from (seed 937)', () => {
  const desk = quotingDesk();
  const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.0001') } as const;
  const late = fillOf(theirs, orderId('1-7-1'), { at: desk.now() });
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  away(desk);
  start(desk, BTC);
  desk.run(20_000);
  desk.shows.fills = [{ ...late, venueTime: desk.now() }];
  moveWallet(desk.shows, late);
  desk.run(60_000);
  expect(bookedIds(desk)).toContain(late.tradeId);
  expect(marketIn(desk.state().durable, BTC).cursor).toBeNull();
  desk.shows.fills = [];
  desk.run(DAY, 60_000);
  expect(haltOf(desk)).toBeUndefined();
});

test('a last known trade that the list still shows stays the one to read on from, whatever is unread behind it', () => {
  const desk = quotingDesk();
  const known = fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  const broken = trade(desk);
  const unreadable: Desk['reply'] = (request) => {
    if (request.kind !== 'spot-trades') return noArchive?.(request);
    const page = tradesPage(desk.shows.fills, request);
    const rows = page.filter((row) => row !== broken);
    return readNow(desk, rows, rows.length === page.length);
  };
  desk.reply = unreadable;
  desk.run(5 * 60_000);
  expect(haltOf(desk)).toContain('Own trades may be missing');
  start(desk, BTC);
  desk.reply = unreadable;
  desk.run(5 * 60_000);
  expect(marketIn(desk.state().durable, BTC).cursor?.tradeId).toBe(known.tradeId);
  start(desk);
  desk.run(60_000);
  expect(bookedIds(desk)).toContain(broken.tradeId);
});
