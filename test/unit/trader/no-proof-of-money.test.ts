// Money and flatness: what would be claimed on evidence that does not carry it. Found by reading.
import { expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { fiat } from './money-kit.ts';
import {
  type Desk,
  endOf,
  fillNow,
  inSlot,
  nextCreate,
  ops,
  quotingDesk,
  readNow,
  readyDesk,
  rowOf,
  takeBack,
  tradeNow,
} from './trader-kit.ts';

const view = (desk: Desk) => takeSnapshot(desk.state(), desk.now()).symbols[0];
const ended = (desk: Desk) => desk.events.findLast(({ type }) => type === 'session-ended')?.payload;

test('late tax after 5,000 more orders leaves the trade the strategy’s', () => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(3_000);
  const before = view(desk);
  const created = desk.events.find(({ type }) => type === 'intent') as Extract<TraderEvent, { type: 'intent' }>;
  const at = desk.now();
  for (let n = 0; n < 5_001; n += 1) {
    const intentId = `1-${10_000 + n}`;
    desk.events.push({ type: 'intent', payload: { ...created.payload, intentId, sentAt: at, horizon: at } });
    desk.events.push({
      type: 'create-outcome',
      payload: { intentId, outcome: 'not-sent', orderId: null, detail: '', at },
    });
  }
  desk.pass(61_000);
  desk.restart();
  const corrected = { ...fill, tds: decimal('9.8') };
  desk.shows.fills = desk.shows.fills.map((row) => (row.tradeId === fill.tradeId ? corrected : row));
  desk.shows.balances.INR = (desk.shows.balances.INR as Decimal).sub('9.8');
  desk.run(4_000);
  expect(ops(desk)).toContain('trade-changed');
  expect(view(desk)?.fills).toMatchObject({ buys: before?.fills.buys });
  expect(view(desk)?.pnl).toMatchObject({ fees: before?.pnl.fees });
  expect(marketIn(desk.state().durable, BTC).pnl.inventory).not.toBe(0n);
});

test("a stop's proof for a symbol is revoked if a list shows an order there that may be ours", () => {
  const desk = readyDesk(deskSettings({ symbols: [BTC, ETH] }));
  const sending = nextCreate(desk);
  const { order: sent } = sending.request;
  desk.answer(sending);
  const ours = desk.intents().find(({ intentId }) => intentId === sending.intentId);
  if (!ours) throw new Error('No intent.');
  fillNow(desk, ours);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  const other = nextCreate(desk);
  expect(other.request).toMatchObject({ order: { symbol: ETH } });
  desk.answer(other);
  desk.tell({ kind: 'stop' });
  desk.run(LAG_MS - 2_000);
  desk.shows.orders.push(rowOf(sent, '1-9-1', desk.now()));
  desk.run(3 * LAG_MS);
  expect(haltsIn(desk.state().durable).get(BTC)).toContain('may be a second one');
  expect(ended(desk) ?? {}).not.toMatchObject({ flat: true });
});

test('a taker’s trade that is taken back no longer counts as a taker’s', () => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004'), liquidity: 'taker' });
  desk.run(3_000);
  takeBack(desk.shows, fill);
  desk.run(4 * LAG_MS + 15_000);
  expect(ops(desk)).toContain('trade-changed');
  expect(view(desk)?.fills).toMatchObject({ buys: 0, takers: 0, takerBuys: 0 });
});

test('on a lane of one request in 61 s an order that is gone is closed, though others lock as much', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const none = decimal(0);
  desk.reply = ({ kind }) => {
    if (kind === 'create') return null;
    if (kind !== 'wallet') return undefined;
    const rows = Object.entries(desk.shows.balances).map(([asset, total]) => {
      const locked = asset === 'INR' ? decimal(50_000) : none; // the owner's withdrawal on its way
      return { asset, free: total.sub(locked), locked, lockedFd: none, lockedStaking: none, lockedOtc: none };
    });
    return readNow(desk, rows);
  };
  desk.look('orders', 'trades', 'wallet');
  desk.pace(1 / 61);
  desk.shows.orders = desk.shows.orders.filter((row) => row.orderId !== bid.orderId); // the owner cancels it by hand
  desk.run(61_000, 61_000);
  desk.look('orders');
  for (let i = 0; i < 240; i += 1) desk.run(61_000, 61_000); // four hours; the desk's deadline is 30 s
  expect(endOf(desk, bid.intentId)).toBe('canceled');
});

test('a late deposit explains a difference, even if the owner has traded meanwhile', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  const at = desk.now();
  desk.shows.balances.INR = (desk.shows.balances.INR as Decimal).add(5_000);
  desk.run(60_000); // no list can be read that has it: LAG and deadline pass
  expect(ops(desk)).toContain('difference');
  const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.002') } as const;
  tradeNow(desk, theirs, '1-7-1');
  desk.run(10_000);
  expect(ops(desk)).toContain('external-fill');
  fiat(desk, { venueTime: at });
  desk.run(12 * 60_000);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
});

test('the lists that explain a deposit are read before it is set aside, on a slow lane as well', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  desk.shows.balances.INR = (desk.shows.balances.INR as Decimal).add(5_000);
  fiat(desk);
  desk.run(15 * 60_000, 1_000);
  expect(desk.sent.filter(({ chosen }) => chosen.key === 'flows')).not.toHaveLength(0);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
});

test('a taker’s trade corrected after many others still counts as one taker’s trade', () => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004'), liquidity: 'taker' });
  desk.run(3_000);
  const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.002') } as const;
  for (let n = 0; n < 25; n += 1) tradeNow(desk, theirs, `1-7-${n}`);
  desk.run(3_000);
  const corrected = { ...fill, tds: decimal('9.8') };
  desk.shows.fills = desk.shows.fills.map((row) => (row.tradeId === fill.tradeId ? corrected : row));
  desk.shows.balances.INR = (desk.shows.balances.INR as Decimal).sub('9.8');
  desk.run(75_000);
  expect(ops(desk)).toContain('trade-changed');
  expect(view(desk)?.fills).toMatchObject({ buys: 1, takers: 1, takerBuys: 1 });
});

test('an order listed as partly filled is not closed as unfilled during a difference', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const fill = fillNow(desk, bid, { quantity: bid.quantity.mul(0.4) });
  desk.shows.fills = [];
  desk.run(10 * LAG_MS);
  expect(endOf(desk, bid.intentId)).toBe('not closed');
  desk.shows.fills = [fill];
  desk.run(4 * LAG_MS);
  expect(endOf(desk, bid.intentId)).toBe('canceled 0.004 of 0.01');
});
