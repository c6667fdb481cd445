// A read says what was so when its request left, however late its answer comes.
import { describe, expect, test } from '@jest/globals';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { seenToChange } from '../../../../src/trader/state/seen.ts';
import type { TraderState } from '../../../../src/trader/state/state.ts';
import { LAG_MS } from '../desk-settings.ts';
import { lostBid } from '../lost-bid.ts';
import { type Desk, endOf, inSlot, quotingDesk } from '../trader-kit.ts';

type Kind = 'open-orders' | 'spot-trades' | 'wallet';

/** The last read of this kind before `before` is answered (again) now: it left then. */
function late(desk: Desk, kind: Kind, rows: unknown, sentAt: number): void {
  const asked = desk.sent.findLast(({ chosen }) => chosen.request.kind === kind);
  if (asked === undefined) throw new Error(`No ${kind} was asked for.`);
  const read = { rows, complete: true, sentAt, receivedAt: desk.now() };
  const facts = { sentAt, receivedAt: desk.now() };
  const { chosen } = asked;
  const completed = { kind, request: chosen.request, outcome: { kind: 'read', read }, facts };
  desk.tell({ kind: 'completed', chosen, completed: completed as never });
}

describe('a list that lacks an order', () => {
  /** What becomes of a bid of a minute ago that this list lacks. */
  const after = (sentAtOf: (bid: Intent, state: TraderState) => number): string => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    desk.pass(60_000);
    const rows = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
    late(desk, 'open-orders', rows, sentAtOf(bid, desk.state()));
    return inSlot(desk, 'buy:0').state;
  };
  const listed = (ms: number) => (bid: Intent, state: TraderState) => {
    seenToChange(state.orders, bid.intentId).listedAt = bid.since + 9_000;
    return bid.since + 9_000 + ms;
  };
  const unlisted = (ms: number) => (bid: Intent, state: TraderState) => {
    seenToChange(state.orders, bid.intentId).listedAt = null;
    return Math.max(bid.sentAt + LAG_MS, bid.since + 1) + ms;
  };
  const beingCanceled = (answeredAt: number | null) => (bid: Intent, state: TraderState) => {
    state.durable.orders.intents.set(bid.intentId, { ...bid, state: 'cancel-sent' });
    seenToChange(state.orders, bid.intentId).cancel = {
      sentAt: bid.since + 1,
      answeredAt,
      acknowledged: false,
      attempts: 1,
    };
    return bid.since + 30_000;
  };

  test.each([
    ['that was listed when this one left: nothing', listed(0), 'open'],
    ['that was listed before: it is gone', listed(1), 'closing'],
    ['that was never listed, before a lag was over: nothing', unlisted(-1), 'open'],
    ['that was never listed, a lag after its create left: it is gone', unlisted(0), 'closing'],
    ['whose cancel is not answered yet: nothing', beingCanceled(null), 'cancel-sent'],
  ])('%s', (_what, sentAtOf, state) => {
    expect(after(sentAtOf)).toBe(state);
  });
});

test("a late answer proves no absence: reads that left before the horizon don't count as later ones", () => {
  const { desk, id } = lostBid();
  const { horizon } = inSlot(desk, 'buy:0');
  desk.reply = () => null;
  desk.pass(120_000);
  const rows = desk.shows.orders;
  for (const sentAt of [horizon + LAG_MS - 20, horizon + LAG_MS - 10]) late(desk, 'open-orders', rows, sentAt);
  desk.answer(desk.sent.findLast(({ chosen }) => chosen.request.kind === 'wallet')?.chosen as never);
  desk.answer(desk.sent.findLast(({ chosen }) => chosen.request.kind === 'spot-trades')?.chosen as never);
  expect(endOf(desk, id)).toBe('not closed');
});
