// What looks like a proof and is none: coincidences that the assumptions allow, found by reading.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { BTC, deskSettings, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { list, lostBid } from './lost-bid.ts';
import { runUntil } from './run-until.ts';
import {
  canceled,
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
  tradeNow,
  unknown,
} from './trader-kit.ts';

const but = (desk: Desk, id: string | null) => desk.shows.orders.filter((row) => row.orderId !== id);
/** Lists of own orders every 15 s, as configured by default. */
const SPARSE = {
  polling: { ...deskSettings().polling, openOrdersMs: 15_000 },
  ageLimits: { ...deskSettings().ageLimits, openOrdersMs: 60_000 },
};

/** A bid whose answer was lost; orders of its values are there under these ids. */
function lost(ids: readonly string[], desk = readyDesk()) {
  const { order, id } = lostBid(unknown, desk);
  for (const orderId of ids) list(desk, order, orderId);
  return { desk, order, id };
}

test("a fill of one of two orders that could be an unknown create's proves nothing: none is canceled", () => {
  const { desk, order } = lost(['1-9-1', '1-5-1']);
  desk.run(1_500);
  expect(haltsIn(desk.state().durable).get(BTC)).toMatch(/^2 orders could be intent/);
  tradeNow(desk, order, '1-5-1', { quantity: decimal('0.004') });
  desk.run(3_000);
  expect(canceled(desk)).toEqual([]);
});

test("the owner's twin in a list that is not whole is not ours because a part of it fills", () => {
  const { desk, order } = lost(['1-9-1', '1-5-1']);
  desk.reply = ({ kind }) =>
    kind === 'create' ? null : kind === 'open-orders' ? readNow(desk, but(desk, '1-9-1'), false) : undefined;
  desk.run(1_500);
  expect(inSlot(desk, 'buy:0').state).toBe('unknown');
  tradeNow(desk, order, '1-5-1', { quantity: decimal('0.004') });
  desk.run(1_500);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.run(5_000);
  expect(canceled(desk)).toEqual([]);
});

test('an order of the owner’s in a list that trails does not explain what the wallet locks', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const own = desk.shows.orders;
  const shape = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.005') } as const;
  const theirs = rowOf(shape, '1-5-1', desk.now());
  desk.shows.orders = [...own, theirs];
  desk.look('orders');
  desk.pass(LAG_MS + 1_000);
  desk.look('orders', 'trades', 'wallet');
  desk.pass(100);
  desk.shows.orders = [...own.filter(({ orderId: id }) => id !== bid.orderId), theirs]; // hole
  desk.look('orders');
  desk.pass(LAG_MS + 200);
  desk.shows.orders = own; // the owner has canceled his
  desk.look('wallet');
  desk.pass(200);
  desk.shows.orders = [...own.filter(({ orderId: id }) => id !== bid.orderId), theirs]; // trails, and a second hole
  desk.look('orders');
  desk.shows.orders = own;
  desk.pass(100);
  desk.look('trades');
  expect(endOf(desk, bid.intentId)).toBe('not closed');
});

test('a list before a downtime and one after it are two reads without a known interval between them', () => {
  const desk = quotingDesk(deskSettings(SPARSE));
  desk.look('orders');
  const bid = inSlot(desk, 'buy:0');
  const holeOnce = () => {
    let lists = 0;
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind !== 'open-orders') return undefined;
      lists += 1;
      return lists === 1 ? readNow(desk, but(desk, bid.orderId)) : undefined;
    };
  };
  holeOnce();
  runUntil(desk, () => inSlot(desk, 'buy:0').state !== 'open');
  expect(inSlot(desk, 'buy:0').state).toBe('closing');
  desk.pass(10 * MINUTE);
  desk.restart();
  holeOnce();
  desk.run(5_500);
  expect(endOf(desk, bid.intentId)).toBe('not closed');
});

test('however many fills were booked as the owner’s, all become ours when their order does', () => {
  const { desk, order } = lost(['1-9-1']);
  for (let pieces = 0; pieces < 25; pieces += 1) tradeNow(desk, order, '1-9-1', { quantity: decimal('0.0002') });
  desk.reply = ({ kind }) => (kind === 'create' ? null : kind === 'open-orders' ? readNow(desk, []) : undefined);
  runUntil(
    desk,
    () => ops(desk).includes('external-fill'),
    () => desk.run(6_000, 6_000),
  );
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.run(3_000);
  expect(inSlot(desk, 'buy:0').filled.toFixed()).toBe('0.005');
});

test('a create lost two starts ago is not unknown since a future time if the clock was set', () => {
  const desk = readyDesk();
  const id = nextCreate(desk).intentId ?? '';
  desk.restart(undefined, [], 60 * MINUTE);
  desk.pass(10_000);
  desk.restart();
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.run(10 * MINUTE, 1_000);
  expect(endOf(desk, id)).toBe('not-placed');
});

test('an order that filled just before a start with another clock has not reappeared while lists trail', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const before = desk.shows.orders;
  fillNow(desk, bid);
  desk.run(1_500);
  expect(endOf(desk, bid.intentId)).toMatch(/^filled/);
  desk.restart(undefined, [], 60 * MINUTE);
  const from = desk.now();
  desk.reply = ({ kind }) =>
    kind === 'create' ? null : kind === 'open-orders' && desk.now() < from + 2_000 ? readNow(desk, before) : undefined;
  desk.run(3_000);
  expect(haltsIn(desk.state().durable).size).toBe(0);
});
