// Log lines about a lane that the exchange slows down: one at the beginning, one when a slower pace is learned, and one
// at the end; none per answer.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../domain/time.ts';
import { clockText } from '../domain/time-text.ts';
import type { Notice } from '../trader/state/turn.ts';

/** A period in which a lane was throttled again and again. */
export interface Throttling {
  readonly since: EpochMs;
  readonly lastAt: EpochMs;
  readonly answers: number;
  /** Whether a slower pace was logged. */
  readonly isSlowed: boolean;
}

export interface LaneNow {
  readonly lane: 'public' | 'private';
  /** The status of a throttling answer; null for any other. */
  readonly throttledBy: number | null;
  /** Time between two requests as learned, and as configured. */
  readonly intervalMs: DurationMs;
  readonly usualMs: DurationMs;
  /** Until when no request leaves; null if none waits. */
  readonly pausedUntil: EpochMs | null;
  readonly now: EpochMs;
}

/**
 * Throttling is over once the lane has its pace again and was not throttled for this long: at the edge of a limit it
 * would otherwise start over each time.
 */
const QUIET_MS: DurationMs = MINUTE;

/** The state after one answer of the lane, and the line to log. */
export function afterAnswer(
  before: Throttling | null,
  lane: LaneNow,
): { readonly after: Throttling | null; readonly notice: Notice | null } {
  const { throttledBy, intervalMs, usualMs, now } = lane;
  if (before === null) {
    if (throttledBy === null) return { after: null, notice: null };
    const after = { since: now, lastAt: now, answers: 1, isSlowed: intervalMs > usualMs };
    return { after, notice: slowed(lane, throttledBy) };
  }
  const counted = throttledBy === null ? before : { ...before, lastAt: now, answers: before.answers + 1 };
  if (intervalMs <= usualMs && now - counted.lastAt >= QUIET_MS)
    return { after: null, notice: restored(counted, lane) };
  if (before.isSlowed || intervalMs <= usualMs) return { after: counted, notice: null };
  return { after: { ...counted, isSlowed: true }, notice: slowed(lane, throttledBy) };
}

function slowed({ lane, intervalMs, usualMs, pausedUntil }: LaneNow, status: number | null): Notice {
  const pace = intervalMs > usualMs ? `slowed to one request every ${secondsText(intervalMs)}` : 'told to wait';
  const why = status === null ? '' : ` after HTTP ${status}`;
  const pause = pausedUntil === null ? '' : `, none before ${clockText(pausedUntil)}`;
  const usual = `Usual: one every ${secondsText(usualMs)}. Cancels go first.`;
  const message = `The ${lane} lane is ${pace}${why}${pause}. ${usual}`;
  return { level: 'warn', op: 'lane-slowed', message };
}

function restored({ since, lastAt, answers }: Throttling, { lane, usualMs }: LaneNow): Notice {
  const count = answers === 1 ? '1 throttled answer' : `${answers} throttled answers in ${secondsText(lastAt - since)}`;
  const message = `The ${lane} lane is back to one request every ${secondsText(usualMs)}, after ${count}.`;
  return { level: 'info', op: 'lane-slowed', message };
}

const secondsText = (ms: DurationMs): string => `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 2 : 0)} s`;
