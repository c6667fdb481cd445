// Fills at the price of a create without an answer, of an order that no list has shown (decision 0015).
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, LAG_MS } from './desk-settings.ts';
import { haltOf, list, lostBid } from './lost-bid.ts';
import { endOf, fillOf, inSlot, moveWallet, ops, START, tradeNow } from './trader-kit.ts';

describe('a partial fill at our price, of an order that no list has shown', () => {
  const partly = (): ReturnType<typeof lostBid> => {
    const lost = lostBid();
    const fill = fillOf(lost.order, orderId('1-9-1'), {
      at: lost.desk.now(),
      quantity: lost.order.quantity.mul(0.3),
    });
    lost.desk.shows.fills.push(fill);
    moveWallet(lost.desk.shows, fill);
    lost.desk.run(1_500);
    expect(inSlot(lost.desk, 'buy:0').state).toBe('unknown');
    expect(lost.desk.events.filter(({ type }) => type === 'fill')).toEqual([]);
    return lost;
  };

  test('is ours once a list shows the order as it was sent', () => {
    const { desk, order, id } = partly();
    list(desk, order, '1-9-1');
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ intentId: id, orderId: '1-9-1' });
    expect(desk.events.filter(({ type }) => type === 'fill')).toMatchObject([{ payload: { intentId: id } }]);
  });

  test("is the owner's once a list shows the order otherwise (seed 12)", () => {
    const { desk, order } = partly();
    list(desk, { ...order, quantity: order.quantity.mul(0.6) }, '1-9-1');
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(ops(desk)).toContain('external-fill');
  });

  /** Lists lack the order for longer than they may trail: what is booked of it is the owner's. */
  function bookedAsOwners(): ReturnType<typeof lostBid> {
    const lost = partly();
    lost.desk.run(LAG_MS + 3_000);
    expect(ops(lost.desk)).toContain('external-fill');
    return lost;
  }

  test('is booked for ours when the order is listed after all (seed 7099)', () => {
    const { desk, order, id } = bookedAsOwners();
    list(desk, order, '1-9-1', START);
    desk.run(3_000);
    const bid = inSlot(desk, 'buy:0');
    expect(bid).toMatchObject({ intentId: id, orderId: '1-9-1' });
    expect(bid.filled.eq(order.quantity.mul(0.3))).toBe(true);
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.fills).toMatchObject({ buys: 1 });
  });

  test('is booked for ours when the rest of it fills', () => {
    const { desk, order, id } = bookedAsOwners();
    tradeNow(desk, order, '1-9-1', { quantity: order.quantity.mul(0.7) });
    desk.run(3_000);
    expect(endOf(desk, id)).toMatch(/^filled /);
    expect(haltOf(desk)).toBeUndefined();
  });

  test("is the owner's when no list has shown the order within the lag (seed 208)", () => {
    const { desk } = partly();
    desk.run(LAG_MS + 3_000);
    expect(ops(desk)).toContain('external-fill');
    expect(desk.events.filter(({ type }) => type === 'adopted')).toEqual([]);
    expect(desk.state().markets.get(BTC)?.trades?.unmatchedSince.size).toBe(0);
    expect(haltOf(desk)).toBeUndefined();
  });
});

test('such a fill that comes late, behind the last trade known, waits as well, and is no difference meanwhile', () => {
  const { desk, order } = lostBid();
  const late = fillOf(order, orderId('1-9-1'), { at: desk.now(), quantity: order.quantity.mul(0.3) });
  const newer = fillOf({ ...order, price: decimal(97_000) }, orderId('1-5-1'), { at: desk.now() });
  for (const fill of [late, newer]) moveWallet(desk.shows, fill);
  desk.shows.fills.push(newer);
  desk.run(2_000);
  desk.shows.fills.push(late);
  desk.run(3 * LAG_MS);
  expect(desk.notices.filter(({ op }) => op === 'difference')).toEqual([]);
  expect(desk.notices.filter(({ op }) => op === 'external-fill')).toHaveLength(2);
  expect(desk.events.filter(({ type }) => type === 'adopted')).toEqual([]);
});

test('newer fills on the page wait with such a fill: the cursor never passes a trade that is not booked (R6)', () => {
  const { desk, order } = lostBid();
  const fillsBooked = () => desk.events.filter(({ type }) => type === 'fill');
  const owners = (id: string) => fillOf({ ...order, price: decimal(97_000) }, orderId(id), { at: desk.now() });
  const older = owners('1-5-1');
  const waiting = fillOf(order, orderId('1-9-1'), { at: desk.now(), quantity: order.quantity.mul(0.3) });
  const newer = owners('1-6-1');
  for (const fill of [older, waiting, newer]) {
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
  }
  desk.run(2_000);
  expect(fillsBooked()).toMatchObject([{ payload: { fill: { tradeId: older.tradeId } } }]);
  expect(marketIn(desk.state().durable, BTC).cursor?.tradeId).toBe(older.tradeId);
  // It is known whose it is: it and what waited behind it are booked, in their order.
  list(desk, order, '1-9-1');
  desk.run(2_000);
  const ids = [older, waiting, newer].map(({ tradeId }) => ({ payload: { fill: { tradeId } } }));
  expect(fillsBooked()).toMatchObject(ids);
});

describe('fills of one order, one with a price changed by the exchange', () => {
  const changed = (prices: readonly [number, number]): ReturnType<typeof lostBid> => {
    const lost = lostBid();
    lost.desk.shows.ordersCut = true;
    for (const [index, part] of [0.3, 0.7].entries()) {
      const quantity = lost.order.quantity.mul(part);
      const price = lost.order.price.mul(prices[index] ?? 1);
      tradeNow(lost.desk, { ...lost.order, price }, '1-9-1', { quantity });
    }
    lost.desk.run(3_000);
    return lost;
  };

  test.each([
    ['first', [0.99, 1]],
    ['last', [1, 0.99]],
  ] as const)('are ours where the other one is at our price (F50): the %s', (_, prices) => {
    const { desk, id } = changed(prices);
    expect(endOf(desk, id)).toMatch(/^filled /);
    expect(ops(desk)).not.toContain('external-fill');
  });

  test("are the owner's where neither is", () => {
    const { desk } = changed([0.99, 0.99]);
    expect(ops(desk)).toContain('external-fill');
    expect(desk.events.filter(({ type }) => type === 'adopted')).toEqual([]);
  });
});

describe('fills of the whole quantity, as a taker', () => {
  const takenAfter = (ms: number): ReturnType<typeof lostBid> => {
    const lost = lostBid();
    // A list that is cut proves no absence meanwhile.
    lost.desk.shows.ordersCut = true;
    lost.desk.run(ms);
    tradeNow(lost.desk, lost.order, '1-9-1', { liquidity: 'taker' });
    lost.desk.run(2_000);
    return lost;
  };

  test('are ours while the create could be accepted', () => {
    const { desk, id } = takenAfter(1_000);
    expect(endOf(desk, id)).toMatch(/^filled /);
  });

  test("are the owner's afterward: an order takes when it arrives (seed 8065)", () => {
    const { desk } = takenAfter(20_000);
    expect(ops(desk)).toContain('external-fill');
    expect(desk.events.filter(({ type }) => type === 'adopted')).toEqual([]);
  });
});
