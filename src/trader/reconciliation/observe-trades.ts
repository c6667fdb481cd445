// Own trades: read by an overlapping cursor, each booked once (order-truth §4).

import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { cover, holesIn, NOTHING_COVERED, type Span } from '../../history/coverage.ts';
import { entriesOf } from '../../history/state.ts';
import { type TradeWindow, tradeWindow } from '../../venue/bounds.ts';
import type { CompletedRead, Read } from '../../venue/outcomes.ts';
import { isOfTheRequest } from '../../venue/refusals.ts';
import type { ReadRequest } from '../../venue/requests.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import { clearShown, leanOnEarlier, recordMissing } from '../money/corrections.ts';
import { knownTo, stillListed } from '../money/late-trade-scan.ts';
import type { Backfill } from '../state/market.ts';
import { isOpened, marketOf } from '../state/state.ts';
import { countFailedRead, need, recordGoodRead } from '../state/surfaces.ts';
import { notice, type Step, type Turn } from '../state/turn.ts';
import { beginBackfill, beginLateScan, endedBackfill, endGap, extendGap, haltForGaps } from '../trades/backfill.ts';
import { bookAll } from '../trades/book-trades.ts';
import { judgeAndRecordPage, mayBeCut, raiseLongestPage } from '../trades/trades-page.ts';
import { countTradesBefore } from './opening.ts';
import { judgeWallet } from './reconcile.ts';

export function observeTrades(turn: Turn, request: ReadRequest<'spot-trades'>, read: Read<readonly Fill[]>): void {
  const { state } = turn;
  const { symbol, filter } = request;
  raiseLongestPage(marketOf(state, symbol), read.rows);
  if (filter.by === 'window')
    return observeLateScan(turn, symbol, { window: filter.window, read, limit: request.limit });
  const opened = isOpened(state.durable, symbol);
  if (!opened) countTradesBefore(marketOf(state, symbol), read.rows, state.reconciliation);
  clearShown(state, read.rows);
  const surface = marketOf(state, symbol).trades;
  surface.isRefused = false;
  const verdict = judgeAndRecordPage(state, request, read);
  for (const { tradeId: id } of read.rows)
    if (surface.newestShown === null || compareTradeIds(id, surface.newestShown) > 0) surface.newestShown = id;
  switch (verdict.kind) {
    case 'more':
      if (bookPage(turn, symbol, read.rows) === 'held') return;
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
        return beginBackfill(turn, symbol, verdict.because);
      surface.incompleteSince = null;
      return need(surface, turn.now);
    case 'gap':
      countFailedRead(surface);
      surface.bookedTo = null;
      if (opened) beginBackfill(turn, symbol, verdict.because);
      return;
    case 'complete':
      if (bookPage(turn, symbol, read.rows) === 'held') return;
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

/**
 * Processes a late-trade scan. It books new rows, except those that the cursor has not reached, and records trades that
 * the list lacks.
 */
function observeLateScan(
  turn: Turn,
  symbol: InstrumentSymbol,
  { window, read, limit }: { window: TradeWindow; read: Read<readonly Fill[]>; limit: number | undefined },
): void {
  const { state } = turn;
  const surface = marketOf(state, symbol).trades;
  surface.lateScanAttemptedAt = read.sentAt;
  const cut = mayBeCut(state, { symbol, limit }, read.rows);
  // Older rows may have left the list: their absence proves nothing.
  const listed = stillListed(state, window, read);
  const differs = state.reconciliation.differsSince !== null;
  // A difference may have waited for this scan.
  if (differs) need(state.wallet, turn.now);
  const cursor = knownTo(state, symbol);
  const late = read.rows.filter((row) => cursor !== null && compareTradeIds(row.tradeId, cursor.tradeId) <= 0);
  const held = isOpened(state.durable, symbol) ? bookAll(turn, symbol, late) : [];
  // A row that waits for a list, or for an answer, was seen and is not booked: this scan proves nothing yet.
  if (held.length > 0) surface.lateScanFrom = turn.now + state.settings.polling.walletMs;
  else if (read.complete && !cut) {
    surface.lateScanSentAt = read.sentAt;
    if (listed !== null) surface.wholeScan = { from: listed.startTime, sentAt: read.sentAt };
  }
  if (!isOpened(state.durable, symbol) || cursor === null) return;
  const doubtful = [...state.missing.values()].some((each) => each.symbol === symbol && !each.confirmed);
  if (cut && (differs || doubtful || state.durable.differences.unexplainedSince !== null))
    return beginLateScan(turn, symbol, window, 'came cut');
  if (cut) return;
  if (listed !== null) recordMissing(turn, symbol, { window: listed, read });
  else if (state.durable.differences.unexplainedSince !== null)
    beginLateScan(turn, symbol, window, 'is of what the list may have dropped');
}

/** Trades were not answered. If they never will be, nothing may wait for them. */
export function recordUnansweredTrades(turn: Turn, completed: Extract<CompletedRead, { kind: 'spot-trades' }>): void {
  const { request, outcome } = completed;
  if (outcome.kind !== 'rejected' || !isOfTheRequest(outcome.refusal)) return;
  if (request.filter.by === 'window') return recordRefusedLateScan(turn, completed, outcome.code);
  marketOf(turn.state, request.symbol).trades.isRefused = true;
  judgeWallet(turn);
}

/** There will be no late-trade scan, and it must not keep differences from being confirmed. */
function recordRefusedLateScan(
  turn: Step<'wallet' | 'reconciliation'>,
  { request: { symbol }, facts }: Extract<CompletedRead, { kind: 'spot-trades' }>,
  code: number,
): void {
  const { state, now } = turn;
  marketOf(state, symbol).trades.lateScanSentAt = facts.sentAt;
  if (state.reconciliation.differsSince !== null) need(state.wallet, now);
  const message = `A scan for late trades was refused with ${code}: late rows, and trades taken back, are not found.`;
  notice(turn, { level: 'warn', op: 'history-read', symbol, message });
}

/** How soon waiting rows are read again. */
const HELD_FOR_MS = 1_000;

/** Books a page; rows that wait for a create are read again soon. */
function bookPage(turn: Turn, symbol: InstrumentSymbol, rows: readonly Fill[]): 'booked' | 'held' {
  if (!isOpened(turn.state.durable, symbol) || bookAll(turn, symbol, rows).length === 0) return 'booked';
  const surface = marketOf(turn.state, symbol).trades;
  need(surface, turn.now + HELD_FOR_MS);
  // A list may take as long as it trails: meanwhile the trades are read ever more rarely.
  if (surface.unmatchedSince.size > 0) countFailedRead(surface);
  return 'held';
}

/** Books the rows that a reading of the whole list has released, and ends the reading at its end. */
export function settleBackfill(turn: Turn, symbol: InstrumentSymbol): void {
  const { state } = turn;
  const market = marketOf(state, symbol);
  const { backfill, trades: surface } = market;
  if (backfill === null) return;
  if (backfill.lateScan !== null) return settleLateScan(turn, symbol, backfill);
  const outcome = endedBackfill(market);
  // Before its rows: the cursor passes the missing trades, and people must have been notified of that.
  const before = marketIn(state.durable, symbol).cursor;
  if (outcome?.kind === 'gap') haltForGaps(turn, symbol, outcome.gaps);
  // Rows that an abandoned reading releases at its end may lie behind a hole that nobody was notified of: they are read
  // again.
  if (outcome?.kind === 'failed') backfill.waiting = [];
  backfill.waiting = bookAll(turn, symbol, backfill.waiting);
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
  const message =
    'Own trades are read to the end: ' +
    `${outcome.rows} rows in ${outcome.requests} requests, archive ${outcome.archive}.`;
  notice(turn, { level: 'info', op: 'history-read', symbol, message });
  judgeWallet(turn);
}

/**
 * Books late rows; whatever newer rows were shown with them, the cursor stays. However it ended, the scan was made:
 * differences that remain are confirmed.
 */
function settleLateScan(turn: Turn, symbol: InstrumentSymbol, backfill: Backfill): void {
  const { state } = turn;
  const cursor = knownTo(state, symbol);
  const late = backfill.waiting.filter((row) => cursor && compareTradeIds(row.tradeId, cursor.tradeId) <= 0);
  backfill.waiting = bookAll(turn, symbol, late);
  const outcome = endedBackfill(marketOf(state, symbol));
  if (outcome === null || backfill.waiting.length > 0) return;
  const market = marketOf(state, symbol);
  market.backfill = null;
  if (outcome.kind !== 'failed') recordMissingIn(turn, symbol, backfill, outcome.kind === 'gap' ? outcome.gaps : []);
  market.trades.lateScanSentAt = backfill.firstSentAt ?? turn.now;
  if (outcome.kind === 'complete' && backfill.lateScan !== null)
    market.trades.wholeScan = { from: backfill.lateScan.from, sentAt: market.trades.lateScanSentAt };
  need(state.wallet, turn.now);
}

/** Records trades that a completed late-trade scan lacks, in the stretches between the unreadable ones. */
function recordMissingIn(
  turn: Step<'settings' | 'missing' | 'clock'>,
  symbol: InstrumentSymbol,
  { lateScan, firstSentAt, reading }: Backfill,
  gaps: readonly Span[],
): void {
  if (lateScan === null || lateScan.to === null || firstSentAt === null) return;
  const unread = gaps.reduce((spans, gap) => cover(spans, gap, []), NOTHING_COVERED);
  const rows = [...entriesOf(reading.collection)].map(({ row }) => row);
  const read = { rows, complete: true, sentAt: firstSentAt, receivedAt: turn.now };
  for (const { from, to } of holesIn(unread, { from: lateScan.from, to: lateScan.to })) {
    const window = tradeWindow(from, to);
    // With several pages, and an archive, an older row proves nothing about a younger one.
    const listed = window.ok ? stillListed(turn.state, window.value, { rows: [], sentAt: firstSentAt }) : null;
    if (listed !== null) recordMissing(turn, symbol, { window: listed, read });
  }
}
