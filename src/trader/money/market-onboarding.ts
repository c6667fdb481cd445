// Opens the books of a market that was configured later: which of its own trades were there before, and which are the
// first to be booked.
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type TradeId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import { bookedAs, type TradeName } from '../../ledger/booked-trades.ts';
import { bookable } from '../../ledger/fill-entries.ts';
import { compare, type Difference } from '../../ledger/ledger.ts';
import { isAvailable } from '../contact/refusal.ts';
import type { Books } from '../durable/books.ts';
import { type Changes, changesOfFill } from '../durable/external-flow.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import type { Onboarding } from '../state/market.ts';
import { marketOf, type TraderState, unopenedMarkets, venueTimeAt } from '../state/state.ts';
import { SHORTEST_WINDOW_MS } from './late-trade-scan.ts';

/** A page of own trades, and from which id on it holds all there are: null where it may be cut. */
interface Shown {
  readonly rows: readonly Fill[];
  readonly sentAt: EpochMs;
  readonly from: TradeId | null;
}

/**
 * Before the opening nothing is booked: the newest trade of the account is where reading will begin, or one before it.
 */
export function noteTradesToOpen(state: TraderState, symbol: InstrumentSymbol, shown: Shown, whole: boolean): void {
  const market = marketOf(state, symbol);
  market.onboarding ??= newOnboarding(state, symbol);
  const { onboarding } = market;
  onboarding.whole ||= whole;
  const before = onboarding.rows.size;
  for (const row of shown.rows) onboarding.rows.set(keyOf(row), row);
  const fresh = onboarding.rows.size - before;
  const lost = noteMissed(state, onboarding, shown);
  for (const row of lost) onboarding.rows.delete(keyOf(row));
  if (fresh === 0 && lost.length === 0) return;
  state.reconciliation.newTrades += 1;
  const newest = [...onboarding.rows.values()].toSorted((a, b) => compareTradeIds(a.tradeId, b.tradeId)).at(-1);
  market.openingCursor = newest === undefined ? null : { tradeId: newest.tradeId, venueTime: newest.venueTime };
  if (lost.length > 0) market.trades.lastMissedSince = null;
}

function newOnboarding(state: TraderState, symbol: InstrumentSymbol): Onboarding {
  const since = marketIn(state.durable, symbol).waitingSince ?? state.session.startedAt;
  return { since: venueTimeAt(state, since), rows: new Map(), missedSince: new Map(), whole: false };
}

const keyOf = ({ tradeId, side }: Fill): string => `${tradeId} ${side}`;

/**
 * Rows that the exchange took back: for longer than a list may trail every page lacked them that must show them. What
 * may have left the list with time stays.
 */
function noteMissed(
  state: Pick<TraderState, 'settings' | 'clock'>,
  { rows, missedSince }: Onboarding,
  shown: Shown,
): Fill[] {
  const { from, sentAt } = shown;
  if (from === null) return [];
  const { readLagBoundMs } = state.settings.assumptions;
  const listedFrom = venueTimeAt(state, sentAt) - SHORTEST_WINDOW_MS + readLagBoundMs;
  const listed = new Set(shown.rows.map(keyOf));
  const lost: Fill[] = [];
  for (const [key, row] of rows) {
    const isDue = compareTradeIds(row.tradeId, from) >= 0 && row.venueTime >= listedFrom;
    const since = missedSince.get(key) ?? sentAt;
    if (listed.has(key)) missedSince.delete(key);
    else if (isDue && sentAt - since >= readLagBoundMs) lost.push(row);
    else if (isDue) missedSince.set(key, since);
  }
  for (const row of lost) missedSince.delete(keyOf(row));
  return lost;
}

/** A page that leaves then tells of all rows that were missed whether they were taken back; 0 where none was. */
export function missedUntil(
  { markets, settings }: Pick<TraderState, 'settings' | 'markets'>,
  symbol: InstrumentSymbol,
): EpochMs {
  const since = [...(markets.get(symbol)?.onboarding?.missedSince.values() ?? [])];
  return Math.max(0, ...since.map((each) => each + settings.assumptions.readLagBoundMs));
}

/** Where reading begins: `cursor` and `from` as the journal keeps them, and the trades behind it, by id. */
export interface Beginning {
  readonly cursor: TradesCursor | null;
  readonly from: EpochMs;
  readonly later: readonly Fill[];
}

/**
 * What happened before the last wallet that is known to have equalled the ledger is accounted for: it showed what that
 * moved of other assets. What happened since is not, and is booked, but for what explained a difference meanwhile.
 * Where the list does not reach back so far, it is what the list shows.
 */
export function beginningOf(
  state: Pick<TraderState, 'durable' | 'markets'>,
  symbol: InstrumentSymbol,
  venueAt: EpochMs,
): Beginning {
  const { onboarding } = marketOf(state, symbol);
  if (onboarding === null) return { cursor: null, from: venueAt, later: [] };
  const { rows, whole, since } = onboarding;
  const sorted = [...rows.values()].toSorted((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  const isBooked = (row: Fill): boolean => bookedAs(state.durable.books.booked, nameOf(row)) !== null;
  const last = sorted.findLast(({ venueTime }) => venueTime <= since) ?? (whole ? undefined : sorted[0]);
  const behind = sorted.filter(({ tradeId }) => last === undefined || compareTradeIds(tradeId, last.tradeId) > 0);
  const later = behind.filter((row) => !isBooked(row));
  if (last === undefined) return { cursor: null, from: sorted[0]?.venueTime ?? venueAt, later };
  return { cursor: { tradeId: last.tradeId, venueTime: last.venueTime }, from: venueAt, later };
}

const nameOf = ({ symbol, tradeId, side }: Fill): TradeName => ({ symbol, tradeId, side });

/** Assets that were opened since the trade, with another market: their opening balances have what it moved. */
export function openedSinceTrade(books: Books, fill: Fill): Asset[] {
  const checked = bookable(fill);
  if (!checked.ok) return [];
  const assets = [...changesOfFill(checked.value).keys()];
  return assets.filter((asset) => fill.venueTime < (books.assetsOpened.get(asset) ?? 0));
}

/**
 * What the trades did to the wallet that no opening balance has. One that can't be booked counts for nothing: it halts
 * its symbol.
 */
export function movedBy(books: Books, fills: readonly Fill[]): ReadonlyMap<Asset, Amount> {
  const moved = new Map<Asset, Amount>();
  for (const fill of fills) {
    const checked = bookable(fill);
    if (!checked.ok) continue;
    const opened = openedSinceTrade(books, fill);
    for (const [asset, by] of changesOfFill(checked.value))
      if (!opened.includes(asset)) moved.set(asset, add(moved.get(asset) ?? NO_AMOUNT, by));
  }
  return moved;
}

// Own trades that are known and wait to be booked: their market was configured later, and is opened once a second
// wallet says the same. What they moved of assets that the ledger knows is expected of the wallet all the same.

/**
 * Before the ledger is opened nothing is expected of a wallet. Trades of a market that the exchange does not list wait
 * for nothing: they are booked as those of a market that no run has.
 */
export function tradesThatWait(state: TraderState): readonly Fill[] {
  if (!state.durable.books.opened) return [];
  // From when its market would count is not asked for.
  return unopenedMarkets(state).flatMap((symbol) =>
    isAvailable(marketOf(state, symbol)) ? beginningOf(state, symbol, 0).later : [],
  );
}

export const movedByTradesThatWait = (state: TraderState): Changes =>
  movedBy(state.durable.books, tradesThatWait(state));

/** Assets in which the wallet's total is not what is booked, and what trades that wait moved. */
export function differencesFrom(state: TraderState, totals: ReadonlyMap<Asset, Amount>): Difference[] {
  const moved = movedByTradesThatWait(state);
  const movedOf = (asset: Asset): Amount => (totals.has(asset) ? (moved.get(asset) ?? NO_AMOUNT) : NO_AMOUNT);
  const withoutThem = new Map([...totals].map(([asset, total]) => [asset, subtract(total, movedOf(asset))]));
  return compare(state.durable.books.ledger, withoutThem).map((each) => ({
    ...each,
    expected: add(each.expected, movedOf(each.asset)),
    actual: add(each.actual, movedOf(each.asset)),
  }));
}
