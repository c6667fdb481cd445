// The headers that tell of rate limits (specification 8), in the forms of Q14 and Q15.
import type { EpochMs } from '../../domain/time.ts';
import type { Quirks } from './quirks.ts';
import type { RateReading } from './rate-limit.ts';

type Headers = Readonly<Record<string, string>>;

let lastDate = { second: Number.NaN, text: '' };

/** IMF-fixdate of a moment, floored to the second. Remembers the last one: a second has thousands of answers. */
export function httpDate(at: EpochMs): string {
  const second = Math.floor(at / 1000);
  if (lastDate.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

/**
 * None where no limit applies. `X-RateLimit-Reset` is in seconds since epoch, rounded up: at that second there is room.
 */
export function rateHeaders(
  rate: RateReading | null,
  quirks: Pick<Quirks, 'rateHeaders' | 'retryAfter'>,
  now: EpochMs,
): Headers {
  if (rate === null) return {};
  const retryAfter = rate.allowed ? {} : retryAfterHeader(rate, quirks, now);
  const shown = quirks.rateHeaders === 'always' || (quirks.rateHeaders === 'when-throttled' && !rate.allowed);
  if (!shown) return retryAfter;
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(Math.ceil(rate.resetAt / 1000)),
    ...retryAfter,
  };
}

function retryAfterHeader(rate: RateReading, { retryAfter }: Pick<Quirks, 'retryAfter'>, now: EpochMs): Headers {
  switch (retryAfter) {
    case 'seconds':
      return { 'retry-after': String(Math.max(1, Math.ceil((rate.resetAt - now) / 1000))) };
    case 'date':
      return { 'retry-after': httpDate(Math.ceil(rate.resetAt / 1000) * 1000) };
    case 'missing':
      return {};
  }
}
