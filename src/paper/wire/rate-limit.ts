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

/** Most recent callers remembered, and as many before them; the others begin a new window if they return. */
export const CALLERS_MAX = 5_000;

class CallerCounts {
  /** Callers since the last cleanup. */
  #recent = new Map<string, Count[]>();
  #older = new Map<string, Count[]>();

  /** A caller's counts, to be changed in place. */
  of(name: string): Count[] {
    const recent = this.#recent.get(name);
    if (recent) return recent;
    const own = this.#older.get(name) ?? [];
    if (this.#recent.size >= CALLERS_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, own);
    return own;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }
}

/** Keys and addresses are kept apart: requests from many addresses must not push out a key's counts. */
export interface RateCounts {
  readonly key: CallerCounts;
  readonly address: CallerCounts;
}

export function createRateCounts(): RateCounts {
  return { key: new CallerCounts(), address: new CallerCounts() };
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
  const own = counts[by].of(name);
  let allowed = true;
  windows.forEach((window, index) => {
    const count = currentCount(own[index], window, now);
    own[index] = count;
    if (count.used >= window.requests) allowed = false;
  });
  if (allowed) for (const count of own) count.used += 1;
  return tightest(own, windows, allowed);
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
