// Whether this machine's clock was set since the session before: which answer tells, by how much, and what moves with
// it.
import { describe, expect, test } from '@jest/globals';
import { compareClocks } from '../../../../src/trader/contact/clock.ts';
import type { KnownClock, TraderState } from '../../../../src/trader/state/state.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { inSlot, quotingDesk } from '../trader-kit.ts';

/** The desk allows its clock an uncertainty of a second; the estimate of a test is good to 50 ms. */
const BOUND_MS = 1_050;
const estimate = (offsetMs: number, uncertaintyMs = 50): KnownClock => ({ offsetMs, uncertaintyMs, confirmed: true });

/** A bot that has just started, with an order whose create left when its stamp says. */
function started(clock: KnownClock | null) {
  const desk = quotingDesk(deskSettings());
  const state: TraderState = { ...desk.state(), clock };
  state.session.clockCompared = false;
  marketOf(state, BTC).lastHorizon = 0;
  return { state, now: desk.now(), bid: inSlot(desk, 'buy:0'), ask: inSlot(desk, 'sell:0') };
}

interface Answer {
  readonly outcome?: object;
  /** What the stamp says beside our clock. */
  readonly stampedMs?: number;
}

function compare(state: TraderState, now: number, answer: Answer = {}) {
  const { outcome = { kind: 'read' }, stampedMs = state.clock?.offsetMs ?? 0 } = answer;
  const stamp = { timestamp: now + stampedMs, recvWindow: 2_500 };
  const turn = beginTurn(state, now);
  const facts = { sentAt: now, receivedAt: now + 20 };
  compareClocks(turn, {
    kind: 'wallet',
    request: { kind: 'wallet', stamp },
    outcome,
    facts,
  } as unknown as Completed);
  return {
    moved: turn.events.flatMap((event) => (event.type === 'clock-moved' ? [event.payload] : [])),
    words: turn.notices.map(({ level, op, message }) => `${level} ${op}: ${message}`),
  };
}

describe('a clock', () => {
  test('that was set is reported, in the journal and to people', () => {
    const { state, now, ask } = started(estimate(-3_600_000));
    const { moved, words } = compare(state, now);
    const stamp = { timestamp: ask.timestamp, sentAt: ask.sentAt };
    expect(moved).toEqual([{ byMs: 3_600_000, startedAt: state.session.startedAt, stamp, at: now }]);
    expect(words).toEqual([
      'warn clock-moved: The clock of this machine was set by 3600 s since the last session: ' +
        "what is known of orders goes by the exchange's.",
    ]);
    expect(state.session.clockCompared).toBe(true);
  });

  test.each([
    [BOUND_MS, []],
    [-BOUND_MS, []],
    [BOUND_MS + 1, [BOUND_MS + 1]],
    [-BOUND_MS - 1, [-BOUND_MS - 1]],
  ])('that is known otherwise by %d ms was set by %j', (byMs, expected) => {
    const { state, now } = started(estimate(-byMs));
    expect(compare(state, now).moved.map((payload) => payload.byMs)).toEqual(expected);
    expect(state.session.clockCompared).toBe(true);
  });

  test('is compared once', () => {
    const { state, now } = started(estimate(0));
    compare(state, now);
    state.clock = estimate(-3_600_000);
    expect(compare(state, now).moved).toEqual([]);
  });

  test('uses the newest order that the exchange has named, if no accepted stamp is known', () => {
    const { state, now, bid, ask } = started(estimate(0));
    state.durable.journal.newestStamp = null;
    // The stamp of the bid was far off, and it was never taken: it tells nothing beside one that was.
    state.durable.orders.intents.set(bid.intentId, { ...bid, orderId: null, timestamp: bid.timestamp + 3_600_000 });
    expect(compare(state, now).moved).toEqual([]);
    state.session.clockCompared = false;
    state.durable.orders.intents.set(ask.intentId, { ...ask, orderId: null });
    expect(compare(state, now).moved.map(({ byMs }) => byMs)).toEqual([3_600_000]);
  });
});

describe('the set clock', () => {
  const set = () => started(estimate(-3_600_000));

  test.each(['accepted', 'acknowledged'])('is proven by an order or a cancel that was %s', (kind) => {
    const { state, now } = set();
    expect(compare(state, now, { outcome: { kind } }).moved).toHaveLength(1);
  });

  test('is not proven without a clock, or without an earlier order', () => {
    const unknown = started(null);
    expect(compare(unknown.state, unknown.now).moved).toEqual([]);
    expect(unknown.state.session.clockCompared).toBe(false);
    const { state, now } = set();
    state.durable.orders.intents.clear();
    state.durable.journal.newestStamp = null;
    expect(compare(state, now).moved).toEqual([]);
    expect(state.session.clockCompared).toBe(true);
  });
});

describe('an accepted stamp', () => {
  test('overrules an estimate that is off by more than the stamp’s window', () => {
    const { state, now } = started(estimate(-3_600_000));
    expect(compare(state, now, { stampedMs: 0 }).moved).toEqual([]);
  });

  test('leaves the estimate as it is within the window', () => {
    const { state, now } = started(estimate(-3_600_000));
    expect(compare(state, now, { stampedMs: -3_602_500 }).moved.map(({ byMs }) => byMs)).toEqual([3_600_000]);
    const other = started(estimate(-3_600_000));
    const moved = compare(other.state, other.now, { stampedMs: -3_602_501 }).moved;
    expect(moved.map(({ byMs }) => byMs)).toEqual([3_602_501]);
  });

  test('is exact to its window: a smaller step does not count', () => {
    const off = (ms: number) => {
      const { state, now } = started(estimate(100_000));
      return compare(state, now, { stampedMs: -ms }).moved.length;
    };
    expect([off(3_500), off(3_501)]).toEqual([0, 1]);
  });
});
