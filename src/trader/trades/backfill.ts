// Own trades that no page from the cursor can reach: read to the end, archive included, before anything newer is booked
// (order-truth §4).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { next, observe, startHistory, takeRows } from '../../history/history.ts';
import { type SpotTradesQuestion, spotTrades } from '../../history/lists.ts';
import type { HistoryGap, HistoryOutcome } from '../../history/outcome.ts';
import { answerLearned } from '../../history/page.ts';
import { CAUTIOUS_HISTORY, type HistorySettings } from '../../history/query.ts';
import type { TradesTarget } from '../../history/state.ts';
import type { TradeWindow } from '../../venue/bounds.ts';
import type { CompletedRead } from '../../venue/outcomes.ts';
import { marketIn } from '../durable/market.ts';
import type { Backfill, Market } from '../state/market.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import { openedSince, venueTimeAt, type With } from '../state/state.ts';
import { countFailedRead, need } from '../state/surfaces.ts';
import { emit, haltSymbol, notice, type Step } from '../state/turn.ts';

/** The assumptions of src/history's machines, derived from the trader's. */
const historySettings = ({ readLagBoundMs, tradesPageRows }: VenueAssumptions): HistorySettings => ({
  ...CAUTIOUS_HISTORY,
  lagBoundMs: readLagBoundMs,
  smallestPageRows: Math.min(CAUTIOUS_HISTORY.smallestPageRows, tradesPageRows),
});

/** Begins to read the trades behind the last known one; `why` is one sentence. */
export function beginBackfill(turn: Step<'settings'>, market: Market, why: string): void {
  const { state } = turn;
  const { symbol, trades: surface } = market;
  if (market.backfill !== null) return;
  const settings = historySettings(state.settings.assumptions);
  const reading = startHistory(spotTrades(symbol), targetOf(state, symbol), settings);
  market.backfill = { lateScan: null, reading, firstSentAt: null, waiting: [] };
  surface.morePages = true;
  surface.failures = 0;
  need(surface, turn.now);
  notice(turn, { level: 'warn', op: 'history-read', symbol, message: `${why} Own trades are read to the end.` });
}

/**
 * Begins a late-trade scan. While wallet and ledger agree it is a single page of the list; else the stretch is read to
 * the end, archive included, as one page may have left out the missing trade.
 */
export function beginLateScan(
  state: With<'settings' | 'durable' | 'missing' | 'reconciliation'>,
  market: Market,
  { startTime, endTime }: TradeWindow,
): void {
  const { symbol } = market;
  const list = spotTrades(symbol);
  const settings = historySettings(state.settings.assumptions);
  const target = { by: 'between', from: startTime, to: endTime } as const;
  const reading = mayLack(state, symbol)
    ? startHistory(list, target, settings)
    : startHistory({ ...list, hasArchive: false }, target, { ...settings, mostRequests: 1 });
  market.backfill = { lateScan: target, reading, firstSentAt: null, waiting: [] };
}

/** Whether a trade may be missing, on either side. */
const mayLack = (
  { durable, missing, reconciliation }: With<'durable' | 'missing' | 'reconciliation'>,
  symbol: InstrumentSymbol,
): boolean =>
  reconciliation.differsSince !== null ||
  durable.differences.unexplainedSince !== null ||
  [...missing.values()].some((each) => each.symbol === symbol && !each.confirmed);

/** Behind the cursor; from the opening on if no trade was ever seen. */
function targetOf({ settings, durable }: With<'settings' | 'durable'>, symbol: InstrumentSymbol): TradesTarget {
  const { cursor } = marketIn(durable, symbol);
  if (cursor !== null) return { by: 'after', cursor };
  const from = Math.max(0, Math.floor(openedSince(durable, symbol) - settings.assumptions.readLagBoundMs));
  return { by: 'between', from, to: null };
}

/** The next question of the current reading; null if there is none. */
export function backfillQuestion({ backfill }: Market): SpotTradesQuestion | null {
  if (backfill === null) return null;
  const step = next(backfill.reading);
  return step.kind === 'ask' ? step.question : null;
}

type CompletedTrades = Extract<CompletedRead, { kind: 'spot-trades' | 'spot-trades-historical' }>;

/** Processes the answer to a question of the reading. Released rows are left in `waiting` for the caller to book. */
export function observeBackfill(market: Market, completed: CompletedTrades, now: EpochMs): void {
  const { request, outcome, facts } = completed;
  const { backfill, trades: surface } = market;
  if (backfill === null) return;
  const page = answerLearned(outcome, request.stamp.timestamp);
  if (page === null) {
    countFailedRead(surface);
    return need(surface, now);
  }
  surface.failures = 0;
  backfill.firstSentAt ??= facts.sentAt;
  backfill.reading = observe(backfill.reading, page);
  backfill.waiting = [...backfill.waiting, ...takeRows(backfill.reading)];
  if (backfill.lateScan === null || next(backfill.reading).kind === 'ask') need(surface, now);
}

/** How the reading of a symbol ended; null while it goes on, or rows of it still wait. */
export function endedBackfill({ backfill }: Market): HistoryOutcome | null {
  if (backfill === null) return null;
  const step = next(backfill.reading);
  return step.kind === 'done' ? step.outcome : null;
}

/** Reports the unreadable stretches, and stops the symbol: between these times trades may be missing (R6). */
export function haltForGaps(turn: Step<'session'>, market: Market, gaps: readonly [HistoryGap, ...HistoryGap[]]): void {
  const { symbol } = market;
  const spans = gaps.map(({ from, to, sentence }) => `${spanWords(from, to)}: ${sentence}`);
  const message = `Own trades may be missing. ${spans.join(' ')}`;
  // It stands since people were notified.
  const { gapUntil, halt } = marketIn(turn.state.durable, symbol);
  if (gapUntil !== null && halt !== null) return;
  // If the symbol was halted for another reason already, the halt alone would notify nobody.
  if (halt !== null) notice(turn, { level: 'page', op: 'trades-gap', symbol, message });
  haltSymbol(turn, market, message, 'trades-gap');
}

/** How often the growing extent of a gap is recorded: a person may take days. */
const GAP_KEPT_MS = HOUR;

/**
 * Nothing behind the gap was booked, so the next page is judged by the same trade again, until a person has accepted
 * the gap.
 */
export function extendGap(turn: Step<'clock'>, symbol: InstrumentSymbol, { firstSentAt }: Backfill): void {
  const { state, now } = turn;
  // The measured offset may be a fraction of a millisecond; times in the journal are whole.
  const until = Math.ceil(venueTimeAt(state, firstSentAt ?? now));
  const before = marketIn(state.durable, symbol).gapUntil;
  if (before !== null && until < before + GAP_KEPT_MS) return;
  emit(turn, { type: 'trades-gap', payload: { symbol, until, at: now } });
}

/** Reading goes on from the newest booked trade. True if a gap was recorded. */
export function endGap(turn: Step, symbol: InstrumentSymbol): boolean {
  if (marketIn(turn.state.durable, symbol).gapUntil === null) return false;
  emit(turn, { type: 'trades-gap', payload: { symbol, until: null, at: turn.now } });
  return true;
}

function spanWords(from: EpochMs, to: EpochMs): string {
  const words = (moment: EpochMs): string => (Number.isFinite(moment) ? timeText(moment) : 'now');
  return words(from) === words(to) ? `At ${words(from)}` : `From ${words(from)} to ${words(to)}`;
}
