// A person was asked whose an order is: until he has answered nothing takes it for ours, or for somebody else's.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltOf, list, lostBid } from './lost-bid.ts';
import {
  canceled,
  type Desk,
  endOf,
  fillNow,
  fillOf,
  inSlot,
  moveWallet,
  nextCreate,
  ops,
  quotingDesk,
  readNow,
  readyDesk,
  rejected,
  rowOf,
  tradeNow,
  unknown,
} from './trader-kit.ts';

const resume = [{ symbol: BTC, price: null }];
const ended = (desk: Desk) => desk.events.findLast(({ type }) => type === 'session-ended')?.payload;

/** A bid without an answer, its order 1-9-1, and the owner's twin 1-5-1. */
function twins(resolutionDeadlineMs = 10 * MINUTE) {
  const { desk, order } = lostBid(unknown, readyDesk(deskSettings({ assumptions: { resolutionDeadlineMs } })));
  for (const id of ['1-9-1', '1-5-1']) list(desk, order, id);
  desk.run(1_500);
  return { desk, order };
}

/** Ours fills, and is forgotten: the owner's is the only one left that is like it. */
function oursIsGone() {
  const { desk, order } = twins();
  tradeNow(desk, order, '1-9-1');
  desk.run(3_000);
  return desk;
}

test('learns which orders they are', () => {
  expect(haltOf(twins().desk)).toBe(
    '2 orders could be intent 1-1, and which is not certain: 1-9-1, 1-5-1. Cancel unwanted orders by hand, ' +
      'then resume the symbol.',
  );
});

test('and the status does not say that they are somebody else’s', () => {
  const { desk } = twins();
  const { symbols, unmatchedOrders } = takeSnapshot(desk.state(), desk.now());
  expect(unmatchedOrders.map(({ mayBeOurs }) => mayBeOurs)).toEqual([true, true]);
  expect(symbols[0]?.foreignOrders).toBe(0);
});

test('and of more than 500 unmatched orders those that may be ours are shown', () => {
  const { desk, order } = twins();
  const foreign = { ...order, price: order.price.mul(decimal('0.5')) };
  for (let index = 0; index < 600; index += 1) list(desk, foreign, `2-${index}-1`);
  desk.shows.orders.reverse();
  desk.run(3_000);
  const { symbols, unmatchedOrders } = takeSnapshot(desk.state(), desk.now());
  expect(symbols[0]?.foreignOrders).toBe(600);
  expect(unmatchedOrders).toHaveLength(500);
  expect(unmatchedOrders.slice(0, 3).map(({ mayBeOurs }) => mayBeOurs)).toEqual([true, true, false]);
});

describe("an order like a lost create's that was created when that could no longer be taken (seed 41256)", () => {
  const late = () => {
    const lost = lostBid();
    const { desk, order } = lost;
    const createdAt = desk.now();
    desk.pass(MINUTE);
    list(desk, order, '1-5-1');
    return { ...lost, createdAt };
  };

  test('is not ours: a person is asked', () => {
    const { desk } = late();
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(haltOf(desk)).toContain('1-5-1');
    desk.run(4 * LAG_MS);
    expect(canceled(desk)).toEqual([]);
  });

  test.each(['list', 'trades'])('does not affect ours, which has filled: the %s first', (first) => {
    const { desk, order, id, createdAt } = late();
    const fill = fillOf(order, orderId('1-9-1'), { at: createdAt + 1_000 });
    const ofTwin = fillOf(order, orderId('1-5-1'), { at: desk.now(), quantity: decimal('0.001') });
    const rows = desk.shows.orders;
    if (first === 'trades') desk.shows.orders = [];
    else desk.run(1_500);
    for (const row of [fill, ofTwin]) {
      desk.shows.fills.push(row);
      moveWallet(desk.shows, row);
    }
    desk.run(1_500);
    desk.shows.orders = rows;
    desk.run(5_000);
    expect(endOf(desk, id)).toBe('filled 0.01 of 0.01');
    expect(canceled(desk)).toEqual([]);
  });

  test('leaves us the one that came in time, in the session that placed it', () => {
    const { desk, order, createdAt } = late();
    list(desk, order, '1-9-1', createdAt);
    desk.run(1_500);
    expect(ops(desk)).toContain('adopted');
    expect(inSlot(desk, 'buy:0').orderId).toBe('1-9-1');
  });

  test("may be ours after a start, before the shift of a list's times is known: a person is asked", () => {
    const { desk, order, createdAt } = late();
    list(desk, order, '1-9-1', createdAt);
    desk.restart();
    desk.run(10_000);
    expect(haltOf(desk)).toContain('2 orders could be intent 1-1, and which is not certain');
    expect(canceled(desk)).toEqual([]);
  });

  test('is ours on an account that is the bot’s alone', () => {
    const { desk, order } = lostBid(unknown, readyDesk(deskSettings({ foreignOrders: 'refuse' })));
    desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-5014) : kind === 'create' ? null : undefined);
    desk.pass(MINUTE);
    list(desk, order, '1-5-1');
    desk.run(10_000);
    expect(ops(desk)).toContain('adopted');
  });
});

test("the owner's twin is not ours because ours has filled and is gone (seed 5735)", () => {
  const desk = oursIsGone();
  desk.run(4 * LAG_MS);
  expect(inSlot(desk, 'buy:0').state).toBe('unknown');
  expect(canceled(desk)).toEqual([]);
});

test('nor after a start, nor because it fills itself', () => {
  const desk = oursIsGone();
  desk.restart();
  desk.run(3 * LAG_MS);
  const [theirs] = desk.shows.orders;
  if (!theirs) throw new Error('No order.');
  const part = { ...theirs, price: theirs.price, quantity: theirs.remainingQuantity.div(2) };
  tradeNow(desk, part, '1-5-1');
  desk.run(3 * LAG_MS);
  expect(inSlot(desk, 'buy:0').state).toBe('unknown');
  expect(canceled(desk)).toEqual([]);
});

test('a list without the orders proves nothing before trades left after it (seed 11407)', () => {
  const { desk, order } = twins(2 * LAG_MS);
  const fillOurs = (quantity: Decimal): void => {
    tradeNow(desk, order, '1-9-1', { quantity });
  };
  const part = order.quantity.div(2);
  fillOurs(part);
  desk.run(HORIZON_MS + 10 * LAG_MS);
  // For a moment a list lacks both.
  const both = desk.shows.orders;
  desk.reply = ({ kind }) => (kind === 'create' ? null : kind === 'open-orders' ? readNow(desk, []) : undefined);
  desk.run(LAG_MS - 2_000);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  expect(desk.shows.orders).toBe(both);
  desk.run(3 * LAG_MS);
  fillOurs(order.quantity.sub(part));
  desk.shows.orders = [];
  // Lists answer, trades and wallet do not: what was read of them is of before.
  desk.reply = ({ kind }) => (kind === 'open-orders' || kind === 'order-book' ? undefined : null);
  desk.run(6 * LAG_MS);
  expect(endOf(desk, '1-1')).toBe('not closed');
});

test('is ours once the person has canceled the other one and resumed the symbol', () => {
  const { desk } = twins();
  desk.shows.orders = desk.shows.orders.filter((row) => row.orderId !== '1-5-1');
  desk.restart(deskSettings(), resume);
  desk.run(1_500);
  expect(inSlot(desk, 'buy:0').orderId).toBe('1-9-1');
  expect(desk.state().durable.orders.questioned.size).toBe(0);
});

/**
 * An order like a bid of ours that has filled, halted for; then the bot is down for so long that nobody remembers the
 * bid.
 */
function second(downMs: number): Desk {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  desk.shows.orders.push(rowOf(bid, '1-9-1', desk.now()));
  desk.run(1_500);
  expect(haltOf(desk)).toContain('may be a second one of it');
  fillNow(desk, bid);
  desk.run(2 * LAG_MS);
  desk.pass(downMs);
  desk.restart();
  desk.run(2 * LAG_MS);
  return desk;
}

test('a stop does not end flat with an order on the book that a person was asked about hours ago (seed 5762)', () => {
  const desk = second(10 * 60 * MINUTE);
  expect(ops(desk)).not.toContain('stray-order');
  desk.tell({ kind: 'stop' });
  desk.run(4 * LAG_MS);
  expect(ended(desk)).toMatchObject({ flat: false });
});

test('a question during another halt is shown as well', () => {
  const desk = readyDesk();
  const bid = nextCreate(desk);
  desk.answer(bid);
  const create = nextCreate(desk);
  const { order } = create.request;
  desk.shows.orders.push(rowOf(inSlot(desk, 'buy:0'), '1-8-1', desk.now()));
  desk.run(1_500);
  expect(haltOf(desk)).toContain('Order 1-8-1');
  desk.answer(create, unknown);
  for (const id of ['1-9-1', '1-5-1']) desk.shows.orders.push(rowOf(order, id, desk.now()));
  desk.run(1_500);
  const told = desk.notices.filter(({ op, level }) => op === 'orders-questioned' && level === 'page');
  expect(told).toEqual([expect.objectContaining({ level: 'page', message: expect.stringContaining('1-9-1, 1-5-1') })]);
});

test('an order in question on one side keeps no create of the other side from being settled', () => {
  const desk = readyDesk();
  desk.answer(nextCreate(desk));
  const bid = inSlot(desk, 'buy:0');
  const ask = nextCreate(desk);
  desk.answer(ask, unknown);
  const id = ask.intentId ?? '';
  expect(desk.intents().find(({ intentId }) => intentId === id)?.side).toBe('sell');
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.shows.orders.push(rowOf(bid, '1-5-1', desk.now()));
  desk.run(HORIZON_MS + 6 * LAG_MS);
  expect(haltOf(desk)).toContain('Order 1-5-1');
  expect(endOf(desk, id)).toBe('not-placed');
});
