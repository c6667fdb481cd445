// How often orders are moved because the market leaves their tolerance, worked out before anything is quoted.
import { type DurationMs, HOUR, SECOND } from '../../domain/time.ts';
import type { DiffSettings } from './refresh-settings.ts';
import { priceToleranceAwayBps } from './tolerance.ts';

export interface ExpectedMoves {
  /** Of one order. */
  readonly perHour: number;
  /** Of all orders: a create and a cancel for each move. */
  readonly requestsPerHour: number;
  /** Of what the private lane gives in the time; above 1 the orders move late. */
  readonly laneShare: number;
}

export interface MovingQuotes {
  readonly refresh: DiffSettings;
  /** Basis points per square root of a second. */
  readonly volatility: number;
  readonly orders: number;
  /** Of the private lane. */
  readonly requestsPerSecond: number;
}

const REQUESTS_OF_A_MOVE = 2;

/**
 * A price without a trend leaves the band from a below to b above it after a·b/σ² on average (mean exit time of a
 * Brownian motion), and no order moves before `refreshMs`. Fills, and the lean of prices by inventory, come on top.
 */
export function expectedMoves({ refresh, volatility, orders, requestsPerSecond }: MovingQuotes): ExpectedMoves {
  const band = refresh.priceToleranceBps * priceToleranceAwayBps(refresh);
  const staysMs: DurationMs = (band / volatility ** 2) * SECOND;
  const perHour = HOUR / Math.max(staysMs, refresh.refreshMs, SECOND);
  const requestsPerHour = perHour * orders * REQUESTS_OF_A_MOVE;
  return { perHour, requestsPerHour, laneShare: requestsPerHour / (requestsPerSecond * (HOUR / SECOND)) };
}
