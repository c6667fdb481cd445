// When a fence leaves, when it is sent again, what it cancels, and from when on it proves something.
import { describe, expect, test } from '@jest/globals';
import { intentId } from '../../../../src/domain/ids.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { beginFence, fencedAt, observeFence, wantsFence } from '../../../../src/trader/orders/fence.ts';
import { countsFrom } from '../../../../src/trader/orders/proofs.ts';
import {
  type CancelAttempt,
  type Fence,
  type FenceRequest,
  seenOf,
  seenToChange,
} from '../../../../src/trader/state/seen.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import type { CancelOutcome } from '../../../../src/venue/outcomes.ts';
import { refused } from '../../refused.ts';
import { ASSUMPTIONS, BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { lostBid } from '../lost-bid.ts';
import { inSlot, quotingDesk, readyDesk, unknown } from '../trader-kit.ts';

const ALONE = deskSettings({ foreignOrders: 'refuse', symbols: [BTC, ETH] });
const FENCE: Fence = { sentAt: 0, answeredAt: null, attempts: 1, inFlight: new Map(), taken: null };
const request = (): FenceRequest => ({
  kind: 'cancel-symbol',
  symbol: BTC,
  stamp: { timestamp: 1, recvWindow: 5_000 },
});

/** An unknown bid in BTC/INR, and the horizon of it. */
function unknownBid() {
  const { desk } = lostBid(unknown, readyDesk(ALONE));
  const { horizon } = inSlot(desk, 'buy:0');
  const { contact } = desk.state();
  const state: TraderState = {
    ...desk.state(),
    refusal: null,
    // The lost answer alone is no silence.
    contact: { ...contact, private: { ...contact.private, silentSince: null } },
  };
  return { state, horizon };
}

/** The order's own cancel, as answered. */
const cancelOf = (state: TraderState, { intentId: id }: Intent, answer: Partial<CancelAttempt>): void => {
  seenToChange(state.orders, id).cancel = { sentAt: 1, answeredAt: 2, acknowledged: false, attempts: 1, ...answer };
};

/** The last one was acknowledged. */
const taken = (sentAt: number, answeredAt: number): Partial<Fence> => ({
  ...{ sentAt, answeredAt, taken: { sentAt, answeredAt } },
});

const withFence = (state: TraderState, fence: Partial<Fence>): TraderState => ({
  ...state,
  markets: new Map(state.markets).set(BTC, { ...marketOf(state, BTC), fence: { ...FENCE, ...fence } }),
});

const wants = (state: TraderState, symbol: string, now: number): boolean =>
  wantsFence(state, marketOf(state, symbol), now);
const fenced = (state: TraderState, symbol: string, from: number): number | null =>
  fencedAt(marketOf(state, symbol), from);

describe('a fence is wanted', () => {
  test('for an unknown order of the symbol, from its horizon on', () => {
    const { state, horizon } = unknownBid();
    expect(wants(state, BTC, horizon - 1)).toBe(false);
    expect(wants(state, BTC, horizon)).toBe(true);
    expect(wants(state, ETH, horizon)).toBe(false);
  });

  test('at a stop once the last horizon has passed, and no create is in flight', () => {
    const desk = quotingDesk(deskSettings({ foreignOrders: 'refuse' }));
    desk.tell({ kind: 'stop' });
    const state = desk.state();
    const last = marketOf(state, BTC).lastHorizon;
    expect(last).toBeGreaterThan(desk.now());
    expect(wants(state, BTC, last - 1)).toBe(false);
    expect(wants(state, BTC, last)).toBe(true);
    for (const [id, intent] of state.durable.orders.intents)
      state.durable.orders.intents.set(id, { ...intent, state: 'sent' });
    expect(wants(state, BTC, last)).toBe(false);
  });

  test('at a stop of a session that has placed nothing as well', () => {
    const state: TraderState = {
      ...readyDesk(ALONE).state(),
      phase: 'stopping',
      stopRequestedAt: 5,
    };
    marketOf(state, BTC).lastHorizon = 0;
    expect(wants(state, BTC, 10)).toBe(true);
    // One that left before the stop was asked for is not enough.
    expect(wants(withFence(state, taken(4, 4)), BTC, 10)).toBe(true);
    expect(wants(withFence(state, taken(5, 6)), BTC, 10)).toBe(false);
  });
});

describe('a fence that has left', () => {
  test('is awaited for five seconds', () => {
    const { state, horizon } = unknownBid();
    const sent = withFence(state, { sentAt: horizon });
    expect(wants(sent, BTC, horizon + 4_999)).toBe(false);
    expect(wants(sent, BTC, horizon + 5_000)).toBe(true);
  });

  test('and was accepted is enough if it left at the horizon or later', () => {
    const { state, horizon } = unknownBid();
    const takenAt = (sentAt: number): TraderState => withFence(state, taken(sentAt, horizon + 9));
    expect(wants(takenAt(horizon - 1), BTC, horizon + 60_000)).toBe(true);
    expect(wants(takenAt(horizon), BTC, horizon + 60_000)).toBe(false);
  });

  test('and was accepted between the horizons of two unknown orders is not enough for the later one', () => {
    const { state, horizon } = unknownBid();
    const { intents } = state.durable.orders;
    const [[id, bid] = []] = intents;
    if (id === undefined || bid === undefined) throw new Error('There is an unknown bid.');
    const later = intentId('1-77');
    intents.set(later, { ...bid, intentId: later, horizon: horizon + 1_000 });
    const takenAt = (sentAt: number): TraderState => withFence(state, taken(sentAt, sentAt + 9));
    expect(wants(takenAt(horizon), BTC, horizon + 999)).toBe(false);
    expect(wants(takenAt(horizon), BTC, horizon + 1_000)).toBe(true);
    expect(wants(takenAt(horizon + 1_000), BTC, horizon + 60_000)).toBe(false);
  });

  test.each([
    [1, 1_000],
    [4, 4_000],
    [30, 10_000],
  ])('and was not taken the %dth time is sent again after %d ms', (attempts, pauseMs) => {
    const { state, horizon } = unknownBid();
    const refused = withFence(state, { sentAt: horizon, answeredAt: horizon + 10, attempts });
    expect(wants(refused, BTC, horizon + 10 + pauseMs - 1)).toBe(false);
    expect(wants(refused, BTC, horizon + 10 + pauseMs)).toBe(true);
  });

  test('and was not accepted leaves the turn to reads after another cancel was repeated', () => {
    const { state, horizon } = unknownBid();
    const refused = withFence(state, { sentAt: horizon, answeredAt: horizon + 10 });
    const at = horizon + 60_000;
    const requests = { ...refused.requests, cancelsRepeated: 1 };
    expect(wants({ ...refused, requests }, BTC, at)).toBe(false);
    const refusal = {
      kind: 'keys' as const,
      ...{ message: '-2015 No.', about: 'key' as const, inARow: 1, cancelsFrom: 0, lastAt: horizon + 10, until: 0 },
    };
    // Where everything is refused alike, only cancels are worth a request.
    expect(wants({ ...refused, requests, refusal }, BTC, at)).toBe(true);
  });

  test('and was not accepted is sent again after at most five seconds while the lane is silent', () => {
    const { state, horizon } = unknownBid();
    const silent = { ...state.contact.private, silentSince: horizon - 60_000, probes: 2 };
    const refused = withFence(state, { sentAt: horizon, answeredAt: horizon + 10, attempts: 30 });
    const cut: TraderState = { ...refused, contact: { ...state.contact, private: silent } };
    expect(wants(cut, BTC, horizon + 5_009)).toBe(false);
    expect(wants(cut, BTC, horizon + 5_010)).toBe(true);
  });

  test('and got lost in a silence that is over is sent again at once', () => {
    const { state, horizon } = unknownBid();
    const refused = withFence(state, { sentAt: horizon, answeredAt: horizon + 10, attempts: 9 });
    const again = (againAt: number): TraderState => ({
      ...refused,
      contact: { ...state.contact, private: { ...state.contact.private, againAt } },
    });
    expect(wants(again(horizon + 10), BTC, horizon + 20)).toBe(false);
    expect(wants(again(horizon + 11), BTC, horizon + 20)).toBe(true);
  });
});

describe('the orders of a fence', () => {
  const open = () => quotingDesk(deskSettings({ foreignOrders: 'refuse', symbols: [BTC, ETH] }));
  const named = (state: TraderState, symbol = BTC) =>
    [...(marketOf(state, symbol).fence?.inFlight.values() ?? [])].flatMap(({ intents }) => intents);

  test('are those of its symbol that are open, named, and without an accepted cancel of their own', () => {
    const desk = open();
    const state = desk.state();
    const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
    state.durable.orders.intents.set(ask.intentId, { ...ask, state: 'cancel-sent' });
    cancelOf(state, ask, { acknowledged: true });
    const turn = beginTurn(state, desk.now());
    beginFence(turn, marketOf(state, BTC), request(), 'why');
    expect(named(state)).toEqual([bid.intentId]);
    expect(marketOf(state, BTC).fence).toMatchObject({
      ...{ sentAt: desk.now(), answeredAt: null, attempts: 1, taken: null },
    });
    expect(seenOf(state.orders, bid.intentId).cancel).toEqual({
      ...{ sentAt: desk.now(), answeredAt: null, acknowledged: false, attempts: 1 },
    });
    expect(turn.events).toEqual([
      { type: 'cancel-sent', payload: { intentId: bid.intentId, why: 'why', at: desk.now() } },
    ]);
  });

  test('include a repeat of an unacknowledged cancel; each attempt is counted', () => {
    const desk = open();
    const state = desk.state();
    const ask = inSlot(desk, 'sell:0');
    state.durable.orders.intents.set(ask.intentId, { ...ask, state: 'cancel-sent' });
    cancelOf(state, ask, { attempts: 3 });
    marketOf(state, BTC).fence = { ...FENCE, attempts: 2 };
    beginFence(beginTurn(state, desk.now()), marketOf(state, BTC), request(), 'why');
    expect(seenOf(state.orders, ask.intentId).cancel?.attempts).toBe(4);
    expect(marketOf(state, BTC).fence?.attempts).toBe(3);
  });

  const answered = (outcome: CancelOutcome) => {
    const desk = open();
    const state = desk.state();
    const turn = beginTurn(state, desk.now());
    const sent = request();
    beginFence(turn, marketOf(state, BTC), sent, 'why');
    const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
    // The ask's own cancel was answered meanwhile: what that said holds.
    cancelOf(state, ask, { answeredAt: 7 });
    const later = beginTurn(state, desk.now() + 40);
    observeFence(later, marketOf(state, BTC), sent, outcome);
    return { state, later, bid, ask, at: desk.now() + 40 };
  };

  test('are being canceled if it was accepted', () => {
    const { state, later, bid, ask, at } = answered({ kind: 'acknowledged', msg: 'ok' });
    expect(marketOf(state, BTC).fence).toMatchObject({
      answeredAt: at,
      attempts: 0,
      taken: { sentAt: at - 40, answeredAt: at },
    });
    expect(seenOf(state.orders, bid.intentId).cancel).toMatchObject({ answeredAt: at, acknowledged: true });
    expect(seenOf(state.orders, ask.intentId).cancel).toMatchObject({ answeredAt: 7, acknowledged: false });
    expect(later.events).toEqual([
      {
        type: 'cancel-outcome',
        payload: {
          ...{ intentId: bid.intentId, outcome: 'acknowledged', detail: 'Cancel of all orders of BTC/INR: ok', at },
        },
      },
    ]);
    expect(later.notices).toMatchObject([
      { level: 'info', op: 'cancel', symbol: BTC, message: 'Cancel of all orders of BTC/INR: acknowledged, ok' },
    ]);
  });

  test('are not if it was refused, which is repeated', () => {
    const { state, later, bid, at } = answered(refused(-1123));
    expect(marketOf(state, BTC).fence).toMatchObject({ answeredAt: at, attempts: 1, taken: null });
    expect(seenOf(state.orders, bid.intentId).cancel).toMatchObject({ answeredAt: at, acknowledged: false });
    expect(later.events).toMatchObject([{ payload: { detail: 'Cancel of all orders of BTC/INR: -1123 No.' } }]);
    expect(later.notices).toMatchObject([
      { level: 'warn', op: 'cancel', symbol: BTC, message: 'Cancel of all orders of BTC/INR: rejected, -1123 No.' },
    ]);
  });

  test('stay closing if lists lack them, and are settled a lag after it was accepted', () => {
    const desk = open();
    const state = desk.state();
    const bid = inSlot(desk, 'buy:0');
    const gone = { ...bid, state: 'closing', since: desk.now() } as const;
    state.durable.orders.intents.set(bid.intentId, gone);
    const sent = request();
    const turn = beginTurn(state, desk.now() + 10);
    beginFence(turn, marketOf(state, BTC), sent, 'why');
    expect(named(state)).toContain(bid.intentId);
    expect(turn.events.map(({ payload }) => payload)).not.toContainEqual(
      expect.objectContaining({ intentId: bid.intentId }),
    );
    const at = desk.now() + 40;
    observeFence(beginTurn(state, at), marketOf(state, BTC), sent, { kind: 'acknowledged', msg: 'ok' });
    expect(state.durable.orders.intents.get(bid.intentId)).toEqual({ ...gone, cancel: 'acknowledged' });
    expect(countsFrom(state, gone)).toBe(at + ASSUMPTIONS.venueInternalLagMs + LAG_MS);
  });

  test('a late answer counts from when its own fence left, not the next one (seed 18101 tight)', () => {
    const desk = open();
    const state = desk.state();
    const [first, second] = [request(), request()];
    const at = desk.now();
    beginFence(beginTurn(state, at), marketOf(state, BTC), first, 'why');
    beginFence(beginTurn(state, at + 6_000), marketOf(state, BTC), second, 'why');
    observeFence(beginTurn(state, at + 6_500), marketOf(state, BTC), first, { kind: 'acknowledged', msg: 'ok' });
    expect([at, at + 1].map((from) => fenced(state, BTC, from))).toEqual([at + 6_500, null]);
    observeFence(beginTurn(state, at + 9_000), marketOf(state, BTC), second, { kind: 'acknowledged', msg: 'ok' });
    expect([at + 6_000, at + 6_001].map((from) => fenced(state, BTC, from))).toEqual([at + 9_000, null]);
    expect(marketOf(state, BTC).fence?.inFlight.size).toBe(0);
  });

  test('an answer that is handled late counts from when it arrived', () => {
    const desk = open();
    const state = desk.state();
    const sent = request();
    const at = desk.now();
    beginFence(beginTurn(state, at), marketOf(state, BTC), sent, 'why');
    observeFence({ ...beginTurn(state, at + 20_040), arrivedAt: at + 40 }, marketOf(state, BTC), sent, {
      kind: 'acknowledged',
      msg: 'ok',
    });
    expect(marketOf(state, BTC).fence).toMatchObject({ answeredAt: at + 40, taken: { answeredAt: at + 40 } });
    expect(seenOf(state.orders, inSlot(desk, 'buy:0').intentId).cancel?.answeredAt).toBe(at + 40);
  });

  test('arriving last revokes nothing', () => {
    const desk = open();
    const state = desk.state();
    const [first, second] = [request(), request()];
    const at = desk.now();
    const fault = { sent: true, reason: 'timeout', detail: 'No answer.' } as const;
    beginFence(beginTurn(state, at), marketOf(state, BTC), first, 'why');
    beginFence(beginTurn(state, at + 6_000), marketOf(state, BTC), second, 'why');
    observeFence(beginTurn(state, at + 7_000), marketOf(state, BTC), second, { kind: 'acknowledged', msg: 'ok' });
    observeFence(beginTurn(state, at + 9_000), marketOf(state, BTC), first, { kind: 'unknown', fault });
    expect(fenced(state, BTC, at + 6_000)).toBe(at + 7_000);
    expect(seenOf(state.orders, inSlot(desk, 'buy:0').intentId).cancel).toMatchObject({ acknowledged: true });
  });

  test('are none if no fence has left', () => {
    const desk = open();
    const turn = beginTurn(desk.state(), desk.now());
    observeFence(turn, marketOf(turn.state, BTC), request(), { kind: 'acknowledged', msg: 'ok' });
    expect([turn.events, turn.notices]).toEqual([[], []]);
  });
});
