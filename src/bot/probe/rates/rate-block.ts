// How long an answer asks to be left in peace.
import { readRetryAfter } from '../../../client/outcomes/rate-limit-headers.ts';
import { type EpochMs, SECOND } from '../../../domain/time.ts';
import { isThrottled } from '../../../venue/error-codes.ts';
import type { Answer } from '../facts/answer.ts';
import type { VenueTime } from '../facts/venue-time.ts';
import { resetOf } from './rate-headers.ts';

/** Field notes, N1: whoever asked sooner after a 429 was refused again. */
const COOL_DOWN_MS = 10 * SECOND;
/** A reset further away than this is no reason to wait: it is no window of seconds. */
const LONGEST_WINDOW_MS = 60 * SECOND;

/**
 * By our clock. Nothing remains of the window: not before it ends by the exchange's clock, in its least favorable
 * reading.
 */
export function blockedUntil(answer: Answer, time: VenueTime): EpochMs {
  const { receivedAt, headers } = answer;
  if (isThrottled(answer.status)) {
    const named = readRetryAfter(headers.retryAfter, { receivedAt }) ?? 0;
    return receivedAt + Math.max(named, COOL_DOWN_MS);
  }
  const reset = resetOf(headers.reset, headers.date);
  if (headers.remaining?.trim() !== '0' || reset === null) return receivedAt;
  // The exchange's clock is at least this far ahead of ours.
  const leastOffset = time.offset?.low ?? -SECOND;
  return Math.min(Math.max(reset.resetAt - leastOffset, receivedAt), receivedAt + LONGEST_WINDOW_MS);
}
