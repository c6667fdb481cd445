// Own trades: read by an overlapping cursor, each booked once (order-truth §4).
import { plain } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import { compareTradeIds, tradeId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { midPrice, touchOf } from '../domain/order-book.ts';
import { DAY, type EpochMs, MINUTE } from '../domain/time.ts';
import { type BookableFill, bookable } from '../ledger/bookable-fill.ts';
import { checkTrade } from '../ledger/booked-trades.ts';
import { LIST_LIMIT_DEFAULT } from '../venue/bounds.ts';
import type { Read } from '../venue/outcomes.ts';
import type { ReadRequest, SpotTradesFilter } from '../venue/requests.ts';
import { closeFilled } from './closing.ts';
import { liveIntents, type TradesCursor } from './durable.ts';
import { toFillRecord } from './fill-record.ts';
import { judgeWallet } from './reconcile.ts';
import { adoptFromFills, couldFill } from './resolve.ts';
import { surfaceOf, type TraderState, touch } from './state.ts';
import { wasThereBefore } from './strangers.ts';
import { need, noteFailure, noteSuccess } from './surfaces.ts';
import { emit, haltSymbol, notice, type Turn } from './turn.ts';

/** The shortest rolling window of the own-trades list that is thought possible (Q16). */
export const SHORTEST_WINDOW_MS = DAY;
/** How far back late rows are looked for. */
export const RESCAN_MS = 15 * MINUTE;

export function observeTrades(turn: Turn, request: ReadRequest<'spot-trades'>, read: Read<readonly Fill[]>): void {
  const { state } = turn;
  const { symbol, filter } = request;
  if (!state.durable.opened) noteOpeningCursor(turn, symbol, read.rows);
  const held = state.durable.opened && bookAll(turn, symbol, read.rows) === 'held';
  const surface = surfaceOf(state.surfaces.trades, symbol);
  if (filter.by === 'window') {
    surface.rescannedAt = read.sentAt;
    return;
  }
  if (held) return need(surface, turn.now + HELD_FOR_MS);
  const verdict = judgePage(state, request, read);
  switch (verdict.kind) {
    case 'more':
      surface.morePages = true;
      surface.failures = 0;
      need(surface, turn.now);
      return;
    case 'incomplete':
      noteFailure(surface);
      notice(turn, { level: 'warn', op: 'trades-incomplete', symbol, message: verdict.because });
      return;
    case 'gap':
      noteFailure(surface);
      return haltSymbol(turn, symbol, verdict.because);
    case 'complete':
      surface.morePages = false;
      noteSuccess(surface, read.sentAt);
      judgeWallet(turn);
  }
}

type PageVerdict =
  | { kind: 'complete' }
  | { kind: 'more' }
  | { kind: 'incomplete'; because: string }
  | { kind: 'gap'; because: string };

/**
 * A page reaches to the present when it is not full, and back to what we have when it contains the cursor's trade. A full page
 * with the cursor's trade asks for the next; a full one without it is the newest part of more than we can see: a gap.
 */
function judgePage(state: TraderState, request: ReadRequest<'spot-trades'>, read: Read<readonly Fill[]>): PageVerdict {
  if (!read.complete)
    return { kind: 'incomplete', because: read.incompleteBecause ?? 'A row of own trades could not be read.' };
  const full =
    read.rows.length >= Math.min(request.limit ?? LIST_LIMIT_DEFAULT, state.settings.assumptions.tradesPageRows);
  const { filter } = request;
  const reachesBack =
    filter.by !== 'from-id' ||
    filter.fromId === FIRST_ID ||
    read.rows.some((row) => compareTradeIds(row.tradeId, filter.fromId) === 0);
  if (reachesBack) return { kind: full ? 'more' : 'complete' };
  if (full)
    return {
      kind: 'gap',
      because: `${read.rows.length} newer own trades came without trade ${filter.fromId}, the last one known: some are missing between.`,
    };
  if (read.rows.length === 0 && beyondWindow(state, request.symbol, read.sentAt)) return { kind: 'complete' };
  return { kind: 'incomplete', because: `Own trades from ${filter.fromId} came without that trade itself.` };
}

/** Whether the cursor's trade is so old that the list may have dropped it (Q16). */
function beyondWindow(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): boolean {
  const cursor = state.durable.cursors.get(symbol);
  return cursor !== undefined && now - cursor.venueTime > SHORTEST_WINDOW_MS;
}

/** Asks for everything; no trade has a smaller id. */
export const FIRST_ID = tradeId('0');

/** How the own trades of a symbol are asked for next. */
export function tradesFilter(state: TraderState, symbol: InstrumentSymbol): SpotTradesFilter {
  if (!state.durable.opened && !surfaceOf(state.surfaces.trades, symbol).morePages) return { by: 'symbol' };
  const cursor = state.durable.opened ? state.durable.cursors.get(symbol) : state.openingCursors.get(symbol);
  return { by: 'from-id', fromId: cursor?.tradeId ?? FIRST_ID };
}

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

/** `held`: some rows wait, because whose they are will be known only when a create is answered (F13). */
function bookAll(turn: Turn, symbol: InstrumentSymbol, rows: readonly Fill[]): 'booked' | 'held' {
  const found = [...rows]
    .filter((row) => row.symbol === symbol && isNew(turn, row))
    .sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  // Later rows wait as well: the cursor must not pass what is not booked.
  const holding = found.findIndex((row) => isOnItsWay(turn.state, row));
  const fresh = holding < 0 ? found : found.slice(0, holding);
  if (fresh.length > 0) {
    adoptFromFills(turn, symbol, withoutRepeats(fresh));
    // Asked again: a page may hold a row twice (F47).
    for (const fill of fresh) if (isNew(turn, fill)) book(turn, fill);
    closeFilled(turn, symbol);
    need(turn.state.surfaces.wallet, turn.now);
    touch(turn.state);
  }
  return holding < 0 ? 'booked' : 'held';
}

const withoutRepeats = (fills: readonly Fill[]): Fill[] => [
  ...new Map(fills.map((fill) => [fill.tradeId, fill])).values(),
];

/** Whether the fill may be of an order whose create is not answered yet. */
function isOnItsWay(state: TraderState, fill: Fill): boolean {
  if (state.durable.orders.has(fill.orderId)) return false;
  return liveIntents(state.durable, fill.symbol).some(
    (intent) => intent.state === 'sent' && couldFill(intent, fill) && !wasThereBefore(state, intent, fill.orderId),
  );
}

function isNew(turn: Turn, fill: Fill): boolean {
  const { state } = turn;
  const opening = state.durable.opening.get(fill.symbol);
  if (opening && compareTradeIds(fill.tradeId, opening.tradeId) <= 0) return false;
  const checked = bookable(fill);
  if (!checked.ok) {
    haltSymbol(turn, fill.symbol, checked.error);
    return false;
  }
  return isUnbooked(turn, checked.value);
}

function isUnbooked(turn: Turn, fill: BookableFill): boolean {
  const known = checkTrade(turn.state.durable.booked, fill);
  if (known === 'corrected')
    haltSymbol(turn, fill.symbol, `Trade ${fill.tradeId} was booked with other content: the exchange corrected it.`);
  return known === 'new';
}

function book(turn: Turn, fill: Fill): void {
  const { state } = turn;
  const id = state.durable.orders.get(fill.orderId) ?? null;
  const market = surfaceOf(state.surfaces.books, fill.symbol).book;
  const best = market ? touchOf(market) : null;
  emit(turn, {
    type: 'fill',
    payload: { fill: toFillRecord(fill), intentId: id, mid: best ? plain(midPrice(best)) : null, at: turn.now },
  });
  state.reconciliation.bookedFills += 1;
  const late = id !== null && state.durable.closed.has(id);
  notice(turn, {
    level: late ? 'page' : id === null ? 'warn' : 'info',
    op: late ? 'late-fill' : id === null ? 'external-fill' : 'fill',
    symbol: fill.symbol,
    orderId: fill.orderId,
    message: `${fill.side === 'buy' ? 'Bought' : 'Sold'} ${plain(fill.quantity)} @ ${plain(fill.price)} (${fill.liquidity})${late ? ' on an order held for closed' : ''}${id === null ? ' on an order that is not the bot’s' : ''}.`,
  });
}
