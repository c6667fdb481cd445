// An exchange that limits requests, as far as a lane can tell: what it allows, and what its headers say of that.
import type { EpochMs } from '../../../../src/domain/time.ts';
import type { RateLimitReading } from '../../../../src/venue/outcomes.ts';

/** `requests` in each `perMs`; it may be changed while requests come. */
export interface Limit {
  requests: number;
  perMs: number;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When there is room for another one, or for all of them again. */
  readonly resetAt: EpochMs;
}

export type Limiter = (now: EpochMs) => Verdict;

/** Begins with the first request in it. */
export function fixedWindow(limit: Limit): Limiter {
  let startedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (now) => {
    if (now >= startedAt + limit.perMs) {
      startedAt = now;
      used = 0;
    }
    const allowed = used < limit.requests;
    if (allowed) used += 1;
    return { allowed, remaining: Math.max(0, limit.requests - used), resetAt: startedAt + limit.perMs };
  };
}

/** Looks back from each request. */
function slidingWindow(limit: Limit): Limiter {
  const taken: EpochMs[] = [];
  return (now) => {
    while ((taken[0] ?? now) <= now - limit.perMs) taken.shift();
    const allowed = taken.length < limit.requests;
    if (allowed) taken.push(now);
    const resetAt = (taken[0] ?? now) + limit.perMs;
    return { allowed, remaining: Math.max(0, limit.requests - taken.length), resetAt };
  };
}

function tokenBucket(limit: Limit): Limiter {
  let tokens = limit.requests;
  let at = 0;
  return (now) => {
    const perToken = limit.perMs / limit.requests;
    tokens = Math.min(limit.requests, tokens + (now - at) / perToken);
    at = now;
    const allowed = tokens >= 1;
    if (allowed) tokens -= 1;
    return { allowed, remaining: Math.floor(tokens), resetAt: now + Math.max(0, 1 - tokens) * perToken };
  };
}

export const LIMITERS = { 'fixed window': fixedWindow, 'sliding window': slidingWindow, 'token bucket': tokenBucket };

/** What an answer says of it: nothing, the moment itself, the whole second after it, or a refusal how long to wait. */
export type Telling = 'nothing' | 'exactly' | 'in whole seconds' | 'how long to wait';

export function headersOf(verdict: Verdict, limit: Limit, { telling, now }: { telling: Telling; now: EpochMs }) {
  if (telling === 'nothing') return undefined;
  const whole = telling === 'in whole seconds';
  const resetAt = whole ? Math.ceil(verdict.resetAt / 1_000) * 1_000 : verdict.resetAt;
  const wait = Math.max(1, Math.ceil((verdict.resetAt - now) / 1_000)) * 1_000;
  if (telling === 'how long to wait') return verdict.allowed ? undefined : { retryAfter: wait };
  const reading: RateLimitReading = {
    limit: limit.requests,
    remaining: verdict.remaining,
    resetAt,
    ...(whole && { resetFrom: resetAt - 1_000 }),
    ...(!verdict.allowed && { retryAfter: wait }),
  };
  return reading;
}
