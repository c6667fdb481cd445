// Sends what a sweep asks for: stamps it by the exchange's clock as the answers tell it, one request at a time for each
// that is given.
import { createStamper } from '../client/clock/stamper.ts';
import { learnedFacts } from '../client/outcomes/rate-limit-headers.ts';
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue } from '../ports/venue.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { SweepRequest } from './sweep.ts';

export interface StampedVenue {
  /** Never throws for what the network or the exchange does. */
  perform(request: SweepRequest): Promise<Completed>;
  close(): void;
}

/**
 * Before the first answer the machine's own clock stands in: a refused stamp brings the `Date` that corrects the next
 * one.
 */
export function stampedVenue(venue: Venue, clock: Clock, recvWindowMs: DurationMs): StampedVenue {
  const stamper = createStamper(clock, recvWindowMs);

  async function perform(request: SweepRequest): Promise<Completed> {
    const completed = await venue.perform({ ...request, stamp: stamper.stamp() });
    return { ...completed, facts: learnedFacts(stamper, completed) };
  }

  return { perform, close: () => venue.close() };
}
