// Readiness: whether quoting is allowed, and each blocking reason as a sentence (invariant S12). Unknown state is a
// reason too.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Block, Halt, HaltCode } from '../../quoting/block.ts';
import { ownWrongTimes } from '../contact/clock.ts';
import { isReconciledSince, refusalWords } from '../contact/refusal.ts';
import { differenceWords } from '../durable/books.ts';
import { staleReason } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import { frozenWords } from '../knowledge/record-reads.ts';
import { isQuestionOver } from '../orders/in-question.ts';
import { unresolvedOf } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import type { SessionFacts } from '../state/session.ts';
import { NOTHING_LEFT } from '../state/session.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import { isOpened, symbolsOf, type TraderState, type With } from '../state/state.ts';
import { ageOf } from '../state/surfaces.ts';
import { unwindingOf } from '../state/unwinding.ts';
import { unvaluedCoin } from './portfolio.ts';
import { firstPriceDoubt } from './reference.ts';

/**
 * A reason for not quoting. `pull`: live orders must be canceled too; otherwise they may stay while nothing new is
 * placed.
 */
export interface Blocker {
  readonly code: Block;
  readonly reason: string;
  readonly pull: boolean;
}

/** While surfaces are read for the first time after a start, recovered orders are left where they are for this long. */
export const START_GRACE_MS = 30_000;
export const inStartGrace = (session: SessionFacts, now: EpochMs): boolean => now - session.startedAt < START_GRACE_MS;

/** Every condition for a create that is not met (S12), the gravest first; empty if the symbol is READY. */
export function notReady(state: TraderState, market: Market, now: EpochMs): Blocker[] {
  return [...globalBlockers(state, now), ...symbolBlockers(state, market, now)];
}

const blocker = (code: Block, reason: string, pull: boolean): Blocker => ({ code, reason, pull });

/** Reasons that apply to every symbol. */
export function globalBlockers(state: TraderState, now: EpochMs): Blocker[] {
  const { phase } = state;
  const { latched, paused } = state.holds;
  const blockers: Blocker[] = [];
  if (latched !== null) blockers.push(blocker('latched', `The kill latch is set: ${latched}`, true));
  if (phase === 'stopping' || phase === 'stopped') blockers.push(blocker('stopping', 'The bot is stopping.', true));
  if (phase === 'paused') blockers.push(blocker('paused', paused ?? 'Paused.', true));
  const stale = staleReason(state.durable);
  if (stale !== null) blockers.push(blocker('journal-stale', stale, true));
  for (const reason of ownWrongTimes(state.lags)) blockers.push(blocker('times-off', reason, true));
  blockers.push(...exchangeBlockers(state));
  // A wallet that differs in some assets is compared anyway: only the symbols of these assets stop.
  if (!state.durable.books.opened || state.reconciliation.equalIn.size === 0) {
    const reason = 'The ledger is not compared with the wallet yet.';
    blockers.push(blocker('account', reason, !inStartGrace(state.session, now)));
  }
  return blockers;
}

/** Reasons from the exchange and its clock. */
function exchangeBlockers(state: TraderState): Blocker[] {
  const { refusal, clock, settings } = state;
  const { listingAwaited } = state.holds;
  const blockers: Blocker[] = [];
  if (listingAwaited !== null) blockers.push(blocker('starting', listingAwaited, false));
  if (refusal !== null) blockers.push(blocker('exchange', refusalWords(refusal), refusal.kind === 'maintenance'));
  if (state.reconciliation.from > 0 && !isReconciledSince(state, state.reconciliation.from)) {
    const reason =
      'The exchange was not available, or this machine slept: orders, trades and wallet are being read again.';
    blockers.push(blocker('account', reason, false));
  }
  if (clock === null) return [...blockers, blocker('clock', "The exchange's clock is not known yet.", false)];
  if (!clock.confirmed) {
    const reason = "The exchange's clock is in doubt: no signed request has confirmed it since.";
    return [...blockers, blocker('clock', reason, false)];
  }
  if (clock.uncertaintyMs <= settings.assumptions.maxClockUncertaintyMs) return blockers;
  const reason = `The exchange's clock is known to ${Math.round(clock.uncertaintyMs)} ms only.`;
  return [...blockers, blocker('clock', reason, false)];
}

/** Wallet against ledger, in the assets of one symbol. */
function moneyBlockers(
  state: With<'settings' | 'durable' | 'reconciliation'>,
  market: Market,
  now: EpochMs,
): Blocker[] {
  const { durable, reconciliation, settings } = state;
  const { equalIn, from } = reconciliation;
  const isCompared = [...equalIn.values()].some((equalAt) => equalAt >= from);
  const { base, quote } = market.run.instrument;
  return [base, quote].flatMap((asset) => {
    const confirmed = durable.differences.byAsset.get(asset);
    if (confirmed !== undefined) return [blocker('difference', differenceWords({ asset, ...confirmed }), true)];
    const equalAt = equalIn.get(asset);
    // If no asset is compared, a global reason covers it.
    if (!isCompared) return [];
    if (equalAt === undefined || equalAt < from)
      return [blocker('account', `The wallet's ${asset} is not confirmed to match the ledger yet.`, false)];
    if (now - equalAt <= settings.ageLimits.reconciledMs) return [];
    const reason = `Wallet and ledger were last equal in ${asset} ${seconds(now - equalAt)} ago.`;
    return [blocker('account', reason, true)];
  });
}

/** The halt of a symbol until a person resumes it. */
export function haltOf(state: With<'durable'>, market: Market): Halt | null {
  const { halt } = marketIn(state.durable, market.symbol);
  return halt && { ...halt, reason: asOfNow(state, market, halt) };
}

/** Whether a halt of this code waits for an answer about orders: their fate, or whose they are. */
export const isAboutOrders = (code: HaltCode): boolean => code === 'order-unknown';

/** A halt may outlast its cause: its sentence must not call a settled cause open. */
function asOfNow(state: With<'durable'>, market: Market, { code, reason, unwind, since }: Halt): string {
  if (unwind !== undefined) {
    const left = unwindingOf(state, market, since)?.left;
    return `${reason} Left: ${left === undefined ? 'nothing' : `${left.toFixed()} ${market.run.instrument.base}`}.`;
  }
  if (isAboutOrders(code) && isQuestionOver(state, market))
    return `${reason} No such order is open any more: what remains is \`resume ${market.symbol}\`.`;
  return reason;
}

/** Reasons that apply to one symbol, without the global ones. */
export function symbolBlockers(
  state: With<'settings' | 'session' | 'durable' | 'markets' | 'reconciliation'>,
  market: Market,
  now: EpochMs,
): Blocker[] {
  const { symbol } = market;
  const blockers: Blocker[] = [];
  const { settings } = state;
  const { book, openOrders: orders, trades, unavailable, rejects, unsent } = market;
  const halt = haltOf(state, market);
  if (halt !== null) blockers.push(blocker(halt.code, `Halted: ${halt.reason}`, true));
  if (unavailable !== null) blockers.push(blocker('unlisted', unavailable, true));
  // Before the ledger is opened, the reason about the uncompared wallet covers this. Orders there were taken over and
  // are canceled.
  if (state.durable.books.opened && !isOpened(state.durable, symbol))
    blockers.push(blocker('starting', marketWords(settings.assumptions, symbol), true));
  else blockers.push(...moneyBlockers(state, market, now));
  const inGrace = inStartGrace(state.session, now);
  if (book.book === null) blockers.push(blocker('book', 'The order book is not read yet.', !inGrace));
  blockers.push(...priceBlockers(state, market, now));
  const unvalued = unvaluedCoin(state, market);
  if (unvalued !== null)
    blockers.push(blocker('book', `The portfolio can't be valued: the price of ${unvalued} is unknown.`, !inGrace));
  const ordersAge = ageOf(orders, now);
  if (orders.sentAt === null) blockers.push(blocker('orders', 'Own orders are not read yet.', false));
  else if (ordersAge > settings.ageLimits.openOrdersMs)
    blockers.push(blocker('orders', `The list of own orders is ${seconds(ordersAge)} old.`, true));
  // A trailing wallet may match a ledger that lacks the fills from before the start.
  if (trades.sentAt === null) blockers.push(blocker('account', 'Own trades are not read yet.', false));
  const rest = rejects.restUntil >= unsent.restUntil ? rejects : { ...unsent, kind: NOTHING_LEFT };
  if (now < rest.restUntil) {
    const reason =
      `Resting for ${seconds(rest.restUntil - now)} after ${rest.inARow} ` +
      `creates in a row that failed (${rest.kind}).`;
    blockers.push(blocker('locked', reason, false));
  }
  return blockers;
}

/** Why the last reads give no price: they are too old, or not trusted. */
export function priceBlockers(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  market: Market,
  now: EpochMs,
): Blocker[] {
  const blockers: Blocker[] = [];
  const { ageLimits } = state.settings;
  const { run, book, knowledge } = market;
  const bookAge = ageOf(book, now);
  if (book.book !== null && bookAge > ageLimits.bookMs)
    blockers.push(blocker('book', `The order book is ${seconds(bookAge)} old.`, true));
  if (book.book !== null && book.sentAt !== null && book.sentAt < state.reconciliation.from)
    blockers.push(blocker('book', 'The order book is out of date: it is being read again.', false));
  if (book.frozen !== null) blockers.push(blocker('book', frozenWords(book, book.frozen, now), true));
  const doubt = firstPriceDoubt(state, market, now);
  if (doubt !== null) blockers.push(blocker('price', doubt, true));
  if (run.referenceSource !== 'lastTrade' || knowledge.trades === null) return blockers;
  const tradesAge = now - knowledge.trades.sentAt;
  if (tradesAge > ageLimits.publicTradesMs)
    blockers.push(blocker('price', `The public trades that quotes center on are ${seconds(tradesAge)} old.`, true));
  return blockers;
}

const marketWords = (assumptions: VenueAssumptions, symbol: InstrumentSymbol): string =>
  `${symbol} was configured since the ledger was opened: it is opened once two wallets, ` +
  `${seconds(assumptions.readLagBoundMs)} apart, say the same and its own trades are read.`;

/** Intents of all symbols whose creates are unresolved. */
export function unknownCount(state: With<'durable' | 'markets'>): number {
  return symbolsOf(state).reduce(
    (sum, symbol) => sum + unresolvedOf(state.durable, symbol).filter(({ state: s }) => s === 'unknown').length,
    0,
  );
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
