// Runs a sweep without a watchdog: for `cancel-all`.
import { createStamper } from '../client/clock/stamper.ts';
import { learnedFacts } from '../client/outcomes/rate-limit-headers.ts';
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue } from '../ports/transport.ts';
import type { Completed } from '../venue/outcomes.ts';
import { nextStep, type SweepRequest } from './sweep.ts';
import { recordSweepAnswer } from './sweep-answers.ts';
import type { Sweep } from './sweep-state.ts';

const LONGEST_SLEEP_MS: DurationMs = 1_000;

/** True once it is proved that nothing is left; false if `withinMs` passed first. */
export async function runSweep(
  sweep: Sweep,
  { clock, venue }: { readonly clock: Clock; readonly venue: StampedVenue },
  withinMs: DurationMs,
): Promise<boolean> {
  const deadline = clock.monotonic() + withinMs;
  let wake: () => void = () => {};
  while (clock.monotonic() < deadline) {
    const step = nextStep(sweep, clock.monotonic());
    if (step.kind === 'flat') return true;
    if (step.kind === 'send') {
      const { request, leftAt } = step;
      void venue.perform(request).then((completed) => {
        recordSweepAnswer(sweep, { completed, leftAt }, clock.monotonic());
        wake();
      });
      continue;
    }
    const sleepMs = Math.min(step.until - clock.monotonic(), LONGEST_SLEEP_MS, deadline - clock.monotonic());
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, Math.max(1, sleepMs));
    });
  }
  return false;
}

// Sends a sweep's requests: stamps them by the exchange's clock as learned from answers, one request at a time.

export interface StampedVenue {
  /** Never throws for a failure of the network or the exchange. */
  perform(request: SweepRequest): Promise<Completed>;
  close(): void;
}

/**
 * Before the first answer it uses the machine's own clock: a refused stamp brings the `Date` that corrects the next
 * one.
 */
export function stampedVenue(venue: Venue, clock: Clock, recvWindowMs: DurationMs): StampedVenue {
  const stamper = createStamper(clock, recvWindowMs);
  return {
    perform: async (request) => {
      const completed = await venue.perform({ ...request, stamp: stamper.stamp() });
      return { ...completed, facts: learnedFacts(stamper, completed) };
    },
    close: () => venue.close(),
  };
}
