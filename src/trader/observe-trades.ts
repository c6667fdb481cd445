// Own trades: read by an overlapping cursor, each booked once (order-truth §4).
import { plain } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import { compareTradeIds, type IntentId, tradeId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite } from '../domain/order.ts';
import type { EpochMs } from '../domain/time.ts';
import { type BookableFill, bookable } from '../ledger/bookable-fill.ts';
import { bookedAs, checkTrade } from '../ledger/booked-trades.ts';
import { LIST_LIMIT_DEFAULT, type TradeWindow } from '../venue/bounds.ts';
import type { Read } from '../venue/outcomes.ts';
import type { ReadRequest, SpotTradesFilter } from '../venue/requests.ts';
import { beginBackfill, beginLookBack, endedBackfill, haltForGaps } from './backfill.ts';
import type { Backfill } from './backfill-state.ts';
import { closeFilled } from './closing.ts';
import { correctTrade, cursorOf, leanOnEarlier, midText, noteMissing, noteShown } from './corrections.ts';
import { adoptDuplicatesFromFills } from './duplicates.ts';
import { type Durable, liveIntents, type TradesCursor } from './durable.ts';
import { toFillRecord } from './fill-record.ts';
import { isDedicated, refuse, wasThereBefore } from './foreign.ts';
import { SHORTEST_WINDOW_MS, stillListed } from './look-back.ts';
import { judgeWallet } from './reconcile.ts';
import { adoptFromFills, couldFill } from './resolve.ts';
import { surfaceOf, type TraderState, touch } from './state.ts';
import { need, noteFailure, noteSuccess } from './surfaces.ts';
import { emit, haltSymbol, intentNotice, notice, type Turn } from './turn.ts';
import { waitForList } from './unlisted.ts';

export function observeTrades(turn: Turn, request: ReadRequest<'spot-trades'>, read: Read<readonly Fill[]>): void {
  const { state } = turn;
  const { symbol, filter } = request;
  if (filter.by === 'window') return observeRescan(turn, symbol, { window: filter.window, read, limit: request.limit });
  if (!state.durable.opened) noteOpeningCursor(turn, symbol, read.rows);
  noteShown(turn, read.rows);
  const surface = surfaceOf(state.surfaces.trades, symbol);
  const verdict = judgePage(state, request, read);
  for (const { tradeId: id } of read.rows)
    if (surface.newestShown === null || compareTradeIds(id, surface.newestShown) > 0) surface.newestShown = id;
  switch (verdict.kind) {
    case 'more':
      if (bookPage(turn, symbol, read.rows) === 'held') return;
      surface.morePages = true;
      surface.failures = 0;
      surface.incompleteSince = null;
      need(surface, turn.now);
      return;
    case 'incomplete':
      // Nothing of it is booked: the cursor must not pass what could not be read. A server that is behind catches up within the lag.
      noteFailure(surface);
      surface.incompleteSince ??= read.sentAt;
      notice(turn, { level: 'warn', op: 'trades-incomplete', symbol, message: verdict.because });
      if (!state.durable.opened || read.sentAt - surface.incompleteSince < state.settings.assumptions.readLagBoundMs)
        return;
      if (!read.complete || !leanOnEarlier(turn, symbol, surface.incompleteSince))
        return beginBackfill(turn, symbol, verdict.because);
      surface.incompleteSince = null;
      return need(surface, turn.now);
    case 'gap':
      noteFailure(surface);
      if (state.durable.opened) beginBackfill(turn, symbol, verdict.because);
      return;
    case 'complete':
      if (bookPage(turn, symbol, read.rows) === 'held') return;
      surface.morePages = false;
      surface.incompleteSince = null;
      noteSuccess(surface, read.sentAt);
      judgeWallet(turn);
  }
}

/** The late look back: what it shows and is not booked is booked, but for what the cursor has not reached; what it lacks is noted. */
function observeRescan(
  turn: Turn,
  symbol: InstrumentSymbol,
  { window, read, limit }: { window: TradeWindow; read: Read<readonly Fill[]>; limit: number | undefined },
): void {
  const { state } = turn;
  const surface = surfaceOf(state.surfaces.trades, symbol);
  surface.rescannedAt = read.sentAt;
  const cut = mayBeCut(state, limit, read.rows);
  const differs = state.reconciliation.differsSince !== null;
  // A difference may have waited for this look.
  if (differs) need(state.surfaces.wallet, turn.now);
  const cursor = state.durable.cursors.get(symbol);
  const late = read.rows.filter((row) => cursor !== undefined && compareTradeIds(row.tradeId, cursor.tradeId) <= 0);
  const held = state.durable.opened ? bookAll(turn, symbol, late) : [];
  // What waits for a list, or for an answer, was seen and is not booked: this look proves nothing yet.
  if (held.length > 0) surface.rescanFrom = turn.now + state.settings.polling.walletMs;
  else if (read.complete && !cut) surface.lookedBackSentAt = read.sentAt;
  if (!state.durable.opened || cursor === undefined) return;
  if (cut && differs) return beginLookBack(turn, symbol, window);
  if (cut) return;
  // Of what is old enough to have left the list nothing can be missed.
  const listed = stillListed(state, window, read.sentAt);
  if (listed !== null) noteMissing(turn, symbol, { window: listed, read });
}

const fullPage = ({ settings }: TraderState, limit: number | undefined): number =>
  Math.min(limit ?? LIST_LIMIT_DEFAULT, settings.assumptions.tradesPageRows);

/**
 * Exactly as many rows as a list has where no limit is given may be a limit that was passed over (order-truth §4, m5), whatever is repeated
 * beside them (F47).
 */
const mayBeCut = (state: TraderState, limit: number | undefined, rows: readonly Fill[]): boolean =>
  [rows.length, withoutRepeats(rows).length].includes(LIST_LIMIT_DEFAULT) || rows.length >= fullPage(state, limit);

/** Books a page; rows that wait for a create are read again soon. */
function bookPage(turn: Turn, symbol: InstrumentSymbol, rows: readonly Fill[]): 'booked' | 'held' {
  if (!turn.state.durable.opened || bookAll(turn, symbol, rows).length === 0) return 'booked';
  const surface = surfaceOf(turn.state.surfaces.trades, symbol);
  need(surface, turn.now + HELD_FOR_MS);
  // A list may take as long as it trails: meanwhile the trades are asked ever more rarely.
  if (surface.unlistedSince.size > 0) noteFailure(surface);
  return 'held';
}

/** Books what a reading of the whole list has freed, and ends it when it is at its end. */
export function settleBackfill(turn: Turn, symbol: InstrumentSymbol): void {
  const { state } = turn;
  const backfill = state.backfills.get(symbol);
  if (backfill === undefined) return;
  if (backfill.lookBack !== null) return settleLookBack(turn, symbol, backfill);
  const outcome = endedBackfill(state, symbol);
  // Before its rows: the cursor passes what is missing, and that must have been said.
  if (outcome?.kind === 'gap') haltForGaps(turn, symbol, outcome.gaps);
  backfill.waiting = bookAll(turn, symbol, backfill.waiting);
  if (outcome === null || backfill.waiting.length > 0) return;
  state.backfills.delete(symbol);
  const surface = surfaceOf(state.surfaces.trades, symbol);
  surface.morePages = false;
  surface.incompleteSince = null;
  if (outcome.kind === 'failed') {
    noteFailure(surface);
    const message = `Own trades could not be read to the end: ${outcome.fault.detail}`;
    return notice(turn, { level: 'page', op: 'trades-backfill-failed', symbol, message });
  }
  if (outcome.kind === 'gap') return noteFailure(surface);
  if (backfill.firstSentAt !== null) noteSuccess(surface, backfill.firstSentAt);
  const message = `Own trades are read to the end: ${outcome.rows} rows in ${outcome.requests} requests, archive ${outcome.archive}.`;
  notice(turn, { level: 'info', op: 'trades-backfill-ended', symbol, message });
  judgeWallet(turn);
}

/**
 * Books what has come late; whatever newer rows were shown with it, the cursor stays where it is. However it ended, it was the look: what
 * still differs then is believed.
 */
function settleLookBack(turn: Turn, symbol: InstrumentSymbol, backfill: Backfill): void {
  const { state } = turn;
  const cursor = state.durable.cursors.get(symbol);
  const late = backfill.waiting.filter((row) => cursor && compareTradeIds(row.tradeId, cursor.tradeId) <= 0);
  backfill.waiting = bookAll(turn, symbol, late);
  if (endedBackfill(state, symbol) === null || backfill.waiting.length > 0) return;
  state.backfills.delete(symbol);
  surfaceOf(state.surfaces.trades, symbol).lookedBackSentAt = backfill.firstSentAt ?? turn.now;
  need(state.surfaces.wallet, turn.now);
}

type PageVerdict =
  | { kind: 'complete' }
  | { kind: 'more' }
  /** It proves nothing: ask again. */
  | { kind: 'incomplete'; because: string }
  /** No page from the cursor leads on: the list must be read by other means. */
  | { kind: 'gap'; because: string };

/**
 * A page reaches to the present when it can't be cut, and back to what we have when it contains the cursor's trade. One that may be cut
 * and has the cursor's trade asks for the next; without it, it is the newest part of more than we can see. Where no trade is known yet,
 * it may be either part. That a page is short or empty proves nothing of itself: it may be of a server that is behind, or of an outage.
 */
function judgePage(state: TraderState, request: ReadRequest<'spot-trades'>, read: Read<readonly Fill[]>): PageVerdict {
  if (!read.complete)
    return { kind: 'incomplete', because: read.incompleteBecause ?? 'A row of own trades could not be read.' };
  const { filter, symbol } = request;
  const { rows } = read;
  const { opened } = state.durable;
  const full = mayBeCut(state, request.limit, rows);
  const last = lastKnown(state, symbol);
  const lastId = filter.by === 'from-id' ? filter.fromId : last?.tradeId;
  if (lastId === undefined) return { kind: full ? 'more' : 'complete' };
  if (lastId === FIRST_ID) return judgeFirst(state, symbol, { full, sentAt: read.sentAt });
  const surface = surfaceOf(state.surfaces.trades, symbol);
  if (rows.some((row) => compareTradeIds(row.tradeId, lastId) === 0)) {
    surface.lastMissedSince = null;
    return { kind: full ? 'more' : 'complete' };
  }
  if (full && !opened && filter.by !== 'from-id') return { kind: 'more' };
  if (full)
    return {
      kind: 'gap',
      because: `${rows.length} newer own trades came without trade ${lastId}, the last one known.`,
    };
  return judgeAbsent(state, symbol, { last: { tradeId: lastId, venueTime: last?.venueTime ?? 0 }, read });
}

/** All own trades there ever were on one page, since the ledger was opened on none. */
function judgeFirst(
  state: TraderState,
  symbol: InstrumentSymbol,
  { full, sentAt }: { full: boolean; sentAt: EpochMs },
): PageVerdict {
  if (!state.durable.opened) return { kind: full ? 'more' : 'complete' };
  if (full) return { kind: 'gap', because: `The first page of own trades of ${symbol} is full.` };
  if (stillShows(state, symbol, sentAt, state.durable.openedAt ?? 0)) return { kind: 'complete' };
  return { kind: 'gap', because: `No own trade of ${symbol} is known, and the list may have dropped some.` };
}

/**
 * A page that can't be cut and lacks the last trade known: that may have left the list with time, or the page is of a server behind,
 * or of an outage. Where the list has shown it in this session, it has left only when it is missed for longer than a list may trail.
 */
function judgeAbsent(
  state: TraderState,
  symbol: InstrumentSymbol,
  { last, read }: { last: TradesCursor; read: Read<readonly Fill[]> },
): PageVerdict {
  const surface = surfaceOf(state.surfaces.trades, symbol);
  const because = `Own trades of ${symbol} came without the last one known.`;
  if (read.sentAt - last.venueTime <= SHORTEST_WINDOW_MS) return { kind: 'incomplete', because };
  const isShown = surface.newestShown !== null && compareTradeIds(surface.newestShown, last.tradeId) >= 0;
  surface.lastMissedSince ??= read.sentAt;
  if (isShown && read.sentAt - surface.lastMissedSince < state.settings.assumptions.readLagBoundMs)
    return { kind: 'incomplete', because };
  surface.newestShown = null;
  if (!state.durable.opened || stillShows(state, symbol, read.sentAt, last.venueTime)) return { kind: 'complete' };
  const since = new Date(last.venueTime).toISOString();
  return { kind: 'gap', because: `${because} It is of ${since}, and may have left the list.` };
}

/** Whether all that happened since own trades were last read to their end (or since `known`) must still be on the list. */
function stillShows(state: TraderState, symbol: InstrumentSymbol, sentAt: EpochMs, known: EpochMs): boolean {
  const readTo = Math.max(surfaceOf(state.surfaces.trades, symbol).sentAt ?? 0, known);
  return sentAt - readTo <= SHORTEST_WINDOW_MS - state.settings.assumptions.readLagBoundMs;
}

/** Asks for everything; no trade has a smaller id. */
export const FIRST_ID = tradeId('0');

/** How the own trades of a symbol are asked for next. */
export function tradesFilter(state: TraderState, symbol: InstrumentSymbol): SpotTradesFilter {
  if (!state.durable.opened && !surfaceOf(state.surfaces.trades, symbol).morePages) return { by: 'symbol' };
  return { by: 'from-id', fromId: lastKnown(state, symbol)?.tradeId ?? FIRST_ID };
}

const lastKnown = (state: TraderState, symbol: InstrumentSymbol): TradesCursor | null =>
  state.durable.opened ? cursorOf(state, symbol) : (state.openingCursors.get(symbol) ?? null);

/** Before the opening nothing is booked: the newest trade of the account is where reading will begin. */
function noteOpeningCursor(turn: Turn, symbol: InstrumentSymbol, rows: readonly Fill[]): void {
  const { state } = turn;
  let newest: TradesCursor | null = state.openingCursors.get(symbol) ?? null;
  for (const row of rows) {
    if (newest === null || compareTradeIds(row.tradeId, newest.tradeId) > 0)
      newest = { tradeId: row.tradeId, venueTime: row.venueTime };
  }
  const before = state.openingCursors.get(symbol);
  if (newest === null || newest.tradeId === before?.tradeId) return;
  state.openingCursors.set(symbol, newest);
  state.reconciliation.bookedFills += 1;
}

/** When rows that may belong to a create on its way are read again. */
const HELD_FOR_MS = 1_000;

/** Books what is new. Returns the rows that wait, because whose they are will be known only when a create is answered (F13). */
function bookAll(turn: Turn, symbol: InstrumentSymbol, rows: readonly Fill[]): readonly Fill[] {
  const own = rows.filter((row) => row.symbol === symbol);
  const standings = own.map((row) => correctedStanding(turn, row));
  for (const standing of standings) if (typeof standing === 'object') haltSymbol(turn, symbol, standing.unbookable);
  const found = own
    .filter((_, index) => standings[index] === 'new')
    .sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  // Later rows wait as well: the cursor must not pass what is not booked.
  const waiting = new Set(
    [...Map.groupBy(found, ({ orderId }) => orderId)]
      .filter(([, fills]) => waitForList(turn, symbol, withoutRepeats(fills)))
      .map(([id]) => id),
  );
  const holding = found.findIndex((row) => isOnItsWay(turn.state, row) || waiting.has(row.orderId));
  const fresh = holding < 0 ? found : found.slice(0, holding);
  if (fresh.length > 0) {
    adoptFromFills(turn, symbol, withoutRepeats(fresh));
    adoptDuplicatesFromFills(turn, symbol, withoutRepeats(fresh));
    // Asked again: a page may hold a row twice (F47).
    for (const fill of fresh) if (standingOf(turn.state, fill).standing === 'new') book(turn, fill);
    closeFilled(turn, symbol);
    need(turn.state.surfaces.wallet, turn.now);
    touch(turn.state);
  }
  return holding < 0 ? [] : found.slice(holding);
}

/** A trade with ourselves is two rows of one id. */
const withoutRepeats = (fills: readonly Fill[]): Fill[] => [
  ...new Map(fills.map((fill) => [`${fill.tradeId} ${fill.side}`, fill])).values(),
];

/** Whether the fill may be of an order whose create is not answered yet. */
function isOnItsWay(state: TraderState, fill: Fill): boolean {
  if (state.durable.orders.has(fill.orderId)) return false;
  return liveIntents(state.durable, fill.symbol).some(
    (intent) => intent.state === 'sent' && couldFill(intent, fill) && !wasThereBefore(state, intent, fill.orderId),
  );
}

/** What a row is to the ledger: it was there before the opening, is new, is booked as it is, is booked otherwise, or can't be booked. */
type Standing = 'before' | 'new' | 'same' | 'corrected' | { readonly unbookable: string };

function standingOf({ durable }: TraderState, fill: Fill): { standing: Standing; checked: BookableFill | null } {
  if (isOfBefore(durable, fill)) return { standing: 'before', checked: null };
  const checked = bookable(fill);
  if (!checked.ok) return { standing: { unbookable: checked.error }, checked: null };
  return { standing: checkTrade(durable.booked, checked.value), checked: checked.value };
}

/** The standing of a row before its correction, which is booked at once. What is new stays so: corrections are of booked trades. */
function correctedStanding(turn: Turn, fill: Fill): Standing {
  const { standing, checked } = standingOf(turn.state, fill);
  if (standing === 'corrected' && checked !== null) correctTrade(turn, fill, checked);
  return standing;
}

/** It was there before the ledger was opened. */
function isOfBefore(durable: Durable, fill: Fill): boolean {
  const opening = durable.opening.get(fill.symbol);
  return opening !== undefined && compareTradeIds(fill.tradeId, opening.tradeId) <= 0;
}

function book(turn: Turn, fill: Fill): void {
  const { state } = turn;
  const id = state.durable.orders.get(fill.orderId) ?? null;
  const mid = midText(state, fill.symbol);
  emit(turn, { type: 'fill', payload: { fill: toFillRecord(fill), intentId: id, mid, at: turn.now } });
  state.reconciliation.bookedFills += 1;
  if (id === null && isDedicated(state))
    refuse(turn, `trade ${fill.tradeId} of order ${fill.orderId} (${fill.symbol})`);
  const late = id !== null && state.durable.closed.has(id);
  notice(turn, {
    level: late ? 'page' : id === null ? 'warn' : 'info',
    op: late ? 'late-fill' : id === null ? 'external-fill' : 'fill',
    symbol: fill.symbol,
    orderId: fill.orderId,
    message: `${fill.side === 'buy' ? 'Bought' : 'Sold'} ${plain(fill.quantity)} @ ${plain(fill.price)} (${fill.liquidity})${late ? ' on an order held for closed' : ''}${id === null ? ' on an order that is not the bot’s' : ''}.`,
  });
  if (id !== null) checkOverfill(turn, id);
  checkSelfTrade(turn, fill);
}

/** More filled than was asked for (M4): booked as it is, said, and nothing more is placed before a person has looked. */
function checkOverfill(turn: Turn, id: IntentId): void {
  const { durable } = turn.state;
  const intent = durable.intents.get(id) ?? durable.closed.get(id);
  if (!intent?.filled.gt(intent.quantity)) return;
  const [filled, quantity] = [plain(intent.filled), plain(intent.quantity)];
  emit(turn, { type: 'overfill', payload: { intentId: id, filled, quantity, at: turn.now } });
  const message = `${filled} of order ${intent.orderId ?? id} are filled, and it was of ${quantity}.`;
  intentNotice(turn, intent, { level: 'page', op: 'overfill', message });
  haltSymbol(turn, intent.symbol, message);
}

/** Both sides ours (F51): two bookings that move nothing but fee and tax. */
function checkSelfTrade(turn: Turn, { symbol, tradeId: id, side }: Fill): void {
  const other = bookedAs(turn.state.durable.booked, { symbol, tradeId: id, side: opposite(side) });
  if (other === null) return;
  const message = `Trade ${id} is one with ourselves: both of its sides are the account's.`;
  notice(turn, { level: 'page', op: 'self-trade', symbol, message });
}
