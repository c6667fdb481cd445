// Orders that leave: their slot is free once the cancel is acknowledged, and they count as live until proved closed.
import { describe, expect, test } from '@jest/globals';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { ASSUMPTIONS, BTC, deskSettings, LAG_MS } from './desk-settings.ts';
import { acknowledged, type Desk, inSlot, ops, quotingDesk, rejected } from './trader-kit.ts';

const orderOf = (desk: Desk, { intentId }: Intent): Intent | undefined =>
  desk.intents().find((each) => each.intentId === intentId);
const inBid = (desk: Desk): string[] => desk.intents().flatMap(({ slot, state }) => (slot === 'buy:0' ? [state] : []));

/** Quotes rest, and the market falls by 3 %. The exchange answers everything at once. */
function moved(limits: Record<string, unknown> = {}): { desk: Desk; bid: Intent } {
  const desk = quotingDesk(deskSettings({ limits }));
  desk.run(2_500);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [96_000, 98_000];
  return { desk, bid };
}

test('without an acknowledgement the level waits', () => {
  const { desk, bid } = moved();
  desk.reply = (request) => (request.kind === 'cancel' && request.orderId === bid.orderId ? null : undefined);
  desk.run(2_500);
  expect(inBid(desk)).toEqual(['cancel-sent']);
  const cancel = desk.held.find(({ request }) => request.kind === 'cancel');
  if (cancel) desk.answer(cancel, acknowledged);
  desk.run(1_000);
  expect(inBid(desk)).toContain('open');
});

test('an order that is gone without a cancel of ours keeps its level until its fills are counted', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
  desk.run(LAG_MS - 1_000);
  expect(inBid(desk)).toEqual(['closing']);
});

describe('without room next to the canceled order', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['the number per level', { maxLeavingPerSlot: 0 }, /^1 canceled orders of buy:0 are not proved closed yet/],
    ['the notional', { maxOpenNotional: '2500' }, /^Open orders of BTC\/INR would come to/],
    ['the number of orders', { maxOpenOrders: 2 }, /^It would be open order 3 of BTC\/INR/],
  ])('by %s the level waits, says for what, and denies nothing', (_what, limits, sentence) => {
    const { desk } = moved(limits);
    desk.run(1_500);
    expect(inBid(desk)).toEqual(['closing']);
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    expect(view?.sides.buy).toMatchObject({ state: 'leaving', why: expect.stringMatching(sentence) });
    expect(view?.sides.buy.why).toMatch(/The quote waits until .* proved closed\.$/);
    expect(view?.denied).toBeNull();
    desk.run(LAG_MS + 3_000);
    expect(inBid(desk)).toEqual(['open']);
  });
});

test('is closed a lag after its cancel must have reached the book, whatever a list lacked before', () => {
  const { desk, bid } = moved();
  const acknowledgedAt = (): number | undefined =>
    desk.events.flatMap(({ type, payload }) =>
      type === 'cancel-outcome' && payload.intentId === bid.intentId ? [payload.at] : [],
    )[0];
  desk.run(1_500);
  expect(orderOf(desk, bid)?.state).toBe('closing');
  const from = (acknowledgedAt() ?? 0) + ASSUMPTIONS.venueInternalLagMs + LAG_MS;
  while (desk.now() < from) desk.run(100);
  expect(orderOf(desk, bid)?.state).toBe('closing');
  desk.run(2_000);
  expect(orderOf(desk, bid)).toBeUndefined();
});

test('a restart knows the pending cancel: the new order stays', () => {
  const { desk, bid } = moved();
  desk.run(1_500);
  const fresh = desk.intents().find(({ slot, state }) => slot === 'buy:0' && state === 'open');
  desk.restart();
  desk.run(1_500);
  expect(orderOf(desk, bid)).toMatchObject({ state: 'closing', cancel: 'acknowledged' });
  expect(fresh && orderOf(desk, fresh)?.state).toBe('open');
});

test('an acknowledgement that was false: the order is canceled again, counted meanwhile, and the new one stays', () => {
  const { desk, bid } = moved();
  const row = desk.shows.orders.find(({ orderId }) => orderId === bid.orderId);
  if (row === undefined) throw new Error('The bid is not listed.');
  desk.run(1_500);
  const fresh = desk.intents().find(({ slot, state }) => slot === 'buy:0' && state === 'open');
  desk.shows.orders.push(row);
  desk.run(LAG_MS + 2_000);
  expect(ops(desk)).toContain('reopened');
  const cancels = desk.sent.filter(
    ({ chosen: { request } }) => request.kind === 'cancel' && request.orderId === bid.orderId,
  );
  expect(cancels.length).toBeGreaterThan(1);
  expect(fresh && orderOf(desk, fresh)?.state).toBe('open');
});

describe('a move away from the market', () => {
  /** The market rises by 2 %: the bid is too far from it, the ask too near. */
  function risen(limits: Record<string, unknown> = {}): { desk: Desk; bid: Intent; ask: Intent } {
    const desk = quotingDesk(deskSettings({ limits }));
    desk.run(2_500);
    const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
    desk.shows.books[BTC] = [101_000, 103_000];
    return { desk, bid, ask };
  }
  const stepsOf = (desk: Desk, slot: string): string[] =>
    desk.events.flatMap((event) => {
      if (event.type === 'intent' && event.payload.slot === slot) return ['create'];
      const isOurs =
        event.type === 'cancel-sent' &&
        desk.events.some(
          ({ type, payload }) =>
            type === 'intent' && payload.intentId === event.payload.intentId && payload.slot === slot,
        );
      return isOurs ? ['cancel'] : [];
    });

  test('leaves no gap: the new order is on the book before the old one is canceled; near orders go first', () => {
    const { desk } = risen();
    desk.run(2_500);
    expect(stepsOf(desk, 'buy:0')).toEqual(['create', 'create', 'cancel']);
    expect(stepsOf(desk, 'sell:0')).toEqual(['create', 'cancel', 'create']);
  });

  test('waits while a pending cancel takes its room, and stays in the market meanwhile', () => {
    const { desk, bid } = risen({ maxOpenOrders: 2 });
    desk.run(LAG_MS);
    expect(stepsOf(desk, 'sell:0')).toEqual(['create', 'cancel']);
    expect(stepsOf(desk, 'buy:0')).toEqual(['create']);
    expect(orderOf(desk, bid)?.state).toBe('open');
  });

  test('takes none of the last places for pending cancels: those are for urgent cancels', () => {
    const assumptions = { readLagBoundMs: 60_000 };
    const desk = quotingDesk(deskSettings({ assumptions, limits: { maxLeaving: 4 } }));
    desk.run(2_500);
    for (const book of [
      [101_000, 103_000],
      [103_000, 105_000],
      [105_000, 107_000],
    ]) {
      desk.shows.books[BTC] = book as [number, number];
      desk.run(3_000);
    }
    const statesIn = (side: string): string[] =>
      desk.intents().flatMap((intent) => (intent.slot === side ? [intent.state] : []));
    expect(statesIn('sell:0')).toEqual(['closing', 'closing', 'closing', 'open']);
    expect(statesIn('buy:0')).toEqual(['closing', 'open']);
  });

  test('without room for both, ever, the cancel comes first', () => {
    const { desk } = risen({ maxOpenOrders: 2 });
    desk.run(2 * LAG_MS);
    expect(stepsOf(desk, 'sell:0')).toEqual(['create', 'cancel', 'create']);
    expect(stepsOf(desk, 'buy:0')).toEqual(['create', 'cancel']);
  });

  test("while the new one's answer is lost, the old one stays; once its outcome is known, one goes", () => {
    const { desk, bid } = risen();
    const fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' } as const;
    desk.reply = (request) =>
      request.kind === 'create' && request.order.side === 'buy' ? ({ kind: 'unknown', fault } as never) : undefined;
    desk.run(LAG_MS);
    expect(inBid(desk)).toEqual(['open', 'unknown']);
    expect(orderOf(desk, bid)?.state).toBe('open');
  });

  test('a restart in the middle cancels the older of the two', () => {
    const { desk, bid } = risen();
    desk.reply = (request) => (request.kind === 'cancel' && request.orderId === bid.orderId ? null : undefined);
    desk.run(600);
    desk.restart();
    desk.reply = () => undefined;
    desk.run(2_500);
    expect(orderOf(desk, bid)?.state ?? 'closed').not.toBe('open');
    expect(inBid(desk)).toContain('open');
  });
});

describe('two moving levels of a side, with no room for a new order next to them', () => {
  /** Two bids, with a market that has risen by 2 %; nothing is canceled yet. */
  function twoBids(readLagBoundMs = LAG_MS): { desk: Desk; bid: Intent } {
    const params = { levels: 2, askHalfSpreadsBps: [] };
    const desk = quotingDesk(deskSettings({ params, limits: { maxOpenOrders: 2 }, assumptions: { readLagBoundMs } }));
    desk.run(2_500);
    desk.shows.books[BTC] = [101_000, 103_000];
    desk.look('book');
    return { desk, bid: inSlot(desk, 'buy:0') };
  }

  test('leave one at a time: the side stays quoted, and is shown as quoted', () => {
    const { desk } = twoBids();
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    expect(view?.sides.buy).toMatchObject({ state: 'quoted', live: 1, leaving: 1 });
    desk.run(LAG_MS);
    expect(desk.slots()).toEqual(['buy:0 closing', 'buy:1 open']);
  });

  test('the other one stays where one is listed again while its cancel is on its way', () => {
    const { desk, bid } = twoBids(1_000);
    desk.reply = ({ kind }) => (kind === 'cancel' ? null : undefined);
    desk.run(6_000);
    const [first, again] = desk.held;
    if (first === undefined || again === undefined) throw new Error('The cancel was not sent again.');
    desk.answer(first, rejected(-1124));
    const rows = desk.shows.orders;
    desk.shows.orders = rows.filter(({ orderId }) => orderId !== bid.orderId);
    desk.run(1_000);
    desk.shows.orders = rows;
    desk.run(2_000);
    expect(ops(desk)).toContain('reopened');
    expect(desk.slots()).toEqual(['buy:0 open', 'buy:1 open']);
  });
});
