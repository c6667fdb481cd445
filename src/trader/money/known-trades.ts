// Up to which trade own trades are known, and which ones are requested next.
import { compareTradeIds, tradeId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { DAY, type EpochMs, MINUTE } from '../../domain/time.ts';
import { TRADE_WINDOW_MAX_MS, type TradeWindow, tradeWindow } from '../../venue/bounds.ts';
import type { SpotTradesFilter } from '../../venue/requests.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import { isOpened, openedSince, type With } from '../state/state.ts';

/** The shortest possible rolling window of the own-trades list (Q16). */
export const SHORTEST_WINDOW_MS = DAY;
/** "Within 72 hours" may mean less than 72, and a window ends a millisecond after the stretch. */
const LONGEST_WINDOW_MS = TRADE_WINDOW_MAX_MS - 2;
/** Minimum stretch behind the cursor that is searched for late rows. */
const LATE_TRADES_MS = 15 * MINUTE;

/** The last known trade with nothing newer booked before it: the cursor, or the end of the pages without news. */
export function knownTo(state: With<'durable'>, market: Market): TradesCursor | null {
  return newerOf(marketIn(state.durable, market.symbol).cursor, market.trades.bookedTo);
}

function newerOf(cursor: TradesCursor | null, bookedTo: TradesCursor | null): TradesCursor | null {
  if (cursor === null || bookedTo === null) return cursor;
  return compareTradeIds(bookedTo.tradeId, cursor.tradeId) > 0 ? bookedTo : cursor;
}

/**
 * The newest trade that the exchange is not known to have dropped, among the booked ones and then those before the
 * opening; null if none is known (the only one was taken back).
 */
export function cursorOf(
  { durable, missing }: With<'durable' | 'missing'>,
  symbol: InstrumentSymbol,
): TradesCursor | null {
  const { cursor, recent, openingCursor } = marketIn(durable, symbol);
  if (missing.size === 0) return cursor;
  const lost = [...missing.values()].filter((each) => each.symbol === symbol && each.confirmed);
  if (cursor === null || lost.length === 0) return cursor;
  const isLost = (mark: TradesCursor): boolean =>
    lost.some(({ tradeId }) => compareTradeIds(tradeId, mark.tradeId) === 0);
  if (!isLost(cursor)) return cursor;
  return recent.findLast(({ fill }) => !isLost(fill))?.fill ?? openingCursor;
}

/** Asks for everything; no trade has a smaller id. */
export const FIRST_ID = tradeId('0');

/** The filter of a symbol's next own-trades request. */
export function tradesFilter(state: With<'durable' | 'missing'>, market: Market): SpotTradesFilter {
  if (!isOpened(state.durable, market.symbol) && !market.trades.morePages) return { by: 'symbol' };
  const { tradeId: id, venueTime } = lastKnown(state, market) ?? { tradeId: FIRST_ID, venueTime: 0 };
  return { by: 'from-id', fromId: id, since: venueTime };
}

/**
 * The trade that the next page must reach back to: as `knownTo`, without trades that the exchange no longer shows.
 * Before the market is opened, the newest one seen.
 */
export const lastKnown = (state: With<'durable' | 'missing'>, market: Market): TradesCursor | null =>
  isOpened(state.durable, market.symbol)
    ? newerOf(cursorOf(state, market.symbol), market.trades.bookedTo)
    : market.openingCursor;

// Late rows: no other page behind the cursor is requested again, and rows may come late with smaller ids (F42).

/** A wallet confirmed the ledger: no trade is missing that is older than the last known trades by more than the lag. */
export function markConfirmed(state: With<'durable' | 'markets'>): void {
  for (const market of state.markets.values()) {
    market.trades.confirmedTo = knownTo(state, market)?.venueTime ?? null;
  }
}

/**
 * The window for late rows, by the exchange's clock like all rows: behind the last trade known when a wallet last
 * confirmed the ledger. Minutes behind the cursor are not enough: in a suspension, or without a network, the cursor
 * leaves the row far behind. Until a wallet has confirmed it in this session, the window begins a day before the last
 * trade known at its start: rows that came late before an absence lie there. It is also a day while a difference is
 * unexplained: trades are corrected, and taken back, hours after they were made (F49, F50). `null` if no trade is
 * known.
 */
export function lateTradeWindow(state: With<'settings' | 'durable'>, market: Market): TradeWindow | null {
  const cursor = knownTo(state, market);
  if (cursor === null) return null;
  const { venueTime } = cursor;
  const { confirmedTo, knownAtStart } = market.trades;
  const behind = Math.max(LATE_TRADES_MS, state.settings.assumptions.readLagBoundMs);
  const from =
    confirmedTo === null
      ? Math.max(venueTime - LONGEST_WINDOW_MS, Math.min(knownAtStart ?? venueTime, venueTime) - SHORTEST_WINDOW_MS)
      : Math.max(
          venueTime - SHORTEST_WINDOW_MS,
          state.durable.differences.unexplainedSince === null ? Math.min(confirmedTo, venueTime) - behind : 0,
        );
  const window = tradeWindow(Math.max(0, from), venueTime);
  return window.ok ? window.value : null;
}

/**
 * When own trades were last requested that include every one since `from`, by the exchange's clock, except later ones;
 * null if no scan since then was read without a gap. If no trade is known, each page begins at the first trade since
 * the market was opened, or resumed behind a gap.
 */
export function readWholeSince(
  state: With<'settings' | 'durable' | 'missing'>,
  market: Market,
  from: EpochMs,
): EpochMs | null {
  const { symbol, trades } = market;
  const { cursor, gapUntil } = marketIn(state.durable, symbol);
  if (gapUntil !== null || [...state.missing.values()].some((each) => each.symbol === symbol)) return null;
  // The first order may leave just after the opening: only the two clocks may differ then.
  const clocksMs = 2 * state.settings.assumptions.maxClockUncertaintyMs;
  if (cursor === null) return openedSince(state.durable, symbol) <= from + clocksMs ? trades.sentAt : null;
  return trades.wholeScan !== null && trades.wholeScan.from <= from ? trades.wholeScan.sentAt : null;
}
