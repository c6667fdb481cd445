// Judges a page of own trades: it reaches to the present and back to the known trades, there is more, or it proves
// nothing (order-truth §4).
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { LIST_LIMIT_DEFAULT } from '../../venue/bounds.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { ReadRequest } from '../../venue/requests.ts';
import type { TradesCursor } from '../durable/market.ts';
import { FIRST_ID, lastKnown, SHORTEST_WINDOW_MS } from '../money/known-trades.ts';
import type { Market } from '../state/market.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import { isOpened, openedSince, venueTimeAt, type With } from '../state/state.ts';
import type { TradesSurface } from '../state/surfaces.ts';
import { withoutRepeats } from './book-trades.ts';

const fullPage = (assumptions: VenueAssumptions, limit: number | undefined): number =>
  Math.min(limit ?? LIST_LIMIT_DEFAULT, assumptions.tradesPageRows);

/**
 * A page with exactly the default number of rows, with or without repeated ones (F47), may be cut by an ignored limit
 * (order-truth §4, m5). So may a longer page if no page was ever longer: the exchange may give fewer rows than
 * requested.
 */
function mayBeCut(
  assumptions: VenueAssumptions,
  { longestPage }: TradesSurface,
  limit: number | undefined,
  rows: readonly Fill[],
): boolean {
  if (rows.length >= fullPage(assumptions, limit)) return true;
  if ([rows.length, withoutRepeats(rows).length].includes(LIST_LIMIT_DEFAULT)) return true;
  return rows.length > LIST_LIMIT_DEFAULT && rows.length >= longestPage;
}

/** Call it with each page before you ask whether the page may be cut. */
export function raiseLongestPage(surface: TradesSurface, rows: readonly Fill[]): void {
  surface.longestPage = Math.max(surface.longestPage, withoutRepeats(rows).length);
}

export type PageVerdict =
  | { kind: 'complete' }
  | { kind: 'more' }
  /** It proves nothing: ask again. */
  | { kind: 'incomplete'; because: string }
  /** No page from the cursor leads on: the list must be read by other means. */
  | { kind: 'gap'; because: string };

/**
 * A page reaches to the present if it can't be cut, and back to the known trades if it contains the cursor's trade. A
 * page that may be cut and has the cursor's trade needs the next one; without that trade, it is the newest part of more
 * than we can see. If no trade is known yet, it may be either part. A short or empty page proves nothing by itself: it
 * may come from a server that is behind, or from an outage.
 */
export function judgeAndRecordPage(
  state: With<'settings' | 'durable' | 'missing' | 'clock'>,
  market: Market,
  request: ReadRequest<'spot-trades'>,
  read: Read<readonly Fill[]>,
): PageVerdict {
  if (!read.complete)
    return { kind: 'incomplete', because: read.incompleteBecause ?? 'A row of own trades could not be read.' };
  const { filter, limit } = request;
  const { rows } = read;
  const { trades: surface } = market;
  const opened = isOpened(state.durable, market.symbol);
  const full = mayBeCut(state.settings.assumptions, surface, limit, rows);
  const last = lastKnown(state, market);
  const lastId = filter.by === 'from-id' ? filter.fromId : last?.tradeId;
  if (lastId === undefined) return { kind: full ? 'more' : 'complete' };
  if (lastId === FIRST_ID) return judgeFirst(state, market, { full, sentAt: read.sentAt });
  if (rows.some((row) => compareTradeIds(row.tradeId, lastId) === 0)) {
    surface.lastMissedSince = null;
    return { kind: full ? 'more' : 'complete' };
  }
  if (full && !opened && filter.by !== 'from-id') return { kind: 'more' };
  if (full)
    return {
      kind: 'gap',
      because: `${rows.length} newer own trades came without trade ${lastId}, the last known one.`,
    };
  return judgeAbsent(state, market, { last: { tradeId: lastId, venueTime: last?.venueTime ?? 0 }, read });
}

/** All own trades ever fit on one page, since the market was opened without one. */
function judgeFirst(
  state: With<'settings' | 'durable' | 'clock'>,
  market: Market,
  { full, sentAt }: { full: boolean; sentAt: EpochMs },
): PageVerdict {
  const { symbol } = market;
  if (!isOpened(state.durable, symbol)) return { kind: full ? 'more' : 'complete' };
  if (full) return { kind: 'gap', because: `The first page of own trades of ${symbol} is full.` };
  if (stillShows(state, market, sentAt, openedSince(state.durable, symbol))) return { kind: 'complete' };
  return { kind: 'gap', because: `No own trade of ${symbol} is known, and the list may have dropped some.` };
}

/**
 * A page that can't be cut lacks the last known trade: the trade may have left the list with time, or the page comes
 * from a server behind, or from an outage. If the list has shown it in this session, it has left only after it is
 * missed for longer than a list may trail.
 */
function judgeAbsent(
  state: With<'settings' | 'durable' | 'clock'>,
  market: Market,
  { last, read }: { last: TradesCursor; read: Read<readonly Fill[]> },
): PageVerdict {
  const { symbol, trades: surface } = market;
  const because = `Own trades of ${symbol} came without the last known one.`;
  if (venueTimeAt(state, read.sentAt) - last.venueTime <= SHORTEST_WINDOW_MS) return { kind: 'incomplete', because };
  const isShown = surface.newestShown !== null && compareTradeIds(surface.newestShown, last.tradeId) >= 0;
  surface.lastMissedSince ??= read.sentAt;
  if (isShown && read.sentAt - surface.lastMissedSince < state.settings.assumptions.readLagBoundMs)
    return { kind: 'incomplete', because };
  surface.newestShown = null;
  if (!isOpened(state.durable, symbol) || stillShows(state, market, read.sentAt, last.venueTime))
    return { kind: 'complete' };
  return { kind: 'gap', because: `${because} It is of ${timeText(last.venueTime)}, and may have left the list.` };
}

/**
 * Whether every trade since own trades were last read to their end (or since `known`, by the exchange's clock) must
 * still be on the list.
 */
function stillShows(state: With<'settings' | 'clock'>, market: Market, sentAt: EpochMs, known: EpochMs): boolean {
  const readTo = Math.max(venueTimeAt(state, market.trades.sentAt ?? 0), known);
  return venueTimeAt(state, sentAt) - readTo <= SHORTEST_WINDOW_MS - state.settings.assumptions.readLagBoundMs;
}
