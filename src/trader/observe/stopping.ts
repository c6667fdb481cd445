// The stop: nothing new, everything of ours canceled, and both proved by two complete lists.
import type { OpenOrder } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { lackedAlso, SHOWN } from '../../venue/lacked-twice.ts';
import type { Read } from '../../venue/outcomes.ts';
import { unknownCount } from '../decision/readiness.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import type { DurableOrders } from '../durable/intent.ts';
import { fencedAt, mayFence } from '../orders/fence.ts';
import { isPossibleDuplicateOpen } from '../orders/in-question.ts';
import { readsOfStop } from '../orders/proofs.ts';
import { isUndecidable } from '../orders/settle.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { TraderSettings } from '../state/settings.ts';
import { type TraderState, touchAll, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, notice, type Step, type Turn } from '../state/turn.ts';

export function beginStop(turn: Step<'phase' | 'stopRequestedAt'>): void {
  const { state } = turn;
  if (state.phase === 'stopping' || state.phase === 'stopped') return;
  state.phase = 'stopping';
  state.stopRequestedAt = turn.now;
  for (const market of state.markets.values()) {
    market.stopProof = { lacked: SHOWN, asked: false };
    need(market.openOrders, turn.now);
  }
  notice(turn, { level: 'info', op: 'stopping', message: 'Stopping: no new orders, own orders are canceled.' });
  touchAll(state);
}

/**
 * A complete list has come while stopping. Two of them without an order of ours, after everything settled, are the
 * proof. Without a fence, they must also leave late enough to show a second order of the last create (F11): a lag after
 * the latest time it can arrive. The proof does not wait for an order that only a person can attribute: it may rest for
 * days, and `isFlat` includes it.
 */
export function extendStopProof(turn: Turn, market: Market, read: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const { stopProof: proof, lastHorizon, openOrders: orders } = market;
  if (state.phase !== 'stopping' || !proof) return;
  const from = Math.max(lastHorizon, state.stopRequestedAt ?? 0);
  const isFenced = mayFence(state, market);
  const fenced = isFenced ? fencedAt(market, from) : 0;
  const own = showsOurs(state.durable.orders, read.rows);
  const unfenced = fenced === null || read.sentAt < fenced;
  const shows = isFenced ? 0 : Math.max(from, showsFrom(state.settings, market));
  const isClean = !own && !unfenced && !hasUnsettled(state, market);
  // Nothing of ours is unsettled: the two lists may follow each other.
  proof.lacked = isClean ? lackedAlso(proof.lacked, read.sentAt, { countsFrom: shows, apartMs: 1 }) : SHOWN;
  if (proof.lacked.firstAt !== null && proof.lacked.againAt === null) need(orders, turn.now + 1);
  else if (read.sentAt < shows) need(orders, shows);
}

const showsOurs = (orders: DurableOrders, rows: readonly OpenOrder[]): boolean =>
  rows.some(({ orderId }) => orders.byOrderId.has(orderId));

/** A later list that shows an order of ours, complete or not, revokes the proof. */
export function unproveStop({ orders }: Durable, { stopProof }: Market, rows: readonly OpenOrder[]): void {
  if (stopProof !== null && showsOurs(orders, rows)) stopProof.lacked = SHOWN;
}

/** Whether reads may still settle how an order of ours ended. */
const hasUnsettled = (state: TraderState, market: Market): boolean =>
  liveIntents(state.durable, market.symbol).some((intent) => !isUndecidable(state, market, intent));

/** From when on every list shows whatever the last create may have placed; 0 if none has left. */
const showsFrom = ({ assumptions }: TraderSettings, { lastHorizon }: Market): EpochMs =>
  lastHorizon === 0 ? 0 : lastHorizon + assumptions.readLagBoundMs;

/**
 * Asks for the first list of the proof as soon as no order of ours is on the book. Further lists come at their time:
 * trades need the lane too.
 */
function askForProof(state: TraderState, now: EpochMs): void {
  for (const market of state.markets.values()) {
    const { stopProof } = market;
    if (stopProof === null || stopProof.asked || hasUnsettled(state, market)) continue;
    stopProof.asked = true;
    need(market.openOrders, now);
  }
}

/** Whether the stop is complete: every symbol proved, nothing unresolved, wallet and ledger compared afterward. */
export function finishStop(turn: Turn): void {
  const { state } = turn;
  if (state.phase !== 'stopping') return;
  if (isUntouched(state)) return endSession(turn);
  askForProof(state, turn.now);
  const markets = [...state.markets.values()];
  if (markets.every((market) => isStopProved(market) && !hasUnsettled(state, market))) endSession(turn);
}

/** Ends the session as it is: flat if everything was proved, else with the remaining unknowns. */
export function endSession(turn: Step<'session' | 'phase' | 'contact'>): void {
  const { state } = turn;
  if (state.phase === 'stopped') return;
  state.phase = 'stopped';
  const reads = readsOfStop(state);
  const payload = { at: turn.now, flat: isFlat(state), unknown: unknownCount(state), reads };
  emit(turn, { type: 'session-ended', payload });
}

/** Whether two lists in a row have shown nothing of ours. */
const isStopProved = (market: Market): boolean => (market.stopProof?.lacked.againAt ?? null) !== null;

/**
 * The last session ended flat, and in this one the exchange has answered nothing: nothing was placed, and there is
 * nothing to prove.
 */
const isUntouched = ({ session, contact, durable }: With<'session' | 'durable' | 'contact'>): boolean =>
  session.beganFlat && contact.private.usedAt === null && durable.orders.intents.size === 0;

/** No order is open that is ours or may be. */
function isFlat(state: With<'session' | 'durable' | 'markets' | 'contact'>): boolean {
  if (isUntouched(state)) return true;
  const isProved = (market: Market): boolean => isStopProved(market) && !isPossibleDuplicateOpen(state, market);
  return state.durable.orders.intents.size === 0 && [...state.markets.values()].every(isProved);
}

/** Facts for the exit code. */
export function stopResult(durable: Durable): { flat: boolean; openIntents: number } {
  return { flat: durable.journal.endedFlat, openIntents: durable.orders.intents.size };
}

// How long a verified stop may take, computed from the configuration: pm2's kill_timeout must be above it (order-truth
// §5).

/** Slack for timers, the disk and a lane that had just sent something. */
const SLACK_MS = 5_000;

export interface StopBoundInput {
  readonly trader: TraderSettings;
  /** The longest time for an answer. */
  readonly deadlineMs: DurationMs;
  /** Learned pace of the private lane; used if it is slower than configured. */
  readonly requestsPerSecond?: number;
}

/**
 * A create in flight is answered or given up (deadline), can no longer be accepted (W + ε + Lm), shows in every list
 * (lag), and so does its cancel (lag again); meanwhile every order is canceled and the proof is read, at the lane's
 * pace.
 */
export function stopBoundMs({ trader, deadlineMs, requestsPerSecond = Infinity }: StopBoundInput): DurationMs {
  const { assumptions, runs } = trader;
  const pace = Math.min(requestsPerSecond, trader.requestsPerSecond.private);
  const horizon = assumptions.recvWindowMs + assumptions.maxClockUncertaintyMs + assumptions.venueInternalLagMs;
  const cancels = runs.reduce((sum, run) => sum + run.limits.maxOpenOrders, 0);
  // Two lists, trades, and a list that was in flight; with a fence, one more.
  const perSymbol = policyOf(trader).ownerTrades ? 4 : 5;
  const reads = runs.length * perSymbol + 3;
  const atPace = ((cancels + reads) * 1_000) / pace;
  return Math.ceil(deadlineMs + horizon + 2 * assumptions.readLagBoundMs + atPace + SLACK_MS);
}
