// The list of own orders when it is wrong: zombies, holes, doubles, nothing at all, and other values than were sent.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { reservedIn } from '../../../src/trader/durable/intent.ts';
import { seenOf } from '../../../src/trader/state/seen.ts';
import type { ForeignOrders } from '../../../src/trader/state/settings.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { trailBy } from './lags/lagging-desk.ts';
import { haltOf } from './lost-bid.ts';
import { runUntil } from './run-until.ts';
import {
  accepted,
  type Desk,
  deskWith,
  endOf,
  fillNow,
  inSlot,
  makeReady,
  nextCreate,
  ops,
  quotingDesk,
  readyDesk,
  rejected,
  rowOf,
  tradeNow,
  unknown,
} from './trader-kit.ts';

const lists = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'open-orders').length;

/** So many of the next lists are empty. */
function emptyLists(desk: Desk, count: number): void {
  let left = count;
  desk.reply = ({ kind }) => {
    if (kind !== 'open-orders' || left === 0) return undefined;
    left -= 1;
    return { kind: 'read', read: { rows: [], complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
}

test('a list that trails the answer to a create proves nothing about an order placed just before (F09, F12)', () => {
  const desk = readyDesk();
  const create = nextCreate(desk);
  const answeredAt = desk.now() + HORIZON_MS - 500;
  trailBy(desk, { orders: LAG_MS - 1_000, trades: 0 });
  desk.run(answeredAt - desk.now());
  desk.answer(create);
  for (const end = desk.now() + 2 * LAG_MS; desk.now() < end; ) {
    desk.run(100);
    expect(desk.intents().find(({ intentId }) => intentId === create.intentId)?.state).toBe('open');
  }
});

describe('a list without most of our orders (F38)', () => {
  test('is read again before anything is concluded, and the orders stay open', () => {
    const desk = quotingDesk();
    desk.run(1_500);
    emptyLists(desk, 1);
    desk.run(3_000);
    expect(ops(desk)).toContain('mass-close');
    expect(ops(desk)).not.toContain('closing');
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('is read again before new orders, which no list has shown yet, are concluded to be gone', () => {
    const desk = readyDesk(deskSettings({ polling: { ...deskSettings().polling, openOrdersMs: 4 * LAG_MS } }));
    trailBy(desk, { orders: 30 * LAG_MS, trades: 0 });
    runUntil(desk, () => ops(desk).includes('mass-close'));
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    runUntil(desk, () => desk.slots().includes('sell:0 closing'));
  });

  test('twice in a row is trusted like any list: the orders are closing, and open again when they are listed', () => {
    const desk = quotingDesk();
    desk.run(1_500);
    emptyLists(desk, 2);
    desk.run(2_000);
    expect(desk.slots()).toEqual(['buy:0 closing', 'sell:0 closing']);
    desk.run(LAG_MS + 3_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('is read again in each outage: the list between two of them ends the first', () => {
    const desk = quotingDesk();
    desk.run(1_500);
    for (let outage = 1; outage <= 2; outage += 1) {
      emptyLists(desk, 1);
      desk.run(3_000);
      expect(desk.notices.filter(({ op }) => op === 'mass-close')).toHaveLength(outage);
    }
    expect(ops(desk)).not.toContain('closing');
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('is requested again at once, not at its next turn', () => {
    const slow = { bookMs: 1_000, openOrdersMs: 8_000, tradesMs: 8_000, walletMs: 8_000 };
    const desk = quotingDesk(deskSettings({ polling: { ...deskSettings().polling, ...slow } }));
    desk.run(9_000);
    emptyLists(desk, 1);
    const before = lists(desk);
    runUntil(desk, () => ops(desk).includes('mass-close'));
    desk.run(1_500);
    expect(lists(desk) - before).toBeGreaterThanOrEqual(2);
  });

  test('counts for the orders that it shows: one that vanishes afterward is settled a lag later', () => {
    const desk = quotingDesk(deskSettings({ params: { levels: 2 } }));
    desk.run(3_000);
    const ask = inSlot(desk, 'sell:0');
    const row = desk.shows.orders.find(({ orderId }) => orderId === ask.orderId);
    if (row === undefined) throw new Error('It does not rest.');
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== ask.orderId);
    runUntil(desk, () => desk.slots().includes('sell:0 closing'));
    const rows = desk.shows.orders;
    desk.shows.orders = [row];
    runUntil(desk, () => ops(desk).includes('mass-close'));
    const shownAt = seenOf(desk.state().orders, ask.intentId).listedAt ?? 0;
    expect(desk.now() - shownAt).toBeLessThan(500);
    desk.shows.orders = rows;
  });

  test('after our own cancels is not suspicious', () => {
    const desk = quotingDesk();
    desk.run(1_500);
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.run(3_000);
    expect(ops(desk)).not.toContain('mass-close');
  });
});

test('a list that holds a row twice, in any order, is the same list (F35)', () => {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => {
    if (kind !== 'open-orders') return undefined;
    const rows = [...desk.shows.orders, ...desk.shows.orders].reverse();
    return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
  desk.run(5_000);
  expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  expect(haltOf(desk)).toBeUndefined();
});

test('a filled order that is still listed for a while is not brought back, nor canceled (F33)', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const zombie = desk.shows.orders.find(({ orderId }) => orderId === bid.orderId);
  fillNow(desk, bid);
  if (zombie) desk.shows.orders.push(zombie);
  desk.run(LAG_MS - 2_000);
  if (zombie) desk.shows.orders = desk.shows.orders.filter((row) => row !== zombie);
  desk.run(3_000);
  expect(ops(desk)).not.toContain('stray-order');
  expect(ops(desk)).not.toContain('reopened');
  expect(haltOf(desk)).toBeUndefined();
});

test('a wallet between two fills is no proof: it is read again (F36)', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  let between = false;
  desk.reply = ({ kind }) => {
    if (kind !== 'wallet' || between) return undefined;
    between = true;
    const answer = desk.answerTo({ kind: 'wallet', stamp: { timestamp: desk.now(), recvWindow: 2_500 } }, desk.now());
    fillNow(desk, bid, { quantity: decimal('0.004') });
    return answer;
  };
  desk.run(LAG_MS + 6_000);
  expect(ops(desk)).not.toContain('difference');
  expect(desk.events.filter(({ type }) => type === 'fill')).toHaveLength(1);
  expect(ops(desk)).not.toContain('late-fill');
  expect(desk.state().reconciliation.equalSentAt).toBeGreaterThan(desk.now() - 5_000);
});

describe('an order that the exchange keeps with other values than were sent (F16)', () => {
  test("is ours with the exchange's values, and a person is notified", () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.answer(create);
    const [row] = desk.shows.orders;
    if (!row) throw new Error('No order.');
    const rounded = {
      ...row,
      price: decimal(97_950),
      originalQuantity: decimal('0.0098'),
      remainingQuantity: decimal('0.0098'),
    };
    desk.shows.orders = [rounded];
    desk.run(1_000);
    expect(desk.notices.filter(({ op, level }) => op === 'order-differs' && level === 'page')).toHaveLength(1);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ price: decimal(97_950), quantity: decimal('0.0098') });
    // 97,950 × 0.0098 and 1 %.
    const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
    expect(bid.reserve.amount).toBe('969.5091');
    expect(amountText(reservedIn(desk.state().durable.orders, 'INR'))).toBe('969.5091');
    expect(ask.reserve.asset).toBe('BTC');
    fillNow(desk, bid);
    desk.run(3_000);
    expect(ops(desk)).toContain('closed');
    expect(haltOf(desk)).toBeUndefined();
  });

  test('with a lost answer halts the symbol: a rounded order is neither surely ours nor a proof of absence', () => {
    const desk = deskWith();
    desk.shows.books[BTC] = [99_013, 101_013];
    makeReady(desk);
    const create = nextCreate(desk);
    expect(plain(create.request.order.price)).toBe('98012');
    desk.shows.orders.push(rowOf({ ...create.request.order, price: decimal(98_010) }, '1-9-1', desk.now()));
    desk.answer(create, unknown);
    desk.run(HORIZON_MS + 3 * LAG_MS, 200);
    expect(haltOf(desk)).toBe(
      'Order 1-9-1 (buy 0.0099 @ 98010) may be intent 1-1 (buy 0.0099 @ 98012), kept with other values. Look it up ' +
        "at the exchange, then resume the symbol: with --adopt-orders where it is the bot's.",
    );
    expect(desk.events.find(({ type }) => type === 'symbol-halted')?.payload).toMatchObject({ intents: ['1-1'] });
    expect(endOf(desk, '1-1')).toBe('not closed');
  });

  /** A list shows it, at a lower price, before the create is answered. */
  function listedOnItsWay(foreignOrders: ForeignOrders) {
    const desk = readyDesk(deskSettings({ foreignOrders }));
    const create = nextCreate(desk);
    const altered = { ...create.request.order, price: decimal(97_950) };
    desk.shows.orders.push(rowOf(altered, '1-9-1', desk.now()));
    desk.pass(300);
    desk.look('orders');
    return { desk, create, altered };
  }

  test('listed before its create is answered is nobody else’s', () => {
    const { desk, create } = listedOnItsWay('refuse');
    desk.answer(create, accepted('1-9-1'));
    desk.run(2_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1', price: decimal(97_950) });
  });

  test('filling before its create is answered is filled', () => {
    const { desk, create, altered } = listedOnItsWay('refuse');
    tradeNow(desk, altered, '1-9-1');
    desk.look('trades');
    desk.answer(create, accepted('1-9-1'));
    desk.run(3_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, create.intentId)).toBe('filled 0.01 of 0.01');
  });

  test('filling before any list shows it is filled, once its create is answered', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    tradeNow(desk, { ...create.request.order, price: decimal(97_950) }, '1-9-1');
    desk.look('trades');
    expect(ops(desk)).toContain('external-fill');
    desk.answer(create, accepted('1-9-1'));
    expect(endOf(desk, create.intentId)).toBe('filled 0.01 of 0.01');
  });

  test.each<[ForeignOrders, RegExp | undefined]>([
    ['refuse', /order 1-9-1 \(buy 0\.01 @ 97950\) is not the bot's/],
    ['ignore', undefined],
  ])('or is somebody else’s, which is told once its create is refused (%s)', (foreignOrders, halt) => {
    const { desk, create } = listedOnItsWay(foreignOrders);
    const told = () => desk.notices.filter(({ op }) => op === 'stray-order').length;
    expect([told(), haltOf(desk)]).toEqual([0, undefined]);
    desk.answer(create, rejected(-1114));
    desk.look('orders');
    desk.run(1_000);
    if (halt === undefined) expect(told()).toBe(1);
    else expect(haltOf(desk)).toMatch(halt);
  });
});
