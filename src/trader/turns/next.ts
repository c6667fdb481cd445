// When a lane opens: picks the one request that is worth most now, and stamps and records it before it leaves.
import { maxOf, plain } from '../../domain/decimal.ts';
import { intentId } from '../../domain/ids.ts';
import { assertNever, invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountText } from '../../ledger/amount.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { LaneName, Stamp } from '../../venue/requests.ts';
import { recordSent } from '../contact/responsive.ts';
import { renewDecision, renewTouched } from '../decision/decide.ts';
import { reserveFor } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { NO_REVISION } from '../durable/revision.ts';
import { beginFence } from '../orders/fence.ts';
import { countPresence } from '../presence/presence.ts';
import { beginCancel, seenOf } from '../state/seen.ts';
import { ACTIVITY_KEY, type Chosen } from '../state/session.ts';
import {
  bookSurfaceOf,
  extendHorizon,
  marketOf,
  type TraderState,
  touch,
  touchAll,
  type With,
} from '../state/state.ts';
import type { Surface } from '../state/surfaces.ts';
import { beginTurn, type Effects, emit, type Step, type Turn } from '../state/turn.ts';
import { backfillQuestion, beginLateScan } from '../trades/backfill.ts';
import { type Choice, pickPrivate, pickPublic } from './candidates.ts';
import { type Candidate, keyOf } from './pick.ts';

/** A request that leaves. Its events must be durable before it does. */
export interface Committed {
  readonly chosen: Chosen;
  readonly effects: Effects;
}

/** When a lane is worth a ticket: `now` or earlier if something waits. Changes nothing. */
export function wakeAt(state: TraderState, lane: LaneName, now: EpochMs): EpochMs {
  const choice = next(state, lane, now);
  return choice.kind === 'send' ? now : choice.until;
}

/** Counts presence up to now and renews outdated decisions. */
export function catchUp(state: TraderState, now: EpochMs): void {
  countPresence(state, now);
  for (const market of state.markets.values()) renewDecision(state, market, now);
}

/** Picks the next request from current decisions. Pure; call `catchUp` first for the private lane. */
export function next(state: TraderState, lane: LaneName, now: EpochMs): Choice {
  switch (lane) {
    case 'public':
      return pickPublic(state, now);
    case 'private':
      return pickPrivate(state, now);
    case 'legacy':
      return { kind: 'wait', until: Number.POSITIVE_INFINITY };
    default:
      return assertNever(lane);
  }
}

/** The candidate leaves: the only writer for a choice of `next`. */
export function commit(state: TraderState, candidate: Candidate, now: EpochMs): Committed {
  const turn = beginTurn(state, now);
  const chosen = commitOne(turn, candidate);
  if (ENDPOINTS[chosen.request.kind].lane === 'private') countTurn(state, chosen);
  recordSent(state, chosen, now);
  renewTouched(state, now);
  return { chosen, effects: { events: turn.events, notices: turn.notices } };
}

function countTurn(state: With<'markets' | 'orders' | 'requests'>, chosen: Chosen): void {
  state.requests.privateTurns += 1;
  state.requests.cancelsRepeated = isRepeatedCancel(state, chosen) ? state.requests.cancelsRepeated + 1 : 0;
  const { kind } = chosen.request;
  if (kind === 'create') state.requests.readsSinceCreate = 0;
  else if (kind !== 'cancel' && kind !== 'cancel-symbol') state.requests.readsSinceCreate += 1;
}

function isRepeatedCancel(state: With<'markets' | 'orders'>, { request, intentId: id }: Chosen): boolean {
  if (request.kind === 'cancel-symbol') return (marketOf(state, request.symbol).fence?.attempts ?? 0) > 1;
  return request.kind === 'cancel' && id !== null && (seenOf(state.orders, id).cancel?.attempts ?? 0) > 1;
}

/** Records that the candidate leaves, and returns the stamped request. */
function commitOne(turn: Turn, candidate: Candidate): Chosen {
  const { state, now } = turn;
  const key = keyOf(candidate);
  switch (candidate.kind) {
    case 'create':
      return commitCreate(turn, candidate, key);
    case 'cancel':
      return commitCancel(turn, candidate, key);
    case 'cancel-symbol': {
      const { symbol, why } = candidate;
      const request = { kind: 'cancel-symbol', symbol, stamp: stamp(state, now) } as const;
      beginFence(turn, marketOf(state, symbol), request, why);
      return read(key, why, request);
    }
    case 'order-book':
      attempt(bookSurfaceOf(state, candidate.symbol), now);
      return read(key, 'book', { kind: 'order-book', symbol: candidate.symbol, limit: LIST_LIMIT_MAX });
    case 'public-trades':
      attempt(marketOf(state, candidate.symbol).knowledge.tradesRead, now);
      return read(key, 'trades of all', { kind: 'public-trades', symbol: candidate.symbol, limit: LIST_LIMIT_MAX });
    case 'open-orders': {
      const { symbol } = candidate;
      for (const { openOrders } of symbol === null ? state.markets.values() : [marketOf(state, symbol)])
        attempt(openOrders, now);
      const scope = symbol === null ? {} : { symbol };
      return read(key, candidate.why, { kind: 'open-orders', ...scope, stamp: stamp(state, now) });
    }
    case 'spot-trades': {
      const { symbol, filter } = candidate;
      attempt(marketOf(state, symbol).trades, now);
      return read(key, candidate.why, {
        kind: 'spot-trades',
        symbol,
        filter,
        limit: LIST_LIMIT_MAX,
        stamp: stamp(state, now),
      });
    }
    case 'late-scan': {
      const market = marketOf(state, candidate.symbol);
      beginLateScan(state, market, candidate.window);
      Object.assign(market.trades, { lateScanAttemptedAt: now, lateScanFrom: null });
      attempt(market.trades, now);
      const question = backfillQuestion(market);
      invariant(question !== null, 'A late-trade scan has nothing to ask.');
      return { ...read(key, 'late rows', { ...question, stamp: stamp(state, now) }), reading: true };
    }
    case 'history': {
      const { question, why } = candidate;
      const trades = 'symbol' in question ? state.markets.get(question.symbol)?.trades : undefined;
      if (key === ACTIVITY_KEY) state.activityScan.attemptedAt = now;
      else if (trades !== undefined) attempt(trades, now);
      return { ...read(key, why, { ...question, stamp: stamp(state, now) }), reading: true };
    }
    case 'wallet':
      attempt(state.wallet, now);
      return read(key, candidate.why, { kind: 'wallet', stamp: stamp(state, now) });
    default:
      return assertNever(candidate);
  }
}

const read = (key: string, purpose: string, request: Chosen['request']): Chosen => ({
  request,
  key,
  intentId: null,
  purpose,
});

function attempt(surface: Surface, now: EpochMs): void {
  surface.attemptedAt = now;
}

/**
 * T and W: the time by the estimate of the exchange's clock, and how long the exchange may still accept the request.
 */
function stamp({ settings, clock }: With<'settings' | 'clock'>, now: EpochMs): Stamp {
  invariant(clock !== null, 'A private request was chosen before the clock of the exchange was known.');
  return { timestamp: Math.round(now + clock.offsetMs), recvWindow: settings.assumptions.recvWindowMs };
}

function commitCreate(
  turn: Step<'settings' | 'clock'>,
  { order, slot, replaces, bookSentAt, reference }: Extract<Candidate, { kind: 'create' }>,
  key: string,
): Chosen {
  const { state, now } = turn;
  const { durable, settings } = state;
  const market = marketOf(state, order.symbol);
  const { instrument, costs } = market.run;
  const uncertaintyMs = state.clock?.uncertaintyMs ?? 0;
  const sign = stamp(state, now);
  const id = intentId(`${durable.journal.epoch}-${durable.orders.nextIntentNumber}`);
  const reserve = reserveFor(order, instrument, maxOf(costs.makerFeeRatio, costs.takerFeeRatio));
  emit(turn, {
    type: 'intent',
    payload: {
      intentId: id,
      symbol: order.symbol,
      slot,
      side: order.side,
      price: plain(order.price),
      quantity: plain(order.quantity),
      timestamp: sign.timestamp,
      recvWindow: sign.recvWindow,
      uncertaintyMs,
      horizon: now + sign.recvWindow + Math.ceil(uncertaintyMs) + settings.assumptions.venueInternalLagMs,
      sentAt: now,
      bookSentAt,
      reference: plain(reference),
      ...(replaces === null ? {} : { replaces }),
      reserve: { asset: reserve.asset, amount: amountText(reserve.amount) },
      revision: marketIn(durable, order.symbol).revision?.number ?? NO_REVISION,
    },
  });
  const horizon = durable.orders.intents.get(id)?.horizon ?? now;
  extendHorizon(market, horizon);
  touchAll(state);
  return { request: { kind: 'create', order, stamp: sign }, key, intentId: id, purpose: `quote ${slot}` };
}

function commitCancel(
  turn: Step<'settings' | 'orders' | 'clock'>,
  { orderId, intentId: id, why }: Extract<Candidate, { kind: 'cancel' }>,
  key: string,
): Chosen {
  const { state, now } = turn;
  if (id !== null && state.durable.orders.intents.has(id)) {
    beginCancel(state.orders, id, now);
    emit(turn, { type: 'cancel-sent', payload: { intentId: id, why, at: now } });
    const intent = state.durable.orders.intents.get(id);
    if (intent) touch(marketOf(state, intent.symbol));
  }
  return { request: { kind: 'cancel', orderId, stamp: stamp(state, now) }, key, intentId: id, purpose: why };
}
