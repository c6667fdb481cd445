// Counts requests in windows, each caller separately.
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { LaneName } from '../../venue/requests.ts';

/** At most `requests` in each stretch of `perMs`, which begins with its first request. */
export interface RateWindow {
  readonly requests: number;
  readonly perMs: DurationMs;
}

/** Per address for public and legacy calls, per key for private ones; an empty list means no limit. */
export type RateLimits = Readonly<Record<LaneName, readonly RateWindow[]>>;

interface Count {
  startedAt: EpochMs;
  used: number;
}

/** Most callers remembered, the latest; the others begin a new window if they return. */
export const CALLERS_MAX = 10_000;
/** Dropped in batches: finding the oldest costs more than dropping it. */
const CALLERS_DROPPED = 1_000;

/** Keys and addresses are kept apart: requests from many addresses must not push out a key's counts. */
export interface RateCounts {
  readonly key: Map<string, Count[]>;
  readonly address: Map<string, Count[]>;
}

export function createRateCounts(): RateCounts {
  return { key: new Map(), address: new Map() };
}

/** The caller to count and its windows. A name is an API key, or the kind of limit and an address. */
interface Scope {
  readonly by: keyof RateCounts;
  readonly name: string;
  readonly windows: readonly RateWindow[];
}

/** The tightest window's reading after (or, if refused, instead of) counting the request. */
export interface RateReading {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: EpochMs;
}

/** Counts one request, unless a window is full: then nothing is counted. `null`: no limit applies. */
export function countRequest(counts: RateCounts, { by, name, windows }: Scope, now: EpochMs): RateReading | null {
  if (windows.length === 0) return null;
  const own = countsOf(counts[by], name);
  let allowed = true;
  windows.forEach((window, index) => {
    const count = currentCount(own[index], window, now);
    own[index] = count;
    if (count.used >= window.requests) allowed = false;
  });
  if (allowed) for (const count of own) count.used += 1;
  return tightest(own, windows, allowed);
}

/** A caller's counts, to be changed in place. */
function countsOf(callers: Map<string, Count[]>, name: string): Count[] {
  const own = callers.get(name) ?? [];
  callers.delete(name);
  callers.set(name, own);
  if (callers.size <= CALLERS_MAX) return own;
  for (const oldest of [...callers.keys()].slice(0, CALLERS_DROPPED)) callers.delete(oldest);
  return own;
}

/** An expired window starts over. */
function currentCount(count: Count | undefined, window: RateWindow, now: EpochMs): Count {
  const running = count !== undefined && now < count.startedAt + window.perMs;
  return running ? count : { startedAt: now, used: 0 };
}

function tightest(counts: readonly Count[], windows: readonly RateWindow[], allowed: boolean): RateReading {
  let reading: RateReading = { allowed, limit: 0, remaining: Number.POSITIVE_INFINITY, resetAt: 0 };
  windows.forEach((window, index) => {
    const count = counts[index] ?? { startedAt: 0, used: 0 };
    const remaining = Math.max(0, window.requests - count.used);
    const resetAt = count.startedAt + window.perMs;
    const tighter = remaining < reading.remaining || (remaining === reading.remaining && resetAt > reading.resetAt);
    if (tighter) reading = { allowed, limit: window.requests, remaining, resetAt };
  });
  return reading;
}
