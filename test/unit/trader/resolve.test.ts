// What became of a create whose answer was lost: found by one certain match, proved absent late and completely, or a
// halt.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { unmatchedOrders } from '../../../src/trader/orders/in-question.ts';
import { couldBeOf } from '../../../src/trader/policy/attribution/match.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { codesIn } from './durable-kit.ts';
import { haltOf, type Lost, list, lostBid } from './lost-bid.ts';
import {
  accepted,
  type Desk,
  endOf,
  fillOf,
  inSlot,
  nextCreate,
  ops,
  readyDesk,
  rowOf,
  softRejected,
  tradeNow,
  unknown,
} from './trader-kit.ts';

test.each(['ignore', 'refuse'] as const)(
  'a taker’s fill after its horizon is not of a lost create: %s',
  (foreignOrders) => {
    const { desk, order } = lostBid(unknown, readyDesk(deskSettings({ foreignOrders })));
    const [intent] = desk.intents();
    if (intent === undefined) throw new Error('No intent.');
    const state = desk.state();
    const slackMs = (state.clock?.uncertaintyMs ?? 0) + state.settings.assumptions.maxClockUncertaintyMs;
    const last = intent.timestamp + (intent.horizon - intent.sentAt) + slackMs;
    const took = (at: number) => [fillOf(order, orderId('1-9-1'), { at, liquidity: 'taker' })];
    expect(couldBeOf(state, marketOf(state, BTC), intent, took(last))).toBe(true);
    expect(couldBeOf(state, marketOf(state, BTC), intent, took(last + 1))).toBe(false);
    expect(couldBeOf(state, marketOf(state, BTC), intent, [fillOf(order, orderId('1-9-1'), { at: last + 1 })])).toBe(
      true,
    );
  },
);

describe('an unknown create that took place', () => {
  test('is found when the lists come late, up to the last moment before the proof (F12)', () => {
    const { desk, order } = lostBid();
    desk.run(HORIZON_MS + LAG_MS - 500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    list(desk, order, '1-9-1', desk.now() - 8_000);
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });

  test('is not found on a list that may be cut and show only the owner’s twin, but on complete ones', () => {
    const { desk, order } = lostBid();
    desk.shows.ordersCut = true;
    list(desk, order, '1-9-1');
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(haltOf(desk)).toBeUndefined();
    desk.shows.ordersCut = false;
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });

  test('is not found if two may be it, even if one of them is missing from a list (seed 2588)', () => {
    const { desk, order } = lostBid();
    list(desk, order, '1-9-1');
    list(desk, order, '1-9-2');
    desk.run(1_500);
    expect(codesIn(desk.state().durable).get(BTC)).toBe('order-unknown');
    expect(haltOf(desk)).toMatch(/^2 orders could be intent/);
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== '1-9-1');
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    // No list is so late: the other one is gone. Whether a person canceled it, or it filled, is not known before he
    // says so.
    desk.run(LAG_MS + 2_500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    desk.restart(deskSettings(), [{ symbol: BTC, price: null }]);
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').orderId).toBe('1-9-2');
  });

  test('is found by its fills, and closed when they are all of it', () => {
    const { desk, order, id } = lostBid();
    tradeNow(desk, order, '1-9-1');
    desk.run(1_500);
    expect(endOf(desk, id)).toBe('filled 0.01 of 0.01');
  });

  test('is found by a part of it that filled', () => {
    const { desk, order } = lostBid();
    list(desk, order, '1-9-1');
    tradeNow(desk, order, '1-9-1', { quantity: decimal('0.004') });
    desk.run(1_500);
    const bid = inSlot(desk, 'buy:0');
    expect([bid.state, bid.orderId, bid.filled.toFixed()]).toEqual(['open', '1-9-1', '0.004']);
  });
});

describe('an unknown create that did not take place', () => {
  const provedAfter = (lost: Lost): number => {
    const from = lost.desk.now();
    while (lost.desk.now() < from + 60_000 && endOf(lost.desk, lost.id) === 'not closed') lost.desk.run(100);
    return lost.desk.now() - from;
  };

  test('is proved absent only by two lists that left after the horizon and the lag, a lag apart', () => {
    const lost = lostBid();
    const took = provedAfter(lost);
    expect(endOf(lost.desk, lost.id)).toBe('not-placed');
    expect(took).toBeGreaterThan(HORIZON_MS + 2 * LAG_MS);
    expect(took).toBeLessThan(HORIZON_MS + 2 * LAG_MS + 3_000);
  });

  test.each<[string, (desk: Desk) => void, string?]>([
    [
      'open orders',
      (desk: Desk) => {
        desk.shows.ordersCut = true;
      },
    ],
    [
      'own trades',
      (desk: Desk) => {
        desk.reply = ({ kind }) => (kind === 'create' || kind === 'spot-trades' ? null : undefined);
      },
    ],
    [
      'the wallet',
      (desk: Desk) => {
        desk.reply = ({ kind }) => (kind === 'create' || kind === 'wallet' ? null : undefined);
      },
    ],
    [
      'a wallet that equals the ledger, but for what can be no fill of it',
      (desk: Desk) => {
        desk.shows.balances.INR = (desk.shows.balances.INR ?? decimal(0)).sub(500);
      },
      // The deadline of the difference is over sooner.
    ],
  ])('is not proved without %s, and halts the symbol at the deadline', (_name, spoil, code = 'order-unknown') => {
    const lost = lostBid();
    spoil(lost.desk);
    lost.desk.run(HORIZON_MS + LAG_MS + 20_000);
    expect(inSlot(lost.desk, 'buy:0').state).toBe('unknown');
    expect(haltOf(lost.desk)).toBeUndefined();
    lost.desk.run(20_000);
    expect(inSlot(lost.desk, 'buy:0').state).toBe('unknown');
    expect(codesIn(lost.desk.state().durable).get(BTC)).toBe(code);
    if (code === 'order-unknown')
      expect(haltOf(lost.desk)).toBe('What became of intent 1-1 (buy 0.01 @ 98000) could not be proved.');
  });

  test('gets the time that a slowed lane needs (seed 8102)', () => {
    const { desk } = lostBid();
    desk.pace(0.2);
    desk.shows.balances.INR = decimal(1);
    desk.run(100_000, 5_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.run(60_000, 5_000);
    expect(haltOf(desk)).toBeDefined();
  });

  test('is proved after a start, however long the bot was down: there were no reads meanwhile (seed 0)', () => {
    const lost = lostBid();
    lost.desk.pass(3_600_000);
    lost.desk.restart();
    lost.desk.run(LAG_MS + 5_000);
    expect(haltOf(lost.desk)).toBeUndefined();
    expect(endOf(lost.desk, lost.id)).toBe('not-placed');
  });

  test('halts nothing while the exchange blocks reads, and is proved soon afterward', () => {
    const lost = lostBid();
    const { desk } = lost;
    desk.reply = ({ kind }) =>
      kind === 'create' ? null : { kind: 'throttled', status: 429, retryAt: desk.now() + 5_000 };
    desk.run(10 * 60_000, 5_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(60_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, lost.id)).toBe('not-placed');
  });

  test('is not proved by lists that left before it was given up on: nobody searched them', () => {
    const desk = readyDesk(deskSettings({ assumptions: { readLagBoundMs: 200, venueInternalLagMs: 0 } }));
    const create = nextCreate(desk);
    list(desk, create.request.order, '1-9-1');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(6_000);
    desk.answer(create, unknown);
    expect(endOf(desk, create.intentId)).toBe('not closed');
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });

  test('shown after the proof anyway halts the symbol: the assumption is wrong', () => {
    const lost = lostBid();
    provedAfter(lost);
    lost.desk.run(3_000);
    list(lost.desk, lost.order, '1-9-1');
    // The slot may hold the next order by now, alike or not: neither may claim this one quietly.
    const next = lost.desk.held.find(({ request }) => request.kind === 'create' && request.order.side === 'buy');
    lost.desk.answer(next ?? lost.create, accepted('1-50-1'));
    lost.desk.run(2_000);
    expect(haltOf(lost.desk)).toMatch(/^Order 1-9-1 \(buy 0\.01 @ 98000\) is the same as our/);
  });
});

describe('orders that look alike', () => {
  test("the owner's twin that was listed before the create left is not taken for ours (F39)", () => {
    const desk = readyDesk();
    const twin = { symbol: BTC, side: 'buy', price: decimal(98_000), quantity: decimal('0.01') } as const;
    list(desk, twin, '1-5-1');
    desk.look('orders');
    desk.pass(1_000);
    const { id } = lostBid(unknown, desk);
    desk.run(HORIZON_MS + 2 * LAG_MS + 3_000);
    expect(endOf(desk, id)).toBe('not-placed');
    expect(desk.state().durable.orders.byOrderId.has(orderId('1-5-1'))).toBe(false);
  });

  test("the owner's twin that shows first is found out when ours shows as well", () => {
    const { desk, order } = lostBid();
    list(desk, order, '1-5-1');
    desk.run(1_500);
    list(desk, order, '1-9-1');
    desk.run(1_500);
    expect(haltOf(desk)).toMatch(/^Order 1-9-1 .* is the same as our order 1-5-1/);
  });

  test('a matching order that claims to be older is not adopted, nor is absence proved', () => {
    const { desk, order } = lostBid();
    list(desk, order, '1-9-1', desk.now() - 3_600_000);
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(haltOf(desk)).toMatch(/^Order 1-9-1/);
  });

  test.each([
    ['another price', { price: decimal(97_999) }],
    ['another quantity', { quantity: decimal('0.0101') }],
    ['the other side', { side: 'sell' as const }],
  ])("an order of the owner's with %s is left alone", (_name, change) => {
    const { desk, order } = lostBid();
    list(desk, { ...order, ...change }, '1-9-1');
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).toContain('stray-order');
  });

  test.each(['market', 'stop-limit', 'stop-market', 'other'] as const)('a %s row never fits', (type) => {
    const { desk, order } = lostBid();
    desk.shows.orders.push({ ...rowOf(order, '1-9-1', desk.now()), type });
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
  });

  test("a fill of the owner's order at our price is not ours once listed with another quantity (R7)", () => {
    const { desk, order } = lostBid();
    const owners = { ...order, quantity: order.quantity.mul(0.6) };
    list(desk, owners, '1-9-1');
    desk.run(2_000);
    tradeNow(desk, owners, '1-9-1', { quantity: order.quantity.mul(0.3) });
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(ops(desk)).toContain('external-fill');
    expect(desk.state().durable.orders.byOrderId.has(orderId('1-9-1'))).toBe(false);
    expect(haltOf(desk)).toBeUndefined();
  });

  test("the owner's fill as a maker at a better price is not taken for ours (F55)", () => {
    const { desk, order } = lostBid();
    tradeNow(desk, order, '1-5-1', { price: decimal(97_000) });
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    expect(ops(desk)).toContain('external-fill');
  });
});

test('a soft rejection is watched until the horizon and the lag, and for another lag, then believed (F06)', () => {
  const { desk, id } = lostBid(softRejected);
  desk.run(HORIZON_MS + 2 * LAG_MS - 200);
  expect(inSlot(desk, 'buy:0').state).toBe('soft-rejected');
  desk.run(2_000);
  expect(endOf(desk, id)).toBe('not-placed');
});

/** A desk whose one create became two orders, of which the answer named the first; the symbol is halted. */
function takenTwice(): Desk {
  const desk = readyDesk();
  const create = nextCreate(desk);
  list(desk, create.request.order, '1-9-1');
  list(desk, create.request.order, '1-10-1');
  desk.answer(create, accepted('1-9-1'));
  desk.run(2_000);
  expect(haltOf(desk)).toMatch(/^Order 1-10-1 \(buy 0\.01 @ 98000\) is the same as our order 1-9-1/);
  const canceled = desk.sent.flatMap(({ chosen: { request } }) => (request.kind === 'cancel' ? [request.orderId] : []));
  expect(canceled).not.toContain('1-10-1');
  return desk;
}

describe('the same order accepted twice (F11): the second is reported, not canceled; nothing more is placed', () => {
  test('a stop ends once our orders are proved, is not flat, and names the open order', () => {
    const desk = takenTwice();
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS);
    expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: false } } });
    expect(desk.state().durable.orders.intents.size).toBe(0);
    expect(unmatchedOrders(desk.state())).toMatchObject([{ row: { orderId: '1-10-1' }, mayBeOurs: true }]);
  });

  test('a stop is flat where a person has canceled it', () => {
    const desk = takenTwice();
    desk.shows.orders = [];
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS);
    expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: true } } });
    expect(unmatchedOrders(desk.state())).toEqual([]);
  });

  test('if the answer was lost as well, a stop ends with both named, and is not flat', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    for (const id of ['1-9-1', '1-10-1']) list(desk, create.request.order, id);
    desk.run(1_500);
    expect(haltOf(desk)).toMatch(/2 orders could be intent/);
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 4 * LAG_MS);
    expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: false } } });
    const named = unmatchedOrders(desk.state()).map(({ row, mayBeOurs }) => [row.orderId, mayBeOurs]);
    expect(named).toEqual([
      ['1-9-1', true],
      ['1-10-1', true],
    ]);
  });
});
