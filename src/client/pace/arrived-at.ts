// When an answer arrived, by the monotonic clock: it may be taken in long after that.
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';

/** Now where our wall clock was set back meanwhile. */
export const arrivedAt = (clock: Clock, { receivedAt }: Pick<AnswerFacts, 'receivedAt'>): DurationMs =>
  clock.monotonic() - Math.max(0, clock.now() - receivedAt);
