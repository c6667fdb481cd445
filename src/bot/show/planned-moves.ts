// What `plan` and `check` say of how often the market moves the orders, what of the lane that takes, and how many moves
// have room in the limits.
import { type DurationMs, HOUR } from '../../domain/time.ts';
import { type ExpectedMoves, expectedMoves, type MovingQuotes } from '../../quoting/moves/diff.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import type { RoomToMove } from '../../trader/turns/preview.ts';
import { secondsText } from '../status/lags.ts';

/** What the tolerances of `refresh` mean where the price goes so far. */
export interface PlannedMoves extends ExpectedMoves {
  readonly volatilityBpsPerSqrtSecond: number;
  /** Whether it is of the configuration. */
  readonly isConfigured: boolean;
  /** Null where no order would be placed. */
  readonly room: PlannedRoom | null;
}

interface PlannedRoom extends RoomToMove {
  /** For how long a canceled order counts. */
  readonly withinMs: DurationMs;
  /** Moves in that time. */
  readonly expected: number;
}

interface Told extends Pick<MovingQuotes, 'orders' | 'requestsPerSecond'> {
  readonly room: RoomToMove | null;
  readonly withinMs: DurationMs;
}

/** A thin market by day; where the configuration names no volatility. */
const USUAL_VOLATILITY_BPS = 2;

export function plannedMoves({ refresh, quoting }: RunSettings, { room, withinMs, ...told }: Told): PlannedMoves {
  const configured = quoting.guard.volatilityBpsPerSqrtSecond;
  const isConfigured = configured > 0;
  const volatility = isConfigured ? configured : USUAL_VOLATILITY_BPS;
  const moves = expectedMoves({ refresh, volatility, ...told });
  const expected = (moves.perHour * told.orders * withinMs) / HOUR;
  return {
    volatilityBpsPerSqrtSecond: volatility,
    isConfigured,
    ...moves,
    room: room && { ...room, withinMs, expected },
  };
}

/** One sentence for people. */
export function movesLine({ perHour, requestsPerHour, laneShare, ...market }: PlannedMoves): string {
  const cost = `${Math.round(requestsPerHour)} requests, ${Math.round(laneShare * 100)} % of the private lane`;
  return `moves: each order about ${Math.round(perHour)} times an hour, ${marketWords(market)}: ${cost}`;
}

/** What the limits cost in presence, whatever the market does; beside it what the market is expected to do. */
export function roomSentence({ moves, limit, withinMs, expected }: PlannedRoom, market: Market): string {
  const room = `Moves with room: ${moves} in ${secondsText(withinMs)}, while canceled orders count`;
  const most = `${Number(expected.toPrecision(2))}, ${marketWords(market)}`;
  return `${room}. Beyond that a level waits: ${limit} Expected: ${most}.`;
}

type Market = Pick<PlannedMoves, 'volatilityBpsPerSqrtSecond' | 'isConfigured'>;

function marketWords({ volatilityBpsPerSqrtSecond, isConfigured }: Market): string {
  const where = isConfigured ? 'as configured' : 'assumed: quoting.guard.volatilityBpsPerSqrtSecond is not set';
  return `where the price goes ${volatilityBpsPerSqrtSecond} bps per √s (${where})`;
}
