// Moments and durations. Time is always an argument: only the real clock in ports/ reads a wall clock.

/** Milliseconds since 1970-01-01T00:00:00Z, by the clock of one side of a connection. */
export type EpochMs = number;
/** A duration in milliseconds. */
export type DurationMs = number;

export const SECOND: DurationMs = 1_000;
export const MINUTE: DurationMs = 60_000;
export const HOUR: DurationMs = 3_600_000;
export const DAY: DurationMs = 86_400_000;
