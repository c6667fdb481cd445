// Public trades per second, from pages that show the newest of them.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../domain/time.ts';
import type { Coverage } from './coverage.ts';
import { keptAfter, keptSeconds } from './decay.ts';
import { type Basis, type Estimate, estimateOf } from './estimate.ts';
import type { TradeRateSettings } from './settings.ts';

/** Sums of what was covered, as of `lastAt`; older parts count less. */
export interface TradeRate {
  readonly trades: number;
  /** Squares of the weights of the trades: how many equal ones they are worth is trades²/squares. */
  readonly squares: number;
  readonly seconds: number;
  /** The part of `seconds` that lies within pages, between a first and a last trade. */
  readonly withinPageSeconds: number;
  /** When the last page was asked for that covered anything; null before the first. */
  readonly lastAt: EpochMs | null;
}

export const NO_TRADE_RATE: TradeRate = { trades: 0, squares: 0, seconds: 0, withinPageSeconds: 0, lastAt: null };

/** What a page covered is added; its trades are taken as spread evenly over that time. */
export function noteCoverage(
  rate: TradeRate,
  { from, to, trades, isWithinPage }: Coverage,
  { sentAt, settings }: { readonly sentAt: EpochMs; readonly settings: TradeRateSettings },
): TradeRate {
  const { halfLifeMs } = settings;
  const spanMs = Math.max(0, to - from);
  const at = Math.max(sentAt, rate.lastAt ?? sentAt);
  const kept = rate.lastAt === null ? 0 : keptAfter(at - rate.lastAt, halfLifeMs);
  const endedAgoMs = Math.max(0, at - to);
  const seconds = keptSeconds(spanMs, endedAgoMs, halfLifeMs);
  const share = spanMs > 0 ? (seconds * SECOND) / spanMs : keptAfter(endedAgoMs, halfLifeMs);
  return {
    trades: rate.trades * kept + trades.length * share,
    squares: rate.squares * kept ** 2 + trades.length * share ** 2,
    seconds: rate.seconds * kept + seconds,
    withinPageSeconds: rate.withinPageSeconds * kept + (isWithinPage ? seconds : 0),
    lastAt: at,
  };
}

/**
 * Trades over the seconds in which they were looked for. Of a single page of n rows it is (n − 2)/(t_last − t_first),
 * the unbiased estimate where the span ends with a trade (n − 1 waiting times, and one less for the bias of the
 * inverse); of spans between requests it is count over time, which needs no correction; of a mixture, in between.
 */
export function tradeRateAt(rate: TradeRate, now: EpochMs, settings: TradeRateSettings): Estimate {
  const { trades, squares, seconds, withinPageSeconds } = rate;
  const basis: Basis = { samples: trades, lastAt: rate.lastAt, now, oldestMs: settings.oldestMs };
  return estimateOf(basis, () => {
    const isLongEnough = seconds >= enoughSeconds(settings);
    if (seconds > 0 && (trades >= settings.minTrades || isLongEnough)) {
      const correction = trades > 0 ? ((withinPageSeconds / seconds) * squares) / trades : 0;
      return { value: Math.max(0, trades - correction) / seconds };
    }
    const looked = `${trades.toFixed(1)} trades in ${seconds.toFixed(0)} s, older ones in part`;
    return { why: `${looked}; ${settings.minTrades} are needed, or ${minutes(settings.minLookedMs)} min.` };
  });
}

/** What is left of `minLookedMs` that end now; a sum of parts may miss that by rounding. */
const enoughSeconds = ({ minLookedMs, halfLifeMs }: TradeRateSettings): number =>
  keptSeconds(minLookedMs, 0, halfLifeMs) * (1 - 1e-9);

const minutes = (ms: DurationMs): number => Math.round(ms / MINUTE);
