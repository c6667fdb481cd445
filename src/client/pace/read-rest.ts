// When reads may leave after a 503 or 504 that named a wait. A lane itself goes on: a cancel may be what gets through.
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { isThrottled } from '../../venue/error-codes.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';
import { arrivedAt } from './arrived-at.ts';

export interface ReadRest {
  isOver(): boolean;
  /** Ends with the wait, or with the first answer that comes before: to a write, say. */
  over(): Promise<void>;
  /** Takes in an answer of the lane. */
  learn(facts: AnswerFacts): void;
  /** Nothing is waited for any more. */
  end(): void;
}

const TOO_MANY_REQUESTS = 429;
/** Behind it come failures of the exchange's own, and of gateways. */
const SERVER_ERROR = 500;
const LOOKS_EVERY_MS: DurationMs = SECOND;

export function createReadRest(clock: Clock): ReadRest {
  let until: DurationMs = Number.NEGATIVE_INFINITY;
  const left = (): DurationMs => until - clock.monotonic();
  const isOver = (): boolean => left() <= 0;
  const end = (): void => {
    until = Number.NEGATIVE_INFINITY;
  };
  return {
    isOver,
    over: async () => {
      while (!isOver()) await new Promise((resolve) => setTimeout(resolve, Math.min(left(), LOOKS_EVERY_MS)));
    },
    learn: (facts) => {
      const { status, rateLimit } = facts;
      if (status === undefined || status === TOO_MANY_REQUESTS) return;
      if (status < SERVER_ERROR) end();
      const named = isThrottled(status) ? rateLimit?.retryAfter : undefined;
      if (named !== undefined) until = Math.max(until, arrivedAt(clock, facts) + named);
    },
    end,
  };
}
