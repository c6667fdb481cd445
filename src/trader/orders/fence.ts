// The fence: on an account that is the bot's alone, a cancel of the whole symbol after the horizon leaves nothing that
// could still fill (order-truth §3.6). It also cancels orders that no list has shown.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type CancelOutcome, detailOf } from '../../venue/outcomes.ts';
import { PROBE_EVERY_MS } from '../../venue/refusals.ts';
import { repeatsGoFirst } from '../contact/refusal.ts';
import { gotLost, isCut, repeatsInSilence } from '../contact/responsive.ts';
import { liveIntents, staleReason } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import {
  beginCancel,
  type CancelAttempt,
  type Fence,
  type FenceRequest,
  type OrdersSeen,
  seenOf,
  seenToChange,
} from '../state/seen.ts';
import { type TraderState, touch, type With } from '../state/state.ts';
import { emit, notice, type Step } from '../state/turn.ts';

const RETRY_MS = 1_000;
const RETRY_LONGEST_MS = 10_000;

/** When a cancel that was not acknowledged, or had no effect, may be sent again. */
export function cancelAgainAt(
  state: TraderState,
  { sentAt, answeredAt, attempts }: Pick<CancelAttempt, 'sentAt' | 'answeredAt' | 'attempts'>,
  now: EpochMs,
): EpochMs {
  if (answeredAt === null) return sentAt + PROBE_EVERY_MS;
  if (gotLost(state, answeredAt)) return now;
  return answeredAt + Math.min(isCut(state, 'private', now) ? PROBE_EVERY_MS : RETRY_LONGEST_MS, RETRY_MS * attempts);
}

/**
 * Whether all orders of the symbol may be canceled at once: none is somebody else's, and none is in question. Until the
 * first list, the journal may be too old to know them all.
 */
export const mayFence = (state: With<'settings' | 'durable'>, market: Market): boolean =>
  !policyOf(state.settings).ownerTrades &&
  market.openOrders.sentAt !== null &&
  staleReason(state.durable) === null &&
  ![...state.durable.orders.questioned.values()].some((asked) => asked.symbol === market.symbol);

/** The earliest send time of a wanted fence; null if none is wanted. */
function wantedFrom(
  state: With<'settings' | 'durable' | 'phase' | 'stopRequestedAt'>,
  market: Market,
  now: EpochMs,
): EpochMs | null {
  if (!mayFence(state, market)) return null;
  const live = liveIntents(state.durable, market.symbol);
  const due = live.filter((intent) => intent.state === 'unknown' && now >= intent.horizon);
  const horizons = due.map(({ horizon }) => horizon);
  if (state.phase === 'stopping') {
    const last = market.lastHorizon;
    if (now >= last && !live.some((intent) => intent.state === 'sent'))
      horizons.push(Math.max(last, state.stopRequestedAt ?? 0));
  }
  return horizons.length === 0 ? null : Math.max(...horizons);
}

/** Whether a fence should leave now. */
export function wantsFence(state: TraderState, market: Market, now: EpochMs): boolean {
  const from = wantedFrom(state, market, now);
  if (from === null) return false;
  const { fence } = market;
  if (fence === null) return true;
  if (fence.taken !== null && fence.taken.sentAt >= from) return false;
  if (fence.answeredAt === null) return now >= cancelAgainAt(state, fence, now);
  if (fence.taken?.sentAt === fence.sentAt) return true;
  // As with single cancels: a fence that is refused again and again must not take the lane from the reads.
  const goesFirst = repeatsGoFirst(state, fence.answeredAt, now) || repeatsInSilence(state, fence.answeredAt, now);
  if (state.requests.cancelsRepeated > 0 && !goesFirst) return false;
  return now >= cancelAgainAt(state, fence, now);
}

/** When the fence that left at or after `from` was answered; null while there is none. */
export function fencedAt(market: Market, from: EpochMs): EpochMs | null {
  const taken = market.fence?.taken;
  return taken && taken.sentAt >= from ? taken.answeredAt : null;
}

/**
 * The fence leaves: it cancels every named order of ours in the symbol. An order that is gone stays gone: until a fence
 * is accepted, its closing goes on by lists, trades and wallet.
 */
export function beginFence(turn: Step<'orders'>, market: Market, request: FenceRequest, why: string): void {
  const { state, now } = turn;
  const before = market.fence;
  const named = liveIntents(state.durable, market.symbol).filter((intent) => isCancelable(state.orders, intent));
  const intents = named.map(({ intentId }) => intentId);
  market.fence = {
    sentAt: now,
    answeredAt: null,
    attempts: (before?.attempts ?? 0) + 1,
    inFlight: new Map(before?.inFlight).set(request, { sentAt: now, intents }),
    taken: before?.taken ?? null,
  };
  for (const { intentId, state: of } of named) {
    beginCancel(state.orders, intentId, now);
    if (of !== 'closing') emit(turn, { type: 'cancel-sent', payload: { intentId, why, at: now } });
  }
  touch(market);
}

/**
 * The answer to an order's own cancel stands, whatever happens to the fence. An order that a list lacks may still rest
 * (F34, F38): then the fence ends it.
 */
function isCancelable(orders: OrdersSeen, { intentId, orderId, state }: Intent): boolean {
  if (orderId === null) return false;
  if (state === 'open') return true;
  return (state === 'cancel-sent' || state === 'closing') && seenOf(orders, intentId).cancel?.acknowledged !== true;
}

/**
 * The answer to a fence. If the last one was not accepted, its orders are canceled one by one, and the fence is sent
 * again (F27). An acknowledgement counts from the send time of its own fence, which may be an earlier one.
 */
export function observeFence(
  turn: Step<'orders'>,
  market: Market,
  request: FenceRequest,
  outcome: CancelOutcome,
): void {
  const { state, now, arrivedAt: answeredAt } = turn;
  const { symbol, fence } = market;
  const sent = fence?.inFlight.get(request);
  if (fence === null || sent === undefined) return;
  const acknowledged = outcome.kind === 'acknowledged';
  const isLast = sent.sentAt === fence.sentAt;
  const isNewer = acknowledged && sent.sentAt > (fence.taken?.sentAt ?? Number.NEGATIVE_INFINITY);
  market.fence = {
    sentAt: fence.sentAt,
    answeredAt: isLast ? answeredAt : fence.answeredAt,
    attempts: acknowledged ? 0 : fence.attempts,
    inFlight: new Map([...fence.inFlight].filter(([each]) => each !== request)),
    taken: isNewer ? { sentAt: sent.sentAt, answeredAt } : fence.taken,
  };
  for (const intentId of isLast || acknowledged ? sent.intents : []) {
    const attempt = seenOf(state.orders, intentId).cancel;
    if (attempt?.answeredAt !== null) continue;
    Object.assign(attempt, { answeredAt, acknowledged });
    const detail = `Cancel of all orders of ${symbol}: ${detailOf(outcome)}`;
    emit(turn, { type: 'cancel-outcome', payload: { intentId, outcome: outcome.kind, detail, at: now } });
  }
  if (acknowledged) witness(state, symbol, { sentAt: sent.sentAt, answeredAt });
  notice(turn, {
    level: acknowledged ? 'info' : 'warn',
    op: 'cancel',
    symbol,
    message: `Cancel of all orders of ${symbol}: ${outcome.kind}, ${detailOf(outcome)}`,
  });
  touch(market);
}

/** The first fence after the horizon of an unknown create proves its absence: later ones prove no more. */
function witness(
  { durable, orders }: With<'durable' | 'orders'>,
  symbol: InstrumentSymbol,
  taken: NonNullable<Fence['taken']>,
): void {
  for (const { intentId, state: of, horizon } of liveIntents(durable, symbol))
    if (of === 'unknown' && taken.sentAt >= horizon) seenToChange(orders, intentId).fence ??= taken;
}
