// What `plan` says of how often the market moves the orders, and what of the lane that takes.
import { type ExpectedMoves, expectedMoves, type MovingQuotes } from '../../quoting/moves/expected-moves.ts';
import type { RunSettings } from '../../trader/state/settings.ts';

/** What the tolerances of `refresh` mean where the price goes so far. */
export interface PlannedMoves extends ExpectedMoves {
  readonly volatilityBpsPerSqrtSecond: number;
  /** Whether it is of the configuration. */
  readonly isConfigured: boolean;
}

/** A thin market by day; where the configuration names no volatility. */
const USUAL_VOLATILITY_BPS = 2;

export function plannedMoves(
  { refresh, quoting }: RunSettings,
  told: Pick<MovingQuotes, 'orders' | 'requestsPerSecond'>,
): PlannedMoves {
  const configured = quoting.guard.volatilityBpsPerSqrtSecond;
  const isConfigured = configured > 0;
  const volatility = isConfigured ? configured : USUAL_VOLATILITY_BPS;
  const moves = expectedMoves({ refresh, volatility, ...told });
  return { volatilityBpsPerSqrtSecond: volatility, isConfigured, ...moves };
}

/** One sentence for people. */
export function movesLine({ volatilityBpsPerSqrtSecond, isConfigured, ...moves }: PlannedMoves): string {
  const { perHour, requestsPerHour, laneShare } = moves;
  const where = isConfigured ? 'as configured' : 'assumed: quoting.guard.volatilityBpsPerSqrtSecond is not set';
  const cost = `${Math.round(requestsPerHour)} requests, ${Math.round(laneShare * 100)} % of the private lane`;
  const market = `where the price goes ${volatilityBpsPerSqrtSecond} bps per √s (${where})`;
  return `moves: each order about ${Math.round(perHour)} times an hour, ${market}: ${cost}`;
}
