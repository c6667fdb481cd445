// What the venue's clock shows, proved from `Date` headers: each answer gives an interval, the truth is in all of them.
import type { DurationMs, EpochMs } from '../domain/time.ts';

export interface ServerClockSettings {
  /** How fast the two clocks may drift apart, in parts per million. Old intervals widen by this and so fall out. */
  readonly driftPpm: number;
  /** Widening of every interval: the venue's servers differ a little, and a smaller step of our clock goes unseen. */
  readonly slackMs: DurationMs;
  /** A wall clock that moves by more than this against the monotonic clock has stepped. */
  readonly stepMs: DurationMs;
}

export const SERVER_CLOCK_DEFAULTS: ServerClockSettings = { driftPpm: 250, slackMs: 25, stepMs: 50 };

/**
 * Everything that is known. Intervals widen at one rate, so the strictest bounds stay the strictest: two numbers hold all
 * intervals ever seen. `low` and `high` bound venue time − our wall time, in ms, as they would have been at monotonic zero.
 */
export interface ServerClock {
  readonly settings: ServerClockSettings;
  readonly bounds: { readonly low: number; readonly high: number } | null;
  /** Intervals that agree with the bounds, since the last restart. */
  readonly samples: number;
  readonly restarts: number;
  /** Wall time − monotonic time at the last observation. */
  readonly wallMinusMono: number | null;
}

/** One answer. `mono` is the monotonic time of `receivedAt`: read both clocks together. */
export interface ClockObservation {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly venueDate: EpochMs;
  readonly mono: DurationMs;
}

/** Why an estimate was thrown away: no offset fits all answers (a clock stepped), or our wall clock was seen to step. */
export type ClockRestart = 'empty-intersection' | 'wall-clock-step';

export interface ClockEstimate {
  /** Venue time − our wall time. */
  readonly offsetMs: DurationMs;
  /** The true offset is within offset ± this. */
  readonly uncertaintyMs: DurationMs;
  readonly samples: number;
}

const DATE_RESOLUTION_MS = 1_000;

export function startServerClock(settings: ServerClockSettings = SERVER_CLOCK_DEFAULTS): ServerClock {
  return { settings, bounds: null, samples: 0, restarts: 0, wallMinusMono: null };
}

/** Forgets what was learned: after a suspend, or when the venue said that a timestamp was outside its window. */
export function reset(clock: ServerClock): ServerClock {
  return { ...clock, bounds: null, samples: 0, restarts: clock.restarts + 1, wallMinusMono: null };
}

/** Takes in one answer. `restarted` tells that the estimate before it was wrong: create nothing until it is good again. */
export function observe(
  clock: ServerClock,
  seen: ClockObservation,
): { readonly state: ServerClock; readonly restarted: ClockRestart | null } {
  const wallMinusMono = seen.receivedAt - seen.mono;
  const stepped =
    seen.receivedAt < seen.sentAt ||
    (clock.wallMinusMono !== null && Math.abs(wallMinusMono - clock.wallMinusMono) > clock.settings.stepMs);
  // The step may lie between sending and receiving: this answer's interval is not to be trusted either.
  if (stepped) return { state: { ...reset(clock), wallMinusMono }, restarted: 'wall-clock-step' };

  const interval = intervalOf(clock.settings, seen);
  const joined = intersect(clock.bounds, interval);
  if (emptyAt(joined, seen.mono, clock.settings)) {
    const state = { ...reset(clock), bounds: interval, samples: 1, wallMinusMono };
    return { state, restarted: 'empty-intersection' };
  }
  return { state: { ...clock, bounds: joined, samples: clock.samples + 1, wallMinusMono }, restarted: null };
}

/** The middle of what is possible at monotonic time `mono`, not before the last observation; `null` before the first answer. */
export function estimate(clock: ServerClock, mono: DurationMs): ClockEstimate | null {
  if (clock.bounds === null) return null;
  const { low, high } = widenedTo(clock.bounds, mono, clock.settings);
  return { offsetMs: (low + high) / 2, uncertaintyMs: (high - low) / 2, samples: clock.samples };
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

const driftUntil = (mono: DurationMs, settings: ServerClockSettings): number => (mono * settings.driftPpm) / 1e6;

/** offset ∈ [Date − received, Date + 1 s − sent] at `mono`, moved to where its widening bounds were at monotonic zero. */
function intervalOf(settings: ServerClockSettings, seen: ClockObservation): Bounds {
  const drift = driftUntil(seen.mono, settings);
  return {
    low: seen.venueDate - seen.receivedAt - settings.slackMs + drift,
    high: seen.venueDate + DATE_RESOLUTION_MS - seen.sentAt + settings.slackMs - drift,
  };
}

function intersect(a: Bounds | null, b: Bounds): Bounds {
  return a === null ? b : { low: Math.max(a.low, b.low), high: Math.min(a.high, b.high) };
}

function widenedTo(bounds: Bounds, mono: DurationMs, settings: ServerClockSettings): Bounds {
  const drift = driftUntil(mono, settings);
  return { low: bounds.low - drift, high: bounds.high + drift };
}

function emptyAt(bounds: Bounds, mono: DurationMs, settings: ServerClockSettings): boolean {
  const { low, high } = widenedTo(bounds, mono, settings);
  return low > high;
}
