// When a throttled request may be asked again, by what its answer said.
import { type EpochMs, SECOND } from '../../domain/time.ts';
import type { AnswerFacts, Throttled } from '../../venue/outcomes.ts';
import type { ErrorBody } from '../../venue/parsers/fields.ts';

/** Where the answer says nothing. The lane adds its own backoff. */
const UNTOLD_WAIT_MS = SECOND;

/** `Retry-After`, else the reset of the window, else a second from now. */
export function retryAt(facts: AnswerFacts): EpochMs {
  const { retryAfter, resetAt } = facts.rateLimit ?? {};
  if (retryAfter !== undefined) return facts.receivedAt + retryAfter;
  return resetAt ?? facts.receivedAt + UNTOLD_WAIT_MS;
}

/** The outcome of a throttled request; `error` is its body, where that was an error body. */
export function throttled(status: number, error: ErrorBody | null, facts: AnswerFacts): Throttled {
  return { kind: 'throttled', status, ...(error !== null && { code: error.code }), retryAt: retryAt(facts) };
}
