// From when on no create of a bot can be newly accepted, for whoever proves it without the bot.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * A horizon nearer than this is waited for in full: the clocks of two processes may differ by a step of the machine's.
 */
const CLOCK_STEP_MS: DurationMs = 60_000;

export interface LastCreate {
  /** The latest horizon that the file of own orders names, or may not name yet. */
  readonly horizon: EpochMs;
  /** The file is whole, and of a bot that is gone. */
  readonly isKnown: boolean;
  /** W + ε + Lm. */
  readonly horizonMs: DurationMs;
}

/** By the monotonic clock. */
export function noCreateFrom({ horizon, isKnown, horizonMs }: LastCreate, clock: Clock): DurationMs {
  const isOver = isKnown && clock.now() > horizon + CLOCK_STEP_MS;
  return clock.monotonic() + (isOver ? 0 : horizonMs);
}
