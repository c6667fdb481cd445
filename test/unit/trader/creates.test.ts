// What every answer to a create makes of its intent, and that a slot has one order at most until that is known.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { IntentState } from '../../../src/trader/durable/intent.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import type { CreateOutcome } from '../../../src/venue/outcomes.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  accepted,
  type Desk,
  endOf,
  fillNow,
  inSlot,
  nextCreate,
  notSent,
  ops,
  quotingDesk,
  readyDesk,
  rejected,
  rowOf,
  softRejected,
  textOf,
  tradeNow,
  unknown,
} from './trader-kit.ts';

const slotsAfter = (outcome: CreateOutcome): { desk: Desk; state: IntentState; end: string } => {
  const desk = readyDesk();
  const create = nextCreate(desk);
  const id = create.intentId;
  desk.answer(create, outcome);
  const live = desk.intents().find(({ intentId }) => intentId === id);
  return { desk, state: live?.state ?? 'closed', end: endOf(desk, id) };
};

describe('an answer to a create', () => {
  test.each<[string, CreateOutcome, IntentState, string]>([
    ['accepted', accepted('1-7-1'), 'open', 'not closed'],
    ['not sent: no byte left', notSent, 'closed', 'not-placed'],
    ['rejected for its price', rejected(-1114), 'closed', 'rejected'],
    ['rejected for the time', rejected(-1021), 'closed', 'rejected'],
    ['rejected for the keys', rejected(-2015, 403), 'closed', 'rejected'],
    ['200 with a message alone (F06)', softRejected, 'soft-rejected', 'not closed'],
    ['lost (F01)', unknown, 'unknown', 'not closed'],
  ])('%s', (_name, outcome, state, end) => {
    const made = slotsAfter(outcome);
    expect([made.state, made.end]).toEqual([state, end]);
  });

  test('an order of ours is a quote of the strategy, rounded, and written down before it leaves', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    expect(create.request.kind === 'create' && textOf(create.request.order)).toBe('buy 0.01 @ 98000');
    expect(desk.events.at(-1)?.type).toBe('intent');
    expect(desk.slots()).toEqual(['buy:0 sent']);
  });

  test('the same id for a second order is impossible: its outcome is unknown (F17)', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0').orderId ?? '';
    fillNow(desk, inSlot(desk, 'sell:0'));
    const create = nextCreate(desk);
    desk.answer(create, accepted(bid));
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 unknown']);
    expect(inSlot(desk, 'sell:0').orderId).toBeNull();
  });

  test("the id of an owner's order that was there before is no id of ours either (F17)", () => {
    const desk = readyDesk();
    const owners = { symbol: 'BTC/INR', side: 'buy', price: decimal(90_000), quantity: decimal(1) } as const;
    desk.shows.orders = [rowOf(owners, '1-5-1', desk.now())];
    desk.look('orders');
    desk.answer(nextCreate(desk), accepted('1-5-1'));
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
  });

  test("may be another create's, and so may the next one: the list says whose each is (seed 2773)", () => {
    const { desk, bid, ask } = swappedPair();
    desk.answer(bid.create, accepted('1-1-1'));
    desk.answer(ask.create, accepted('1-9-1'));
    expect(desk.slots()).toEqual(['buy:0 unknown', 'sell:0 unknown']);
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
    expect(inSlot(desk, 'sell:0')).toMatchObject({ state: 'open', orderId: '1-9-2' });
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });

  test('an untrusted id from an answer is no later create’s (seed 8280)', () => {
    const { desk, bid, ask } = swappedPair();
    desk.answer(bid.create, accepted('1-1-1'));
    desk.answer(ask.create, accepted('1-9-2'));
    // The first one was never placed: nothing is doubtful any more while the lists trail.
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId === '1-1-1');
    desk.run(LAG_MS + HORIZON_MS + 60_000);
    expect(desk.held).not.toEqual([]);
    const [create] = desk.held.splice(-1);
    if (create === undefined) throw new Error('No create.');
    desk.answer(create, accepted('1-9-2'));
    expect(desk.intents().find(({ intentId }) => intentId === create.intentId)?.state).toBe('unknown');
  });

  test('with an unknown market halts the symbol', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), rejected(-1121));
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('exchange');
  });

  test('with the id of an order with other values stops the symbol: which one is ours is unknown (F79)', () => {
    const { desk, bid, ask } = swappedPair();
    desk.answer(bid.create, unknown);
    desk.answer(ask.create, accepted('1-9-1'));
    desk.run(3_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('order-unknown');
    expect(haltsIn(desk.state().durable).get(BTC)).toBe(
      `The exchange named order 1-9-1 (${textOf(bid.order)}) for our ${textOf(ask.order)}: it is another order. ` +
        'Cancel unwanted orders by hand, then resume the symbol.',
    );
  });
});

/** Two creates on their way whose orders, 1-9-1 and 1-9-2, are on the book; 1-1-1 was there before. */
function swappedPair() {
  const desk = readyDesk();
  const owners = { symbol: BTC, side: 'buy', price: decimal(90_000), quantity: decimal(1) } as const;
  desk.shows.orders = [rowOf(owners, '1-1-1', desk.now())];
  desk.look('orders');
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  for (const end = desk.now() + 20_000; desk.now() < end && desk.held.length < 2; ) desk.run(100);
  const placed = desk.held.map((create, at) => {
    if (create.request.kind !== 'create') throw new Error('No create.');
    const { order } = create.request;
    desk.shows.orders.push(rowOf(order, `1-9-${at + 1}`, desk.now()));
    return { create, order };
  });
  const [bid, ask] = placed;
  if (!bid || !ask) throw new Error('No two creates.');
  return { desk, bid, ask };
}

describe('a slot stays taken, and no second create leaves for it, while its order is', () => {
  const second = (desk: Desk, forMs = 3_000): number => {
    const before = desk.sent.length;
    desk.run(forMs);
    return desk.sent
      .slice(before)
      .filter(({ chosen: { request } }) => request.kind === 'create' && request.order.side === 'buy').length;
  };
  const bidAs = (outcome: CreateOutcome | null, refresh = {}): Desk => {
    const desk = readyDesk(deskSettings({ refresh }));
    const create = nextCreate(desk);
    if (outcome) desk.answer(create, outcome);
    return desk;
  };

  test('on its way', () => expect(second(bidAs(null))).toBe(0));
  // Unknown and softly rejected ones: orders/while-unknown.test.ts.
  test('open', () => {
    const desk = quotingDesk();
    expect(second(desk)).toBe(0);
  });
  test('being canceled, without an answer', () => {
    const desk = quotingDesk();
    desk.run(2_500);
    desk.reply = ({ kind }) => (kind === 'cancel' ? null : undefined);
    desk.shows.books['BTC/INR'] = [89_000, 91_000];
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('cancel-sent');
    expect(second(desk)).toBe(0);
  });
  test('closing: gone from the list, its fills not counted yet', () => {
    const desk = quotingDesk();
    desk.run(2_500);
    desk.shows.books['BTC/INR'] = [89_000, 91_000];
    desk.run(1_500);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    expect(second(desk)).toBe(0);
  });
  test('and free at once when nothing left this machine', () => {
    const desk = bidAs(notSent);
    expect(second(desk)).toBe(1);
  });
});

describe('exposure', () => {
  test('an unknown bid keeps its reservation, and counts as filled against the inventory limit', () => {
    const desk = readyDesk(deskSettings({ limits: { maxInventoryBase: '1.015' } }));
    desk.answer(nextCreate(desk), unknown);
    const [inr] = takeSnapshot(desk.state(), desk.now()).assets.filter(({ asset }) => asset === 'INR');
    // 0.01 × 98,000 and the fee of 1 %.
    expect(inr?.reserved).toBe('989.8');
    desk.run(500);
    expect(desk.slots()).toEqual(['buy:0 unknown', 'sell:0 open']);
  });

  test('while a bid is unknown, another level only takes the remaining room', () => {
    const settings = deskSettings({
      limits: { maxInventoryBase: '1.015' },
      params: { levels: 2, halfSpreadStepBps: 50 },
    });
    const desk = readyDesk(settings);
    desk.answer(nextCreate(desk), unknown);
    desk.run(900);
    expect(desk.slots()).toEqual(['buy:0 unknown', 'buy:1 open', 'sell:0 open', 'sell:1 open']);
    const bids = desk.intents().filter(({ side }) => side === 'buy');
    expect(bids.reduce((sum, { quantity }) => sum + quantity.toNumber(), 0)).toBeLessThanOrEqual(0.015);
  });
});

describe('an order that fills before its create is answered (F13)', () => {
  test("is booked as the bot's own when the answer comes", () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    tradeNow(desk, create.request.order, '1-9-1');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(2_000);
    desk.answer(create, accepted('1-9-1'));
    desk.run(2_000);
    expect(endOf(desk, create.intentId)).toBe('filled 0.01 of 0.01');
    expect(ops(desk)).not.toContain('external-fill');
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.fills.buys).toBe(1);
  });

  test('is found by its fill when the answer is lost', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    tradeNow(desk, create.request.order, '1-9-1');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(2_000);
    desk.answer(create, unknown);
    desk.run(2_000);
    expect(endOf(desk, create.intentId)).toBe('filled 0.01 of 0.01');
  });
});
