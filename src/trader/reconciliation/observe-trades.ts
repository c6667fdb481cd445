// Own trades: read by an overlapping cursor, each booked once (order-truth §4).
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { cover, holesIn, NOTHING_COVERED } from '../../history/coverage.ts';
import type { HistoryOutcome } from '../../history/outcome.ts';
import { entriesOf } from '../../history/state.ts';
import type { CompletedRead, Read } from '../../venue/outcomes.ts';
import { isOfTheRequest } from '../../venue/refusals.ts';
import type { ReadRequest } from '../../venue/requests.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import { clearShown, leanOnEarlier, recordMissing } from '../money/corrections.ts';
import { knownTo } from '../money/known-trades.ts';
import type { Backfill, Market } from '../state/market.ts';
import { isOpened } from '../state/state.ts';
import { countFailedRead, need, recordGoodRead } from '../state/surfaces.ts';
import { notice, type Step, type Turn } from '../state/turn.ts';
import { beginBackfill, endedBackfill, endGap, extendGap, haltForGaps } from '../trades/backfill.ts';
import { bookAll } from '../trades/book-trades.ts';
import { judgeAndRecordPage, raiseLongestPage } from '../trades/trades-page.ts';
import { countTradesBefore } from './opening.ts';
import { judgeWallet } from './reconcile.ts';

export function observeTrades(
  turn: Turn,
  market: Market,
  request: ReadRequest<'spot-trades'>,
  read: Read<readonly Fill[]>,
): void {
  const { state } = turn;
  const { symbol, trades: surface } = market;
  raiseLongestPage(surface, read.rows);
  const opened = isOpened(state.durable, symbol);
  if (!opened) countTradesBefore(market, read.rows, state.reconciliation);
  clearShown(state, read.rows);
  surface.isRefused = false;
  const verdict = judgeAndRecordPage(state, market, request, read);
  for (const { tradeId: id } of read.rows)
    if (surface.newestShown === null || compareTradeIds(id, surface.newestShown) > 0) surface.newestShown = id;
  switch (verdict.kind) {
    case 'more':
      if (bookPage(turn, market, read.rows) === 'held') return;
      if (opened) surface.bookedTo = newestOf(read.rows) ?? surface.bookedTo;
      surface.morePages = true;
      surface.failures = 0;
      surface.incompleteSince = null;
      need(surface, turn.now);
      return;
    case 'incomplete':
      // Nothing of it is booked: the cursor must not pass an unreadable row. A server that is behind catches up within
      // the lag.
      countFailedRead(surface);
      surface.bookedTo = null;
      surface.incompleteSince ??= read.sentAt;
      notice(turn, { level: 'warn', op: 'read-failed', symbol, message: verdict.because });
      if (!opened || read.sentAt - surface.incompleteSince < state.settings.assumptions.readLagBoundMs) return;
      if (!read.complete || !leanOnEarlier(turn, symbol, surface.incompleteSince))
        return beginBackfill(turn, market, verdict.because);
      surface.incompleteSince = null;
      return need(surface, turn.now);
    case 'gap':
      countFailedRead(surface);
      surface.bookedTo = null;
      if (opened) beginBackfill(turn, market, verdict.because);
      return;
    case 'complete':
      if (bookPage(turn, market, read.rows) === 'held') return;
      surface.morePages = false;
      surface.incompleteSince = null;
      if (endGap(turn, symbol)) {
        const message = 'Own trades are read to the present again.';
        notice(turn, { level: 'info', op: 'trades-gap', symbol, message });
      }
      recordGoodRead(surface, read.sentAt);
      judgeWallet(turn);
  }
}

function newestOf(rows: readonly Fill[]): TradesCursor | null {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const { tradeId, venueTime } = others.reduce((a, b) => (compareTradeIds(a.tradeId, b.tradeId) < 0 ? b : a), first);
  return { tradeId, venueTime };
}

/** Trades were not answered. If they never will be, nothing may wait for them. */
export function recordUnansweredTrades(
  turn: Turn,
  { trades }: Market,
  { outcome }: Extract<CompletedRead, { kind: 'spot-trades' }>,
): void {
  if (outcome.kind !== 'rejected' || !isOfTheRequest(outcome.refusal)) return;
  trades.isRefused = true;
  judgeWallet(turn);
}

/** How soon waiting rows are read again. */
const HELD_FOR_MS = 1_000;

/** Books a page; rows that wait for a create are read again soon. */
function bookPage(turn: Turn, market: Market, rows: readonly Fill[]): 'booked' | 'held' {
  if (!isOpened(turn.state.durable, market.symbol) || bookAll(turn, market, rows).length === 0) return 'booked';
  const surface = market.trades;
  need(surface, turn.now + HELD_FOR_MS);
  // A list may take as long as it trails: meanwhile the trades are read ever more rarely.
  if (surface.unmatchedSince.size > 0) countFailedRead(surface);
  return 'held';
}

/** Books the rows that a reading of the whole list has released, and ends the reading at its end. */
export function settleBackfill(turn: Turn, market: Market): void {
  const { state } = turn;
  const { symbol, backfill, trades: surface } = market;
  if (backfill === null) return;
  if (backfill.lateScan !== null) return settleLateScan(turn, market, backfill);
  const outcome = endedBackfill(market);
  // Before its rows: the cursor passes the missing trades, and people must have been notified of that.
  const before = marketIn(state.durable, symbol).cursor;
  if (outcome?.kind === 'gap') haltForGaps(turn, market, outcome.gaps);
  // Rows that an abandoned reading releases at its end may lie behind a hole that nobody was notified of: they are read
  // again.
  if (outcome?.kind === 'failed') backfill.waiting = [];
  backfill.waiting = bookAll(turn, market, backfill.waiting);
  if (outcome === null || backfill.waiting.length > 0) return;
  market.backfill = null;
  surface.morePages = false;
  surface.incompleteSince = null;
  if (outcome.kind === 'failed') {
    countFailedRead(surface);
    const message = `Own trades could not be read to the end: ${outcome.fault.detail}`;
    return notice(turn, { level: 'page', op: 'trades-backfill-failed', symbol, message });
  }
  if (outcome.kind === 'gap') {
    // With a row behind the gap, the cursor has passed it; if its own trade is still listed, reading goes on from that.
    if (marketIn(state.durable, symbol).cursor === before && backfill.reading.cursorSeenAt === null)
      extendGap(turn, symbol, backfill);
    else if (endGap(turn, symbol)) {
      const message =
        'Newer own trades are listed, and reading goes on from them. The missing trades are still missing.';
      notice(turn, { level: 'info', op: 'trades-gap', symbol, message });
    }
    return countFailedRead(surface);
  }
  endGap(turn, symbol);
  if (backfill.firstSentAt !== null) recordGoodRead(surface, backfill.firstSentAt);
  const message = `Own trades are read to the end: ${outcome.rows} rows in ${outcome.requests} requests.`;
  notice(turn, { level: 'info', op: 'history-read', symbol, message });
  judgeWallet(turn);
}

/**
 * Books late rows; whatever newer rows were shown with them, the cursor stays. A scan for the reason of a difference
 * counts as made, however it ended: differences that remain are confirmed.
 */
function settleLateScan(turn: Turn, market: Market, backfill: Backfill): void {
  const { state } = turn;
  const cursor = knownTo(state, market);
  const late = backfill.waiting.filter((row) => cursor && compareTradeIds(row.tradeId, cursor.tradeId) <= 0);
  backfill.waiting = bookAll(turn, market, late);
  const outcome = endedBackfill(market);
  if (outcome === null || backfill.waiting.length > 0) return;
  market.backfill = null;
  const sentAt = backfill.firstSentAt ?? turn.now;
  // Without a difference a scan is a single page of the list, and leaves the archive out.
  const isForDifference = backfill.reading.traits.hasArchive;
  if (isForDifference || outcome.kind === 'complete') market.trades.lateScanSentAt = sentAt;
  // A difference may have waited for this scan.
  if (isForDifference || state.reconciliation.differsSince !== null) need(state.wallet, turn.now);
  if (outcome.kind !== 'failed') return recordScanned(turn, market, { backfill, outcome, sentAt });
  const message = `A scan for late trades failed, and finds none: ${outcome.fault.detail}`;
  notice(turn, { level: 'warn', op: 'history-read', symbol: market.symbol, message });
}

interface Scanned {
  readonly backfill: Backfill;
  readonly outcome: Exclude<HistoryOutcome, { kind: 'failed' }>;
  readonly sentAt: EpochMs;
}

/** Records the stretch read without a gap, and the booked trades that the list lacks and must still show. */
function recordScanned(
  turn: Step<'settings' | 'missing'>,
  market: Market,
  { backfill: { lateScan, reading }, outcome, sentAt }: Scanned,
): void {
  if (lateScan === null) return;
  const { trades } = market;
  const gaps = outcome.kind === 'gap' ? outcome.gaps : [];
  const from = Math.max(lateScan.from, ...gaps.map((gap) => gap.to + 1));
  if (from <= lateScan.to) trades.wholeScan = { from, sentAt };
  const rows = [...entriesOf(reading.collection)].map(({ row }) => row);
  // A trade may be on its way to the archive: only its absence from the recent list proves something.
  const { trusted, flaws } = reading.recent;
  const unread = flaws.reduce((spans, flaw) => cover(spans, flaw, []), NOTHING_COVERED);
  for (const { from: start, to } of trusted)
    for (const span of holesIn(unread, { from: Math.max(start, lateScan.from), to: Math.min(to, lateScan.to) }))
      recordMissing(turn, market, { span, rows, sentAt });
}
