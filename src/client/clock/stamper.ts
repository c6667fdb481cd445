// Stamps signed requests by the exchange's clock as learned from answers; used by every program that sends any.
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { Stamp } from '../../venue/requests.ts';
import {
  type ClockEstimate,
  type ClockObservation,
  estimate,
  type Observed,
  observe,
  type ServerClock,
  type StampVerdict,
  startServerClock,
} from './server-clock.ts';

export interface Stamper {
  /** The exchange's present time by the estimate, or by our own clock without one. */
  stamp(): Stamp;
  learn(completed: Completed): void;
  /** From the answers so far; null before the first. */
  estimate(): ClockEstimate | null;
}

export function createStamper(clock: Clock, recvWindow: DurationMs, known: ServerClock = startServerClock()): Stamper {
  let serverClock = known;
  const current = (): ClockEstimate | null => estimate(serverClock, { now: clock.now(), mono: clock.monotonic() });
  return {
    stamp: () => ({ timestamp: Math.round(clock.now() + (current()?.offsetMs ?? 0)), recvWindow }),
    learn: (completed) => {
      serverClock = learnedFrom(serverClock, completed, clock).state;
    },
    estimate: current,
  };
}

/**
 * Learns about the exchange's clock from an answer. This may run long after the answer came, so both clocks are set
 * back to that moment.
 */
export function learnedFrom(serverClock: ServerClock, completed: Completed, clock: Clock): Observed {
  const { sentAt, receivedAt, venueDate } = completed.facts;
  const mono = clock.monotonic() - (clock.now() - receivedAt);
  const stamp = stampOf(completed);
  return observe(serverClock, {
    sentAt,
    receivedAt,
    mono,
    ...(venueDate !== undefined && { venueDate }),
    ...(stamp !== undefined && { stamp }),
  });
}

/** The answer's verdict on the timestamp the request was signed with; absent where it has none. */
export function stampOf({ request, outcome }: Completed): ClockObservation['stamp'] {
  const verdict = verdictOf(outcome);
  return verdict === null || !('stamp' in request) ? undefined : { ...request.stamp, verdict };
}

/** Other refusals may come before the exchange checks the timestamp. */
function verdictOf(outcome: Completed['outcome']): StampVerdict | null {
  switch (outcome.kind) {
    case 'read':
    case 'accepted':
    case 'acknowledged':
      return 'taken';
    case 'rejected':
      return outcome.refusal === 'clock' ? 'refused' : null;
    default:
      return null;
  }
}
