// All estimates of one market: updated by books and pages of public trades, evaluated at a moment.
import type { PublicTrade } from '../domain/fill.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../domain/time.ts';
import { DEFAULT_ESTIMATES, type Estimates, nothingKnown } from './estimate.ts';
import { intensityAt } from './intensity.ts';
import { type BookMid, NO_TAKERS, type TakerSample, withTakers } from './takers.ts';
import { coverageOf, type JoinedPage, joinPage } from './trade-pages.ts';
import { type MidMoves, NO_MID_MOVES, volatilityAt, withMid } from './volatility.ts';

export interface MarketEstimates {
  readonly moves: MidMoves;
  readonly takers: TakerSample;
  /** The last mid prices, oldest first: trades are measured from them. */
  readonly mids: readonly BookMid[];
  /** The newest known public trades, by the exchange's clock: the next page is joined to them. */
  readonly tail: readonly PublicTrade[];
  /** When the last page was requested; null before the first. */
  readonly pageAt: EpochMs | null;
}

export const NO_ESTIMATES: MarketEstimates = {
  moves: NO_MID_MOVES,
  takers: NO_TAKERS,
  mids: [],
  tail: [],
  pageAt: null,
};

/** More than are read between two pages of trades. */
const MIDS_KEPT = 120;

/** Adds a book's mid price; a late or repeated book is ignored. */
export function withBookMid(estimates: MarketEstimates, mid: BookMid): MarketEstimates {
  const last = estimates.mids.at(-1);
  if (last !== undefined && mid.at <= last.at) return estimates;
  return {
    ...estimates,
    moves: withMid(estimates.moves, mid, DEFAULT_ESTIMATES.volatility),
    mids: [...estimates.mids, mid].slice(-MIDS_KEPT),
  };
}

interface PageNoted {
  readonly estimates: MarketEstimates;
  /** Its times are by our clock. */
  readonly joined: JoinedPage;
}

/** Public trades as read, in any order. */
interface TradesPage {
  /** By the exchange's clock. */
  readonly rows: readonly PublicTrade[];
  /** By our clock. */
  readonly sentAt: EpochMs;
  /** The exchange's clock minus ours. */
  readonly offsetMs: DurationMs;
}

/**
 * A row further ahead than this has an unusable time: wrongly written, or shifted by an offset not yet learned. It
 * would be the newest until that time, and no page without it would add anything.
 */
const MOST_AHEAD_MS: DurationMs = MINUTE;

/** A page of public trades. */
export function addTradesPage(estimates: MarketEstimates, { rows, sentAt, offsetMs }: TradesPage): PageNoted {
  // Rows are matched by their times as read: the learned offset changes.
  const read = joinPage(
    estimates.tail,
    rows.filter(({ venueTime }) => venueTime - offsetMs <= sentAt + MOST_AHEAD_MS),
  );
  const joined = byOurClock(read, offsetMs);
  const coverage = coverageOf(joined, { sentAt, coveredTo: estimates.pageAt });
  const noted = { ...estimates, tail: read.tail, pageAt: Math.max(sentAt, estimates.pageAt ?? sentAt) };
  if (coverage === null) return { estimates: noted, joined };
  const takers = withTakers(noted.takers, { coverage, sentAt, mids: noted.mids }, DEFAULT_ESTIMATES.intensity);
  return { estimates: { ...noted, takers }, joined };
}

/** Mid prices and requests have our times. */
function byOurClock(joined: JoinedPage, offsetMs: DurationMs): JoinedPage {
  const moved = (rows: readonly PublicTrade[]): readonly PublicTrade[] =>
    rows.map((row) => ({ ...row, venueTime: row.venueTime - offsetMs }));
  return { ...joined, tail: moved(joined.tail), added: moved(joined.added), page: moved(joined.page) };
}

const UNREAD = nothingKnown('No public trades are read.');

export function estimatesAt(estimates: MarketEstimates, now: EpochMs): Estimates {
  const { moves, takers, pageAt } = estimates;
  const volatility = volatilityAt(moves, now, DEFAULT_ESTIMATES.volatility);
  if (pageAt === null) return { volatilityBpsPerSqrtSecond: volatility, intensity: { buy: UNREAD, sell: UNREAD } };
  const moment = { now, volatilityBps: volatility.kind === 'known' ? volatility.value : null };
  return {
    volatilityBpsPerSqrtSecond: volatility,
    intensity: {
      buy: intensityAt(takers, 'buy', moment, DEFAULT_ESTIMATES.intensity),
      sell: intensityAt(takers, 'sell', moment, DEFAULT_ESTIMATES.intensity),
    },
  };
}
