// An order that rests has its funds locked: what the wallet locks stands against lists that lack the order.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { ASSUMPTIONS, BTC, deskSettings, ETH, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  acknowledged,
  type Desk,
  endOf,
  fillNow,
  fillOf,
  inSlot,
  moveOrders,
  moveWallet,
  nextCreate,
  ops,
  quotingDesk,
  readNow,
  readyDesk,
  rowOf,
  unknown,
  walletRow,
} from './trader-kit.ts';

const { resolutionDeadlineMs } = deskSettings().assumptions;
const DOUBT_MS = Math.max(LAG_MS, resolutionDeadlineMs);

/** The lists of open orders lack everything, and the wallet goes on locking what rests; creates are not answered. */
function holes(desk: Desk): void {
  desk.reply = ({ kind }) => {
    if (kind === 'create') return null;
    if (kind !== 'open-orders') return undefined;
    return { kind: 'read', read: { rows: [], complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
}

function lostButResting(): { readonly desk: Desk; readonly id: string } {
  const desk = readyDesk();
  const create = nextCreate(desk);
  if (create.request.kind !== 'create') throw new Error('No create.');
  desk.shows.orders.push(rowOf(create.request.order, '1-9-1', desk.now()));
  desk.answer(create, unknown);
  return { desk, id: create.intentId ?? '' };
}

describe('an unknown create whose order rests', () => {
  test(
    'is not called absent by lists that lack it while its funds are locked, and found when they show ' +
      'it (seed 264)',
    () => {
      const { desk, id } = lostButResting();
      holes(desk);
      desk.run(HORIZON_MS + LAG_MS + DOUBT_MS - 1_000);
      expect(endOf(desk, id)).toBe('not closed');
      desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
      desk.run(2_000);
      expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: orderId('1-9-1') });
      expect(haltsIn(desk.state().durable).size).toBe(0);
    },
  );
});

describe('orders that the wallet may not have had yet', () => {
  test('one that was placed after it says nothing of what it locked (seed 5089)', () => {
    const desk = readyDesk(deskSettings({ symbols: [BTC, ETH] }));
    const { [ETH]: ether } = desk.shows.books;
    delete desk.shows.books[ETH];
    desk.run(3_000);
    const withoutBid = (request: VenueRequest): ReturnType<Desk['reply']> => {
      if (request.kind !== 'open-orders') return undefined;
      const rows = desk.shows.orders.filter(({ side, symbol }) => side !== 'buy' || symbol !== BTC);
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.reply = withoutBid;
    desk.run(2 * LAG_MS);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    desk.reply = (request) => (request.kind === 'wallet' ? null : withoutBid(request));
    if (ether !== undefined) desk.shows.books[ETH] = ether;
    desk.run(5_000);
    expect(inSlot(desk, 'buy:0', ETH).state).toBe('open');
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
  });
});

describe('an order that was placed within the time by which a wallet may trail', () => {
  test('is not taken for locked in that wallet, whose locks may all be those of an order that lists lack (F56)', () => {
    const desk = readyDesk(deskSettings({ symbols: [BTC, ETH] }));
    const { [ETH]: ether } = desk.shows.books;
    delete desk.shows.books[ETH];
    desk.run(3_000);
    const { orderId: lacked } = inSlot(desk, 'buy:0');
    // Lists lack the bid, which rests; the wallet trails, and has only the orders of before.
    let ordersInWallet = desk.shows.orders;
    desk.reply = (request) => {
      if (request.kind === 'open-orders')
        return readNow(
          desk,
          desk.shows.orders.filter((row) => row.orderId !== lacked),
        );
      if (request.kind !== 'wallet') return undefined;
      const { balances } = desk.shows;
      return readNow(
        desk,
        Object.entries(balances).map(([asset, total]) => walletRow(asset, total, ordersInWallet)),
      );
    };
    desk.run(LAG_MS + 3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    ordersInWallet = [...desk.shows.orders];
    if (ether !== undefined) desk.shows.books[ETH] = ether;
    desk.run(2_000);
    const other = inSlot(desk, 'buy:0', ETH);
    expect(other.state).toBe('open');
    // It can be accepted no more, and the wallet trails by less than is assumed.
    desk.pass(other.horizon + 1 - desk.now());
    expect(desk.now() - other.sentAt).toBeLessThan(LAG_MS);
    desk.look('trades', 'wallet');
    ordersInWallet = desk.shows.orders;
    desk.pass(100);
    desk.look('orders');
    desk.run(1_000);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
  });
});

test('an order that ended since it was listed explains no lock of a wallet of after that', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  desk.run(3_000);
  const lacked = inSlot(desk, 'buy:0');
  const other = inSlot(desk, 'buy:0', ETH);
  desk.reply = ({ kind }) =>
    kind === 'open-orders'
      ? readNow(
          desk,
          desk.shows.orders.filter(({ orderId }) => orderId !== lacked.orderId),
        )
      : undefined;
  desk.run(LAG_MS + DOUBT_MS);
  expect([inSlot(desk, 'buy:0').state, inSlot(desk, 'buy:0', ETH).state]).toEqual(['closing', 'open']);
  // The owner cancels it; what is locked now is the other's.
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== other.orderId);
  desk.look('trades', 'wallet');
  expect(inSlot(desk, 'buy:0').state).toBe('closing');
});

describe('an order that rested until just before the first list that is trusted', () => {
  /** Its end and a list without it; neither trades nor wallet are read meanwhile. */
  function fillsUnread(desk: Desk, fill: () => unknown): void {
    fill();
    desk.reply = ({ kind }) => (kind === 'open-orders' ? undefined : null);
    desk.run(3_000);
    for (const chosen of [...desk.held]) if (chosen.request.kind !== 'create') desk.answer(chosen);
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(LAG_MS + 5_000);
  }

  test('is not called canceled by trades and a wallet of before (seed 5089)', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    holes(desk);
    desk.run(DOUBT_MS - 500);
    fillsUnread(desk, () => fillNow(desk, bid));
    expect(endOf(desk, bid.intentId)).toMatch(/^filled /);
  });

  test('is not called absent by them either', () => {
    const { desk, id } = lostButResting();
    const order = inSlot(desk, 'buy:0');
    holes(desk);
    desk.run(HORIZON_MS + LAG_MS + DOUBT_MS - 500);
    fillsUnread(desk, () => {
      const fill = fillOf(order, orderId('1-9-1'), { at: desk.now() });
      desk.shows.fills.push(fill);
      moveWallet(desk.shows, fill);
      moveOrders(desk.shows, fill);
    });
    expect(endOf(desk, id)).toMatch(/^filled /);
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });
});

describe('two lists that lack an order, and none between them that was answered', () => {
  const failed = { kind: 'failed', fault: { sent: true, reason: 'status', detail: 'HTTP 500.' } } as const;

  /** Lists fail, but for the next one: it lacks all orders. Trades and wallet are answered all the while. */
  function failBut(desk: Desk, count: number): void {
    let left = count;
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind !== 'open-orders') return undefined;
      left -= 1;
      return left < 0 ? failed : readNow(desk, []);
    };
  }

  test('do not close one whose funds are locked: that is no long look', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 2 } }));
    const { intentId } = inSlot(desk, 'buy:0');
    // The first of them may be an outage.
    failBut(desk, 2);
    desk.run(DOUBT_MS + 2 * LAG_MS);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    failBut(desk, 1);
    desk.run(DOUBT_MS);
    expect(endOf(desk, intentId)).toBe('not closed');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(DOUBT_MS);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('do not prove that its create came to nothing', () => {
    const { desk, id } = lostButResting();
    failBut(desk, 0);
    desk.run(HORIZON_MS + LAG_MS);
    failBut(desk, 2);
    desk.run(DOUBT_MS + LAG_MS);
    failBut(desk, 1);
    desk.run(3 * LAG_MS);
    expect(endOf(desk, id)).toBe('not closed');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(DOUBT_MS);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: orderId('1-9-1') });
  });
});

describe("an unknown create whose order rests beside a stop order of the owner's", () => {
  test('is not called absent because the wallet locks too little for both: a stop order may lock nothing', () => {
    const desk = readyDesk();
    const shape = { symbol: BTC, side: 'sell', price: decimal(90_000), quantity: decimal('0.005') } as const;
    desk.shows.orders.push({ ...rowOf(shape, '1-7-1', desk.now()), type: 'stop-limit' });
    desk.look('orders');
    desk.pass(2 * LAG_MS);
    desk.look('orders', 'trades', 'wallet', 'book');
    desk.pass(100);
    desk.look('book');
    desk.answer(nextCreate(desk));
    const create = nextCreate(desk);
    if (create.request.kind !== 'create') throw new Error('No create.');
    expect(create.request.order.side).toBe('sell');
    desk.shows.orders.push(rowOf(create.request.order, '1-99-1', desk.now()));
    desk.answer(create, unknown);
    const { orders, balances } = desk.shows;
    const locking = orders.filter(({ type }) => type === 'limit');
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind === 'open-orders')
        return readNow(
          desk,
          orders.filter((row) => row.orderId !== '1-99-1'),
        );
      if (kind !== 'wallet') return undefined;
      return readNow(
        desk,
        Object.entries(balances).map(([asset, total]) => walletRow(asset, total, locking)),
      );
    };
    desk.run(HORIZON_MS + 2 * LAG_MS + 6_000);
    expect(endOf(desk, create.intentId ?? '')).toBe('not closed');
  });
});

describe('an unknown create that did not take place', () => {
  test('is proved absent although the owner has locked as much, only later: nobody can tell the two apart', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind !== 'wallet') return undefined;
      const rows = Object.entries(desk.shows.balances).map(([asset, total]) => {
        const row = walletRow(asset, total, []);
        const half = total.div(2);
        return { ...row, free: total.sub(half), locked: half };
      });
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(HORIZON_MS + LAG_MS + DOUBT_MS + LAG_MS - 2_000);
    expect(endOf(desk, create.intentId ?? '')).toBe('not closed');
    desk.run(6_000);
    expect(endOf(desk, create.intentId ?? '')).toBe('not-placed');
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });
});

describe('an open order that lists lack', () => {
  test('is not closed by them while its funds are locked (seed 1041)', () => {
    const desk = quotingDesk();
    holes(desk);
    desk.run(DOUBT_MS - 2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    desk.reply = () => undefined;
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('is closed after the lag once its funds are free: the owner canceled it', () => {
    const desk = quotingDesk();
    const { intentId } = inSlot(desk, 'buy:0');
    desk.shows.orders = desk.shows.orders.filter(({ side }) => side !== 'buy');
    desk.run(LAG_MS + 5_000);
    expect(endOf(desk, intentId)).toBe('canceled');
    expect(decimal(haltsIn(desk.state().durable).size).isZero()).toBe(true);
  });

  test('is not closed by a cancel that was acknowledged and belied: a list showed it a lag later (F34)', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 2 } }));
    const bid = inSlot(desk, 'buy:0');
    let hole = false;
    desk.reply = (request) => {
      if (request.kind === 'cancel' && request.orderId === bid.orderId) return acknowledged;
      if (request.kind !== 'open-orders') return undefined;
      const { orders } = desk.shows;
      return readNow(
        desk,
        orders.filter((row) => !hole || row.orderId !== bid.orderId),
      );
    };
    const near = desk.shows.books;
    desk.shows.books = { [BTC]: [79_000, 81_000] };
    hole = true;
    for (let i = 0; i < 100 && inSlot(desk, 'buy:0').state !== 'closing'; i += 1) desk.run(100);
    desk.shows.books = near;
    desk.run(LAG_MS - 500);
    hole = false;
    // Until then the cancel may yet have come, and the list trail.
    desk.run(ASSUMPTIONS.venueInternalLagMs - 500);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    desk.run(2_000);
    expect(ops(desk)).toContain('reopened');
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: bid.orderId, cancel: 'none' });
    desk.run(3_000);
    hole = true;
    desk.run(LAG_MS + 10_000);
    expect(endOf(desk, bid.intentId)).toBe('not closed');
  });
});
