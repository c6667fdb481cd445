// Sends what a sweep asks for: stamps it by the exchange's clock as the answers tell it, one request at a time for each that is given.
import { estimate, observe, reset, startServerClock } from '../client/server-clock.ts';
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue } from '../ports/venue.ts';
import { errorCode } from '../venue/error-codes.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { SweepRequest } from './sweep.ts';

export interface StampedVenue {
  /** Never throws for what the network or the exchange does. */
  perform(request: SweepRequest): Promise<Completed>;
  close(): void;
}

/** Before the first answer the machine's own clock stands in: a refused stamp brings the `Date` that corrects the next one. */
export function stampedVenue(venue: Venue, clock: Clock, recvWindowMs: DurationMs): StampedVenue {
  let serverClock = startServerClock();

  async function perform(request: SweepRequest): Promise<Completed> {
    const offsetMs = estimate(serverClock, clock.monotonic())?.offsetMs ?? 0;
    const stamp = { timestamp: Math.round(clock.now() + offsetMs), recvWindow: recvWindowMs };
    const completed = await venue.perform({ ...request, stamp });
    learn(completed);
    return completed;
  }

  function learn({ outcome, facts }: Completed): void {
    if (outcome.kind === 'rejected' && errorCode(outcome.code)?.remedy === 'sync-clock')
      serverClock = reset(serverClock);
    const { sentAt, receivedAt, venueDate } = facts;
    if (venueDate === undefined) return;
    const mono = clock.monotonic() - (clock.now() - receivedAt);
    serverClock = observe(serverClock, { sentAt, receivedAt, venueDate, mono }).state;
  }

  return { perform, close: () => venue.close() };
}
