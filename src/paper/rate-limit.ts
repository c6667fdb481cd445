// Counting requests against windows, each caller on its own.
import type { EpochMs } from '../domain/time.ts';
import type { RateWindow } from './settings.ts';

interface Count {
  startedAt: EpochMs;
  used: number;
}

/** One list of counts per scope, in the order of the windows. */
export type RateCounts = Map<string, Count[]>;

/** What the tightest window says after (or, if refused, instead of) counting the request. */
export interface RateReading {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: EpochMs;
}

/** Most callers that are remembered; beyond it the one seen first is forgotten, and starts a new window if it returns. */
const SCOPES_MAX = 10_000;

/** Counts one request of `scope`, unless one of the windows is full: then nothing is counted. `null`: no limit applies. */
export function countRequest(
  counts: RateCounts,
  caller: { readonly scope: string; readonly windows: readonly RateWindow[] },
  now: EpochMs,
): RateReading | null {
  if (caller.windows.length === 0) return null;
  const own = countsOf(counts, caller.scope);
  let allowed = true;
  caller.windows.forEach((window, index) => {
    const count = currentCount(own[index], window, now);
    own[index] = count;
    if (count.used >= window.requests) allowed = false;
  });
  if (allowed) for (const count of own) count.used += 1;
  return tightest(own, caller.windows, allowed);
}

function countsOf(counts: RateCounts, scope: string): Count[] {
  const known = counts.get(scope);
  if (known) return known;
  if (counts.size >= SCOPES_MAX) for (const oldest of counts.keys()) if (counts.delete(oldest)) break;
  const fresh: Count[] = [];
  counts.set(scope, fresh);
  return fresh;
}

/** A window that is over, or begins in the future because the clock was set back, begins anew. */
function currentCount(count: Count | undefined, window: RateWindow, now: EpochMs): Count {
  const running = count !== undefined && now >= count.startedAt && now < count.startedAt + window.perMs;
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
