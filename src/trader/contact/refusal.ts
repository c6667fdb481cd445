// Answers about keys, clock or maintenance rather than the request itself: what each holds back, and for how long (F21,
// F80).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed, Rejected } from '../../venue/outcomes.ts';
import { isUnavailable, type RefusalKind, stopsAll } from '../../venue/refusals.ts';
import type { Durable } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import { isOpened, type Refusal, touchAll, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { notice, type Step } from '../state/turn.ts';

const FIRST_HOLD_MS = SECOND;
const LONGEST_HOLD_MS: DurationMs = 60 * SECOND;
/** While keys or clock are refused, a cancel may leave this often: it is the one request worth a refusal. */
const CANCEL_PACE_MS: DurationMs = 5 * SECOND;
/**
 * A refused timestamp brings the next candidate of the exchange's clock (docs/decisions/0021): `CLOCK_PROBES` of them
 * are tried at this pace, and a cancel always is.
 */
const CLOCK_PROBE_MS: DurationMs = SECOND;
const CLOCK_PROBES = 8;
/** In maintenance one private request leaves at a time, a cancel first: ever more rarely, up to this. */
const MAINTENANCE_HOLD_MS: DurationMs = 30 * SECOND;

/** Records what an answer to a signed request says about all of them. */
export function observeRefusal(
  turn: Step<'wallet' | 'reconciliation' | 'refusal'>,
  completed: Completed,
  ofReading: boolean,
): void {
  const { outcome } = completed;
  if (!ENDPOINTS[completed.kind].signed) return;
  if (tellsMaintenance(completed)) return recordMaintenance(turn, completed);
  if (outcome.kind === 'rejected') {
    // A refusal is an answer too.
    endMaintenance(turn);
    const optional = ofReading && isUnavailable(outcome.refusal);
    if (concernsAll(outcome.refusal) && !optional) recordRefusal(turn, completed.kind, outcome);
    return;
  }
  if (outcome.kind !== 'read' && outcome.kind !== 'accepted' && outcome.kind !== 'acknowledged') return;
  endMaintenance(turn);
  turn.state.refusal = null;
}

const concernsAll = (refusal: RefusalKind): boolean => stopsAll(refusal) || refusal === 'clock';

/**
 * The exchange itself says so, whatever the status. A 503 without the code comes from a gateway and counts as silence
 * (`contact/`).
 */
function tellsMaintenance({ outcome }: Completed): boolean {
  if (outcome.kind === 'unknown') return outcome.fault.refusal === 'maintenance';
  return (outcome.kind === 'throttled' || outcome.kind === 'rejected') && outcome.refusal === 'maintenance';
}

/**
 * Whether a cancel that had no effect may be repeated before any read: while only cancels may leave, and it was refused
 * like everything else. If it was answered otherwise, reads may be answered as well; repeating it alone would never end
 * the refusal.
 */
export function repeatsGoFirst({ refusal }: With<'refusal'>, answeredAt: EpochMs, now: EpochMs): boolean {
  return refusal !== null && (now < refusal.until || answeredAt <= refusal.lastAt);
}

const isCancel = (kind: Completed['kind']): boolean => kind.startsWith('cancel');

/** Reads and creates rest, longer each time: no lockout by hammering. A refused cancel does not hold the reads back. */
function recordRefusal(turn: Step<'refusal'>, kind: Completed['kind'], { code, msg, refusal: about }: Rejected): void {
  const { state, arrivedAt } = turn;
  const before = state.refusal?.kind === 'keys' ? state.refusal : null;
  const message = `${code} ${msg}`;
  const ofClock = about === 'clock';
  const cancelsFrom = arrivedAt + (ofClock ? CLOCK_PROBE_MS : CANCEL_PACE_MS);
  if (before !== null && isCancel(kind)) {
    state.refusal = { ...before, about, message, lastAt: arrivedAt, cancelsFrom };
    return touchAll(state);
  }
  const inARow = (before?.inARow ?? 0) + 1;
  const longer = Math.max(0, inARow - (ofClock ? CLOCK_PROBES : 1));
  const until = arrivedAt + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** longer);
  // A refused read must not delay a waiting cancel.
  const soonest = isCancel(kind) ? cancelsFrom : Math.min(before?.cancelsFrom ?? until, cancelsFrom);
  state.refusal = { kind: 'keys', about, message, inARow, lastAt: arrivedAt, until, cancelsFrom: soonest };
  notice(turn, {
    level: inARow === CALLED_AFTER ? 'page' : 'warn',
    op: 'refused',
    message: refusalWords(state.refusal),
  });
  touchAll(state);
}

/** Refusals in a row before a person is called. */
const CALLED_AFTER = 3;

/** For a refusal about the clock it says what the bot does, since nobody has to act. */
export function refusalWords({ about, message, inARow }: Pick<Refusal, 'about' | 'message' | 'inARow'>): string {
  const words = `The exchange refuses requests: ${message}`;
  if (about !== 'clock') return words;
  const tries = `${words.replace(/\.$/, '')}. Another estimate of its clock is tried`;
  if (inARow < CALLED_AFTER) return `${tries}; you are called when ${CALLED_AFTER} in a row are refused.`;
  return `${tries}; ${inARow} in a row were refused: are this machine's clock and the exchange's right?`;
}

function recordMaintenance(turn: Step<'refusal'>, { facts }: Completed): void {
  const { state, arrivedAt: lastAt } = turn;
  const before = state.refusal?.kind === 'maintenance' ? state.refusal : null;
  // Answers to requests that left earlier are no new attempt.
  if (before !== null && facts.sentAt < before.lastAt) return;
  const message = 'it is in maintenance';
  if (before === null) {
    notice(turn, { level: 'page', op: 'maintenance', message: `The exchange refuses requests: ${message}.` });
  }
  const inARow = (before?.inARow ?? 0) + 1;
  const until = lastAt + Math.min(MAINTENANCE_HOLD_MS, FIRST_HOLD_MS * 2 ** (inARow - 1));
  state.refusal = { kind: 'maintenance', about: 'maintenance', message, inARow, lastAt, until, cancelsFrom: until };
  touchAll(state);
}

/** The exchange answers again. Nothing is known of the meantime: everything is read before anything new is placed. */
function endMaintenance(turn: Step<'wallet' | 'reconciliation' | 'refusal'>): void {
  const { state, now } = turn;
  if (state.refusal?.kind !== 'maintenance') return;
  state.refusal = null;
  readAnew(state, now);
  notice(turn, {
    level: 'warn',
    op: 'exchange-answers',
    message: 'The exchange answers again: everything is read first.',
  });
}

/** Earlier reads are out of date: nothing is created before everything was read again. */
export function readAnew(state: With<'markets' | 'wallet' | 'reconciliation'>, now: EpochMs): void {
  state.reconciliation.from = now;
  for (const { book, openOrders, trades } of state.markets.values())
    for (const surface of [book, openOrders, trades]) need(surface, now);
  need(state.wallet, now);
  touchAll(state);
}

/**
 * Whether orders, trades and a wallet that matches in some asset were all requested after the last maintenance. Doesn't
 * wait for trades of a market that the ledger doesn't cover yet or that a gap has halted: they may never be read, and
 * nothing is quoted there anyway.
 */
export function isReconciledSince(state: With<'durable' | 'markets' | 'reconciliation'>, moment: EpochMs): boolean {
  const lists = [...state.markets].flatMap(([symbol, { openOrders, trades, unavailable }]) => {
    if (unavailable !== null) return [];
    return isOpened(state.durable, symbol) && !hasGap(state.durable, symbol) ? [openOrders, trades] : [openOrders];
  });
  const isCompared = [...state.reconciliation.equalIn.values()].some((equalAt) => equalAt >= moment);
  return isCompared && lists.every(({ sentAt }) => sentAt !== null && sentAt >= moment);
}

const hasGap = (durable: Durable, symbol: InstrumentSymbol): boolean =>
  marketIn(durable, symbol).halt?.code === 'trades-gap';

// Which of the configured markets the exchange lists. A missing market is not fatal: no order is created there, and
// resting orders are canceled.

export type ListingInput =
  | { readonly awaited: string }
  | { readonly awaited: null; readonly missing: readonly InstrumentSymbol[] };

export const isAvailable = (market: Market): boolean => market.unavailable === null;

export function observeListing(turn: Step<'holds'>, input: ListingInput): void {
  const { state } = turn;
  state.holds.listingAwaited = input.awaited;
  if (input.awaited === null)
    for (const market of state.markets.values()) updateAvailability(turn, market, input.missing);
  touchAll(state);
}

function updateAvailability(turn: Step, market: Market, missing: readonly InstrumentSymbol[]): void {
  const { symbol } = market;
  const lacks = missing.includes(symbol);
  if (lacks === (market.unavailable !== null)) return;
  if (!lacks) {
    market.unavailable = null;
    return notice(turn, {
      level: 'info',
      op: 'exchange-answers',
      symbol,
      message: `The exchange lists ${symbol} again.`,
    });
  }
  const reason = `The exchange does not list ${symbol}: it was delisted or disabled, or is misspelled here.`;
  market.unavailable = reason;
  const message = `${reason} Nothing is quoted there, own orders there are canceled, the other markets go on.`;
  notice(turn, { level: 'page', op: 'market-unlisted', symbol, message });
}
