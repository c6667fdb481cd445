// Processes every input into state, journal events and notices. Synchronous, no I/O.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { assertNever } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { ExternalReading } from '../../reference/combine.ts';
import type { Completed, CompletedRead, Read, ReadOutcome } from '../../venue/outcomes.ts';
import { compareClocks, observeClock, observeTimes } from '../contact/clock.ts';
import { observeListing, observeRefusal } from '../contact/refusal.ts';
import { notifySilence, recordCompleted } from '../contact/responsive.ts';
import { renewDecision, renewTouched, watchStrategy } from '../decision/decide.ts';
import { watchLosses, watchMessageRate } from '../decision/limits.ts';
import { watchCash } from '../decision/portfolio.ts';
import { watchProtections, watchRepeatedFills } from '../decision/protections.ts';
import { globalBlockers } from '../decision/readiness.ts';
import { hasJumped, jumpHalt, notifyJump, observeExternal } from '../decision/reference.ts';
import type { AnsweredRead } from '../durable/hold-events.ts';
import {
  judgeBook,
  needTradesIfTaken,
  observeOtherBook,
  observePublicTrades,
  recordBook,
  rememberBook,
  touchDependents,
} from '../knowledge/record-reads.ts';
import { trackLags } from '../lags/lags.ts';
import { observeActivityScan } from '../money/account-activity-scan.ts';
import { observeFence } from '../orders/fence.ts';
import { observeCancel, observeCreate } from '../orders/observe-writes.ts';
import { settleOrders } from '../orders/settle.ts';
import { countPresence } from '../presence/presence.ts';
import { observeTrades, recordUnansweredTrades, settleBackfill } from '../reconciliation/observe-trades.ts';
import { judgeActivity, observeWallet } from '../reconciliation/reconcile.ts';
import type { Market } from '../state/market.ts';
import type { Requests } from '../state/session.ts';
import { ACTIVITY_KEY, type Chosen } from '../state/session.ts';
import type { RunSettings } from '../state/settings.ts';
import { bookSurfaceOf, type KnownClock, marketOf, type TraderState, touch, touchAll } from '../state/state.ts';
import { countFailedRead, need, recordGoodRead, type Surface } from '../state/surfaces.ts';
import {
  beginTurn,
  type Effects,
  emit,
  haltSymbol,
  lockSymbol,
  notice,
  removeLocks,
  type Step,
  type Turn,
} from '../state/turn.ts';
import { observeBackfill } from '../trades/backfill.ts';
import { observeOpenOrders } from './observe-open-orders.ts';
import { type Resumed, resumeRunning } from './resume.ts';
import { reviseRun } from './revise-run.ts';
import { beginStop, endSession, finishStop } from './stopping.ts';

export type TraderInput =
  | {
      readonly kind: 'completed';
      readonly chosen: Chosen;
      readonly completed: Completed;
      /** Absent for callers without a clock and a lane of their own. */
      readonly learned?: LearnedFromAnswer;
    }
  | ({ readonly kind: 'clock' } & KnownClock)
  /** Only time has passed, until a moment that `wakeAt` returned. */
  | { readonly kind: 'tick' }
  /** The exchange's list of markets: why it is still missing, or which of our markets it lacks. */
  | { readonly kind: 'listing'; readonly awaited: string }
  | { readonly kind: 'listing'; readonly awaited: null; readonly missing: readonly InstrumentSymbol[] }
  /** The last reading of other exchanges for a symbol quoted here. */
  | { readonly kind: 'external-price'; readonly symbol: InstrumentSymbol; readonly reading: ExternalReading }
  /** How much of an asset this account may hold by the limit over all accounts. */
  | { readonly kind: 'share'; readonly asset: Asset; readonly most: Decimal }
  | { readonly kind: 'reconcile-due' }
  /** A person locks a side of a symbol, or both if it is null, for a time or until he removes the lock. */
  | {
      readonly kind: 'lock';
      readonly symbol: InstrumentSymbol;
      readonly side: Side | null;
      readonly reason: string;
      readonly until: EpochMs | null;
      readonly by: string;
    }
  /** A person removes all locks of a symbol; `side`: only those of that side. */
  | { readonly kind: 'unlock'; readonly symbol: InstrumentSymbol; readonly side: Side | null; readonly by: string }
  /** A person changed a run's parameters; `whyNotRevised` returned null. */
  | { readonly kind: 'revise-run'; readonly run: RunSettings; readonly by: string }
  /** A person has looked at a halted symbol; ignored if only a start can resume it. */
  | { readonly kind: 'resume-symbol'; readonly resumed: Resumed; readonly by: string }
  /**
   * Stops quoting until it is resumed; `reason` is one sentence. Used by the program; a person locks symbols instead.
   */
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  /** The stop took longer than it may: end with what is proved so far. */
  | { readonly kind: 'stop-deadline' }
  | { readonly kind: 'latched'; readonly reason: string };

/** Clock and pace learned with an answer. */
interface LearnedFromAnswer {
  /** Null while the exchange's clock is unknown. */
  readonly clock: KnownClock | null;
  readonly lane: 'public' | 'private';
  /** The lane's current pace. */
  readonly requestsPerSecond: number;
}

/**
 * Takes ownership of the state and returns it changed, with every touched decision renewed; `effects.events` must be
 * durable before anything else is sent.
 */
export function observe(
  state: TraderState,
  input: TraderInput,
  now: EpochMs,
): { state: TraderState; effects: Effects } {
  countPresence(state, now);
  const turn = beginTurn(state, now);
  take(turn, input);
  settle(turn);
  trackLags(turn, input.kind === 'completed' ? input : null);
  return { state: turn.state, effects: { events: turn.events, notices: turn.notices } };
}

function take(turn: Turn, input: TraderInput): void {
  const { state } = turn;
  switch (input.kind) {
    case 'completed':
      if (input.learned !== undefined) takeLearned(state, input.learned, turn.now);
      return observeCompleted(turn, input.chosen, input.completed);
    case 'clock':
      return observeClock(state, input, turn.now);
    case 'tick':
      return;
    case 'listing':
      return observeListing(turn, input);
    case 'external-price':
      return observeExternal(marketOf(state, input.symbol), input.reading, turn.now);
    case 'share':
      if (state.shares.get(input.asset)?.eq(input.most)) return;
      state.shares.set(input.asset, input.most);
      return touchAll(state);
    case 'reconcile-due':
      return need(state.wallet, turn.now);
    case 'lock':
      return lockSymbol(turn, marketOf(state, input.symbol), { ...input, code: 'operator' }, input.by);
    case 'unlock':
      return removeLocks(turn, marketOf(state, input.symbol), input.side, input.by);
    case 'revise-run':
      return reviseRun(turn, input.run, input.by);
    case 'resume-symbol':
      return resumeRunning(turn, input.resumed, input.by);
    case 'pause':
      return pause(turn, input.reason);
    case 'resume':
      return resume(turn);
    case 'stop':
      return beginStop(turn);
    case 'stop-deadline':
      return endSession(turn);
    case 'latched':
      state.holds.latched = input.reason;
      notice(turn, { level: 'page', op: 'latched', message: `The kill latch is set: ${input.reason}` });
      return beginStop(turn);
    default:
      assertNever(input);
  }
}

function takeLearned(state: TraderState, { clock, lane, requestsPerSecond }: LearnedFromAnswer, now: EpochMs): void {
  state.requests.pace[lane] = requestsPerSecond;
  if (clock !== null) observeClock(state, clock, now);
}

function pause(turn: Step<'phase' | 'holds'>, reason: string): void {
  const { state, now } = turn;
  if (state.phase === 'stopping' || state.phase === 'stopped' || state.holds.paused === reason) return;
  state.phase = 'paused';
  state.holds.paused = reason;
  emit(turn, { type: 'pause', payload: { reason, at: now } });
  notice(turn, { level: 'warn', op: 'paused', message: `Paused, nothing is quoted: ${reason}` });
  touchAll(state);
}

function resume(turn: Step<'phase' | 'holds'>): void {
  const { state, now } = turn;
  if (state.phase !== 'paused') return;
  state.phase = 'starting';
  state.holds.paused = null;
  emit(turn, { type: 'pause', payload: { reason: null, at: now } });
  touchAll(state);
}

/** Settles orders, renews decisions and runs the watchers, after any input. */
function settle(turn: Turn): void {
  const { state } = turn;
  for (const market of state.markets.values()) {
    if (market.backfill !== null) settleBackfill(turn, market);
    settleOrders(turn, market);
  }
  if (state.phase === 'starting' && globalBlockers(state, turn.now).length === 0) {
    state.phase = 'running';
    touchAll(state);
    notice(turn, {
      level: 'info',
      op: 'ready',
      message: 'Ready: the clock is known, and the ledger is compared with the wallet.',
    });
  }
  watchRepeatedFills(turn);
  // Checks each book, even while a refusal keeps the lane from sending.
  for (const market of state.markets.values()) {
    renewDecision(state, market, turn.now);
    watchMarket(turn, market);
  }
  notifySilence(turn);
  watchCash(turn);
  watchMessageRate(turn);
  finishStop(turn);
  renewTouched(state, turn.now);
}

/** Watches the newest decision, and the profit at its price. */
function watchMarket(turn: Turn, market: Market): void {
  const { state } = turn;
  const jumped = hasJumped(market) ? jumpHalt(state, market) : null;
  if (jumped !== null) haltSymbol(turn, market, jumped, 'price');
  else notifyJump(turn, market);
  watchStrategy(turn, market);
  watchLosses(turn, market);
  watchProtections(turn, market);
}

function observeCompleted(turn: Turn, chosen: Chosen, completed: Completed): void {
  const { state } = turn;
  const { intentId } = chosen;
  // Our clock may have been set back since then.
  turn.arrivedAt = Math.min(turn.now, completed.facts.receivedAt);
  turn.answered = answeredRead(completed);
  countRequest(state.requests, completed);
  recordCompleted(turn, chosen, completed);
  compareClocks(turn, completed);
  observeRefusal(turn, completed, chosen.reading === true);
  switch (completed.kind) {
    case 'create': {
      const intent = intentId === null ? undefined : state.durable.orders.intents.get(intentId);
      if (intent) observeCreate(turn, marketOf(state, intent.symbol), intent, completed.outcome);
      return;
    }
    case 'cancel':
      if (intentId !== null) observeCancel(turn, intentId, completed.outcome);
      return;
    case 'cancel-symbol': {
      // The chosen request identifies its answer among those of the same kind.
      const { request } = chosen;
      if (request.kind !== 'cancel-symbol') return;
      return observeFence(turn, marketOf(state, request.symbol), request, completed.outcome);
    }
    case 'cancel-all':
      return;
    default:
      return observeRead(turn, completed, chosen);
  }
}

/** The read that conclusions from this answer may rest on. */
function answeredRead({ kind, outcome, facts: { sentAt } }: Completed): AnsweredRead | null {
  if (outcome.kind !== 'read') return null;
  if (kind === 'open-orders') return { list: 'orders', sentAt };
  return { list: kind === 'spot-trades' || kind === 'spot-trades-historical' ? 'trades' : 'other', sentAt };
}

function countRequest(requests: Requests, { kind, outcome }: Completed): void {
  const name = `${kind} ${outcome.kind}`;
  requests.counts.set(name, (requests.counts.get(name) ?? 0) + 1);
}

function observeRead(turn: Turn, completed: CompletedRead, chosen: Chosen): void {
  const { state } = turn;
  notifyFailedRead(turn, completed);
  observeTimes(turn, completed);
  if (chosen.key === ACTIVITY_KEY) {
    if (observeActivityScan(turn, completed) === 'listed') judgeActivity(turn);
    return;
  }
  switch (completed.kind) {
    case 'order-book':
      return observeBook(turn, completed);
    case 'public-trades': {
      const market = marketOf(state, completed.request.symbol);
      const read = readOf(completed.outcome, market.knowledge.tradesRead);
      return read === null ? undefined : observePublicTrades(state, market, read, turn.now);
    }
    case 'open-orders':
      return observeOrderList(turn, completed);
    case 'spot-trades-historical':
    case 'spot-trades': {
      const market = marketOf(state, completed.request.symbol);
      if (completed.kind === 'spot-trades-historical' || chosen.reading === true)
        return observeBackfill(market, completed, turn.now);
      const read = readOf(completed.outcome, market.trades);
      if (read === null) return recordUnansweredTrades(turn, market, completed);
      return observeTrades(turn, market, completed.request, read);
    }
    case 'wallet': {
      const read = readOf(completed.outcome, state.wallet);
      return read === null ? undefined : observeWallet(turn, read);
    }
    default:
      // The trader reads no other list: answers to other parts' requests never come here.
      return;
  }
}

function notifyFailedRead(turn: Step, { kind, outcome }: CompletedRead): void {
  if (outcome.kind !== 'failed') return;
  notice(turn, { level: 'warn', op: 'read-failed', message: `The read of ${kind} failed: ${outcome.fault.detail}` });
}

/** The rows of a read, or `null` after counting the failure on its surface. */
function readOf<T>(outcome: ReadOutcome<T>, surface: Surface): Read<T> | null {
  if (outcome.kind === 'read') return outcome.read;
  countFailedRead(surface);
  return null;
}

function observeOrderList(turn: Turn, { request, outcome }: Extract<CompletedRead, { kind: 'open-orders' }>): void {
  const { state } = turn;
  const markets = request.symbol === undefined ? [...state.markets.values()] : [marketOf(state, request.symbol)];
  if (outcome.kind === 'read') return observeOpenOrders(turn, markets, request, outcome.read);
  for (const { openOrders } of markets) countFailedRead(openOrders);
}

function observeBook(turn: Turn, { request, outcome }: Extract<CompletedRead, { kind: 'order-book' }>): void {
  const { state } = turn;
  const { symbol } = request;
  const read = readOf(outcome, bookSurfaceOf(state, symbol));
  if (read === null) return;
  const market = state.markets.get(symbol);
  if (market === undefined) observeOtherBook(state, symbol, read);
  else observeOwnBook(turn, market, read);
}

function observeOwnBook(turn: Turn, market: Market, read: Read<OrderBook>): void {
  const { state } = turn;
  const { symbol, book: surface } = market;
  // The answer to an abandoned request may arrive after a newer one.
  if (surface.sentAt !== null && read.sentAt < surface.sentAt) return;
  if (!read.complete) {
    countFailedRead(surface);
    notice(turn, {
      level: 'warn',
      op: 'read-failed',
      symbol,
      message: read.incompleteBecause ?? 'A level of the book could not be read.',
    });
    return;
  }
  needTradesIfTaken(state, market, read.rows, turn.now);
  recordBook(market, read, turn.now);
  recordGoodRead(surface, read.sentAt);
  judgeBook(turn, market);
  rememberBook(state, market);
  touchDependents(state, symbol);
  touch(market);
}
