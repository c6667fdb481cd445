// Cancels and what they don't prove: how much had filled, and that the order is gone.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { type Intent, reservedIn } from '../../../src/trader/durable/intent.ts';
import type { CancelOutcome } from '../../../src/venue/outcomes.ts';
import { refused } from '../refused.ts';
import { ASSUMPTIONS, BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  acknowledged,
  type Desk,
  endOf,
  fillNow,
  fillOf,
  inSlot,
  moveWallet,
  ops,
  quotingDesk,
  rejected,
} from './trader-kit.ts';

const EFFECT_MS = ASSUMPTIONS.venueInternalLagMs;

/** The market falls by a tenth: both quotes must go. The bid's cancel waits for its answer. */
function canceling(): { desk: Desk; bid: Intent } {
  const desk = quotingDesk();
  desk.run(2_500);
  const bid = inSlot(desk, 'buy:0');
  desk.reply = (request) =>
    request.kind === 'create' || (request.kind === 'cancel' && request.orderId === bid.orderId) ? null : undefined;
  desk.shows.books[BTC] = [95_000, 96_000];
  desk.run(1_500);
  return { desk, bid };
}

const cancelsOf = (desk: Desk, bid: Intent): number =>
  desk.sent.filter(({ chosen: { request } }) => request.kind === 'cancel' && request.orderId === bid.orderId).length;
const remove = (desk: Desk, bid: Intent): void => {
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
};
const stateOf = (desk: Desk, { intentId }: Intent): string =>
  desk.intents().find((each) => each.intentId === intentId)?.state ?? endOf(desk, intentId);
const cancelOf = (desk: Desk) => {
  const cancel = desk.held.find(({ request }) => request.kind === 'cancel');
  if (!cancel) throw new Error('No cancel is on its way.');
  return cancel;
};

describe('an answer to a cancel', () => {
  const fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' } as const;
  test.each<[string, CancelOutcome, number]>([
    ['acknowledged: it is not sent again while the list may trail', acknowledged, 1],
    ['lost: it is sent again, that is harmless (F23)', { kind: 'unknown', fault }, 3],
    ['not sent', { kind: 'not-sent', fault: { ...fault, sent: false } }, 3],
    ['throttled (F29)', { kind: 'throttled', status: 429, retryAt: 0 }, 3],
    ['rejected', refused(-1124), 3],
  ])('%s', (_name, outcome, cancels) => {
    const { desk, bid } = canceling();
    for (let answers = 0; answers < 8; answers += 1) {
      if (desk.held.some(({ request }) => request.kind === 'cancel')) desk.answer(cancelOf(desk), outcome);
      desk.run(500);
    }
    expect(stateOf(desk, bid)).toBe('cancel-sent');
    expect(cancelsOf(desk, bid)).toBe(cancels);
  });

  test('lost, where another of the order was acknowledged before: what was acknowledged holds', () => {
    const { desk, bid } = canceling();
    desk.run(6_000);
    const [first, ...others] = desk.held.filter(({ request }) => request.kind === 'cancel');
    if (first === undefined || others.length === 0) throw new Error('No two cancels are on their way.');
    desk.answer(first, acknowledged);
    for (const other of others) desk.answer(other, { kind: 'unknown', fault });
    const sent = cancelsOf(desk, bid);
    desk.run(LAG_MS - 1_000);
    expect(cancelsOf(desk, bid)).toBe(sent);
  });

  test('acknowledged and listed even a lag after it took effect: it is sent again (F26, seed 16016 tight)', () => {
    const { desk, bid } = canceling();
    desk.answer(cancelOf(desk), acknowledged);
    desk.run(EFFECT_MS + LAG_MS - 500);
    expect(cancelsOf(desk, bid)).toBe(1);
    expect(ops(desk)).not.toContain('cancel-ineffective');
    desk.run(2_500);
    expect(cancelsOf(desk, bid)).toBe(2);
    expect(ops(desk)).toContain('cancel-ineffective');
  });
});

describe('a cancel and a fill race', () => {
  test('the order was full first: filled, never canceled with nothing (F24)', () => {
    const { desk, bid } = canceling();
    fillNow(desk, bid);
    desk.answer(cancelOf(desk), acknowledged);
    desk.run(1_500);
    expect(stateOf(desk, bid)).toBe('filled 0.01 of 0.01');
  });

  test('a part was first: canceled with that part, and nothing stays reserved (F25)', () => {
    const { desk, bid } = canceling();
    fillNow(desk, bid, { quantity: decimal('0.003') });
    remove(desk, bid);
    desk.answer(cancelOf(desk), acknowledged);
    desk.run(LAG_MS + 3_000);
    expect(stateOf(desk, bid)).toBe('canceled 0.003 of 0.01');
    expect(desk.state().durable.orders.intents.has(bid.intentId)).toBe(false);
  });

  test('gone without a fill: canceled only after the lag, by list, trades and wallet that all left after it', () => {
    const { desk, bid } = canceling();
    remove(desk, bid);
    desk.answer(cancelOf(desk), acknowledged);
    desk.run(1_000);
    expect(stateOf(desk, bid)).toBe('closing');
    desk.run(LAG_MS - 1_000);
    expect(stateOf(desk, bid)).toBe('closing');
    desk.run(3_000);
    expect(stateOf(desk, bid)).toBe('canceled');
  });

  test('the fill shows only after the order is gone (F41)', () => {
    const { desk, bid } = canceling();
    remove(desk, bid);
    const fill = fillOf(bid, bid.orderId ?? ('' as never), { at: desk.now() });
    desk.answer(cancelOf(desk), acknowledged);
    desk.run(LAG_MS - 1_000);
    moveWallet(desk.shows, fill);
    desk.shows.fills.push(fill);
    desk.run(1_000);
    expect(stateOf(desk, bid)).toBe('filled 0.01 of 0.01');
    expect(ops(desk)).not.toContain('difference');
  });
});

describe('the list of open orders', () => {
  const hide = (desk: Desk, forMs: number): void => {
    const rows = desk.shows.orders;
    desk.shows.orders = [];
    desk.run(forMs);
    desk.shows.orders = rows;
  };

  test.each([900, 2_000, LAG_MS - 1_500])('an order missing for %d ms and back is never closed (F34, F38)', (ms) => {
    const desk = quotingDesk();
    desk.run(500);
    hide(desk, ms);
    expect(desk.slots()).toEqual(['buy:0 closing', 'sell:0 closing']);
    desk.run(LAG_MS + 3_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(ops(desk)).not.toContain('stray-order');
    expect(desk.sent.filter(({ chosen }) => chosen.request.kind === 'create')).toHaveLength(2);
  });

  test('an order that is missing and gets a fill is not closed with that part', () => {
    const desk = quotingDesk();
    desk.run(500);
    hide(desk, 1_500);
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004') });
    desk.run(LAG_MS + 3_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', filled: decimal('0.004') });
  });

  test('a page that may be cut closes nothing, however long it lacks an order (S8, F31, F32)', () => {
    const desk = quotingDesk();
    desk.shows.ordersCut = true;
    desk.shows.orders = [];
    desk.run(LAG_MS * 2);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(ops(desk)).toContain('read-failed');
  });

  test('quoting stops when the list of own orders is too old, and the orders are pulled', () => {
    const desk = quotingDesk();
    desk.shows.ordersCut = true;
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 cancel-sent', 'sell:0 cancel-sent']);
  });

  test('a closed order that is still listed within the lag does not come back to life (F33)', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const rows = desk.shows.orders;
    fillNow(desk, bid);
    desk.shows.orders = rows;
    desk.run(LAG_MS - 500);
    expect(endOf(desk, bid.intentId)).toBe('filled 0.01 of 0.01');
    expect(ops(desk)).not.toContain('stray-order');
  });

  test('an order listed after it filled is left alone, and its symbol rests', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const row = desk.shows.orders.filter(({ orderId }) => orderId === bid.orderId);
    fillNow(desk, bid);
    desk.run(1_500);
    desk.shows.orders.push(...row);
    desk.run(LAG_MS + 2_000);
    expect(cancelsOf(desk, bid)).toBe(0);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(/is listed although it was proved closed/);
    expect(desk.notices.filter(({ op }) => op === 'stray-order')).toHaveLength(1);
    expect(endOf(desk, bid.intentId)).toBe('filled 0.01 of 0.01');
  });

  test('an order listed after its cancel counts again, is canceled again, and its symbol rests', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const row = desk.shows.orders.filter(({ orderId }) => orderId === bid.orderId);
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.run(3 * LAG_MS);
    expect(endOf(desk, bid.intentId)).toBe('canceled');
    const reserved = () => amountText(reservedIn(desk.state().durable.orders, bid.reserve.asset));
    expect(reserved()).toBe('0');
    desk.shows.orders.push(...row);
    desk.look('orders');
    expect(desk.intents().find(({ intentId }) => intentId === bid.intentId)).toMatchObject({
      state: 'open',
      slot: 'buy:1000',
      cancel: 'none',
    });
    expect(reserved()).toBe(bid.reserve.amount);
    desk.run(2_000);
    expect(cancelsOf(desk, bid)).toBe(2);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(/is listed although it was proved closed/);
    desk.run(3 * LAG_MS);
    expect(endOf(desk, bid.intentId)).toBe('canceled');
  });

  test('an order that fills before it is ever listed is filled, not vanished (F12, F13)', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    fillNow(desk, bid);
    desk.run(2_000);
    expect(endOf(desk, bid.intentId)).toBe('filled 0.01 of 0.01');
  });
});

test('refused cancels of orders that are gone do not take a slow lane from the reads that would show it', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH], requestsPerSecond: { public: 1, private: 0.5 } }));
  desk.shows.orders = [];
  desk.reply = ({ kind }) => (kind === 'cancel' ? rejected(-1124) : undefined);
  desk.tell({ kind: 'stop' });
  const from = desk.sent.length;
  desk.run(120_000, 2_000);
  const kinds = desk.sent.slice(from).map(({ chosen }) => chosen.request.kind);
  for (const kind of ['open-orders', 'spot-trades', 'wallet']) expect(kinds).toContain(kind);
  expect(desk.state().phase).toBe('stopped');
  expect(desk.state().durable.journal.endedFlat).toBe(true);
});
