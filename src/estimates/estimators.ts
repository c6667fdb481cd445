// All estimates of one market: updated by books and pages of public trades, evaluated at a moment.
import type { PublicTrade } from '../domain/fill.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../domain/time.ts';
import { type Estimate, type EstimateSettings, type Estimates, type Intensity, nothingKnown } from './estimate.ts';
import { intensityAt } from './intensity.ts';
import { NO_EXPOSURE, type OwnExposure, ownIntensityAt, withOwnFill, withOwnQuote } from './own-exposure.ts';
import { type BookMid, midAt, NO_TAKERS, type TakerSample, withTakers } from './takers.ts';
import {
  coverageOf,
  type JoinedPage,
  joinPage,
  NO_TRADE_RATE,
  type TradeRate,
  tradeRateAt,
  withCoverage,
} from './trade-rate.ts';
import { type MidMoves, NO_MID_MOVES, volatilityAt, withMid } from './volatility.ts';

export interface MarketEstimates {
  readonly moves: MidMoves;
  readonly rate: TradeRate;
  readonly takers: TakerSample;
  /** The last mid prices, oldest first: trades are measured from them. */
  readonly mids: readonly BookMid[];
  /** The newest known public trades, by the exchange's clock: the next page is joined to them. */
  readonly tail: readonly PublicTrade[];
  /** When the last page was requested; null before the first. */
  readonly pageAt: EpochMs | null;
  /** Where own quotes of each side rested, and were filled. */
  readonly own: Readonly<Record<Side, OwnExposure>>;
}

export const NO_ESTIMATES: MarketEstimates = {
  ...{ moves: NO_MID_MOVES, rate: NO_TRADE_RATE, takers: NO_TAKERS, mids: [], tail: [], pageAt: null },
  own: { buy: NO_EXPOSURE, sell: NO_EXPOSURE },
};

/** More than are read between two pages of trades. */
const MIDS_KEPT = 120;

/** Adds a book's mid price; a late or repeated book is ignored. */
export function withBookMid(estimates: MarketEstimates, mid: BookMid, settings: EstimateSettings): MarketEstimates {
  const last = estimates.mids.at(-1);
  if (last !== undefined && mid.at <= last.at) return estimates;
  return {
    ...estimates,
    moves: withMid(estimates.moves, mid, settings.volatility),
    mids: [...estimates.mids, mid].slice(-MIDS_KEPT),
  };
}

/** Own quotes as they rested between the last two books; distances are from the last mid price, outward positive. */
export function withOwnQuotes(
  estimates: MarketEstimates,
  quotes: readonly { readonly side: Side; readonly distanceBps: number }[],
  settings: EstimateSettings,
): MarketEstimates {
  const [before, last] = estimates.mids.slice(-2);
  if (before === undefined || last === undefined) return estimates;
  const time = { forMs: Math.min(last.at - before.at, LONGEST_REST_MS), at: last.at };
  const own = { ...estimates.own };
  for (const { side, distanceBps } of quotes)
    own[side] = withOwnQuote(own[side], { distanceBps, ...time }, settings.intensity);
  return { ...estimates, own };
}

/** Beyond this time without a book, a quote's history is unknown. */
const LONGEST_REST_MS: DurationMs = 2 * MINUTE;

/**
 * An own quote of this side was filled, this far from the mid price at that time. A fill while no price was known is
 * left out, as its time on the book is.
 */
export function withFilledQuote(
  estimates: MarketEstimates,
  { side, price, at }: { readonly side: Side; readonly price: number; readonly at: EpochMs },
  settings: EstimateSettings,
): MarketEstimates {
  const mid = midAt(estimates.mids, at, settings.intensity)?.price;
  if (mid === undefined) return estimates;
  const distanceBps = ((side === 'buy' ? mid - price : price - mid) / mid) * BPS;
  return {
    ...estimates,
    own: { ...estimates.own, [side]: withOwnFill(estimates.own[side], { distanceBps, at }, settings.intensity) },
  };
}

const BPS = 10_000;

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
export function addTradesPage(
  estimates: MarketEstimates,
  { rows, sentAt, offsetMs }: TradesPage,
  settings: EstimateSettings,
): PageNoted {
  // Rows are matched by their times as read: the learned offset changes.
  const read = joinPage(
    estimates.tail,
    rows.filter(({ venueTime }) => venueTime - offsetMs <= sentAt + MOST_AHEAD_MS),
  );
  const joined = byOurClock(read, offsetMs);
  const coverage = coverageOf(joined, { sentAt, coveredTo: estimates.pageAt });
  const noted = { ...estimates, tail: read.tail, pageAt: Math.max(sentAt, estimates.pageAt ?? sentAt) };
  if (coverage === null) return { estimates: noted, joined };
  const rate = withCoverage(noted.rate, coverage, { sentAt, settings: settings.tradeRate });
  const takers = withTakers(noted.takers, { coverage, sentAt, mids: noted.mids }, settings.intensity);
  return { estimates: { ...noted, rate, takers }, joined };
}

/** Mid prices and requests have our times. */
function byOurClock(joined: JoinedPage, offsetMs: DurationMs): JoinedPage {
  const moved = (rows: readonly PublicTrade[]): readonly PublicTrade[] =>
    rows.map((row) => ({ ...row, venueTime: row.venueTime - offsetMs }));
  return { ...joined, tail: moved(joined.tail), added: moved(joined.added), page: moved(joined.page) };
}

const UNREAD = nothingKnown('No public trades are read.');

export function estimatesAt(estimates: MarketEstimates, now: EpochMs, settings: EstimateSettings): Estimates {
  const { moves, rate, takers, pageAt, own } = estimates;
  const volatility = volatilityAt(moves, now, settings.volatility);
  const volatilityBpsPerSqrtSecond = volatility;
  if (pageAt === null)
    return { volatilityBpsPerSqrtSecond, tradesPerSecond: UNREAD, intensity: { buy: UNREAD, sell: UNREAD } };
  const moment = { now, volatilityBps: volatility.kind === 'known' ? volatility.value : null };
  const ofTrades = (side: Side): Estimate<Intensity> => intensityAt(takers, side, moment, settings.intensity);
  return {
    volatilityBpsPerSqrtSecond,
    tradesPerSecond: tradeRateAt(rate, now, settings.tradeRate),
    intensity: {
      buy: better(ownIntensityAt(own.buy, now, settings.intensity), () => ofTrades('buy')),
      sell: better(ownIntensityAt(own.sell, now, settings.intensity), () => ofTrades('sell')),
    },
  };
}

/**
 * The estimate from own quotes once there is enough data, as quoting uses it. Until then the one from public trades.
 */
const better = (own: Estimate<Intensity>, ofTrades: () => Estimate<Intensity>): Estimate<Intensity> =>
  own.kind === 'known' ? own : ofTrades();
