// Lists that lack an order for a while: a hole lasts for a lag bound at the most, and what fills behind it is counted.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import { ASSUMPTIONS, BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  acknowledged,
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

/** The lists of open orders lack everything; creates are not answered. */
function holes(desk: Desk): void {
  desk.reply = ({ kind }) => (kind === 'create' ? null : kind === 'open-orders' ? readNow(desk, []) : undefined);
}

const noHoles = (desk: Desk): void => {
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
};

function lostButResting(): { readonly desk: Desk; readonly id: string } {
  const desk = readyDesk();
  const create = nextCreate(desk);
  desk.shows.orders.push(rowOf(create.request.order, '1-9-1', desk.now()));
  desk.answer(create, unknown);
  return { desk, id: create.intentId };
}

describe('after a hole shorter than a lag bound', () => {
  test('an unanswered create is not proved absent, and found', () => {
    const { desk, id } = lostButResting();
    holes(desk);
    desk.run(HORIZON_MS + 2 * LAG_MS - 500);
    expect(endOf(desk, id)).toBe('not closed');
    noHoles(desk);
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: orderId('1-9-1') });
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });

  test("fills until its end are counted: earlier trades and wallets don't show how much", () => {
    const fillsUnread = (desk: Desk, fill: () => unknown): void => {
      fill();
      desk.reply = ({ kind }) => (kind === 'open-orders' ? undefined : null);
      desk.run(3_000);
      for (const chosen of [...desk.held]) if (chosen.request.kind !== 'create') desk.answer(chosen);
      noHoles(desk);
      desk.run(LAG_MS + 5_000);
    };
    const open = quotingDesk();
    const bid = inSlot(open, 'buy:0');
    holes(open);
    open.run(LAG_MS - 500);
    fillsUnread(open, () => fillNow(open, bid));
    expect(endOf(open, bid.intentId)).toMatch(/^filled /);
    const { desk, id } = lostButResting();
    const order = inSlot(desk, 'buy:0');
    holes(desk);
    desk.run(HORIZON_MS + 2 * LAG_MS - 500);
    fillsUnread(desk, () => {
      tradeNow(desk, order, '1-9-1');
    });
    expect(endOf(desk, id)).toMatch(/^filled /);
  });
});

test('an order that its owner canceled by hand is closed a lag after the list that lacks it', () => {
  const desk = quotingDesk();
  const { intentId } = inSlot(desk, 'buy:0');
  desk.shows.orders = desk.shows.orders.filter(({ side }) => side !== 'buy');
  desk.run(LAG_MS);
  expect(endOf(desk, intentId)).toBe('not closed');
  desk.run(5_000);
  expect(endOf(desk, intentId)).toBe('canceled');
  expect(haltsIn(desk.state().durable).size).toBe(0);
});

describe('two lists that lack an order, with no answered list between them', () => {
  const failed = { kind: 'failed', fault: { sent: true, reason: 'status', detail: 'HTTP 500.' } } as const;
  /** Longer than any gap between two lists that look at the same time. */
  const GAP_MS = 3 * ASSUMPTIONS.resolutionDeadlineMs;

  /** Lists fail, but for the next ones: they lack all orders. Trades and wallet are answered all the while. */
  function failBut(desk: Desk, count: number): void {
    let left = count;
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind !== 'open-orders') return undefined;
      left -= 1;
      return left < 0 ? failed : readNow(desk, []);
    };
  }

  test('do not close it', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 2 } }));
    const { intentId } = inSlot(desk, 'buy:0');
    // The first of them may be an outage.
    failBut(desk, 2);
    desk.run(GAP_MS);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    failBut(desk, 1);
    desk.run(GAP_MS);
    expect(endOf(desk, intentId)).toBe('not closed');
    noHoles(desk);
    desk.run(GAP_MS);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('do not prove that its create failed', () => {
    const { desk, id } = lostButResting();
    failBut(desk, 0);
    desk.run(HORIZON_MS + LAG_MS);
    failBut(desk, 1);
    desk.run(GAP_MS);
    failBut(desk, 1);
    desk.run(3 * LAG_MS);
    expect(endOf(desk, id)).toBe('not closed');
    noHoles(desk);
    desk.run(LAG_MS);
    expect(ops(desk)).toContain('adopted');
  });
});

test('an acknowledged cancel that a list disproves a lag later is no evidence any more (F34)', () => {
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
  desk.run(LAG_MS);
  expect(endOf(desk, bid.intentId)).toBe('not closed');
});
