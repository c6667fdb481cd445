// Carries a sweep out without a watchdog around it: for `cancel-all`.
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { StampedVenue } from './stamped-venue.ts';
import { nextStep } from './sweep.ts';
import { noteAnswer } from './sweep-answers.ts';
import type { Sweep } from './sweep-state.ts';

export interface SweepPorts {
  readonly clock: Clock;
  readonly venue: StampedVenue;
  answered(completed: Completed): void;
}

const LONGEST_SLEEP_MS: DurationMs = 1_000;

/**
 * True when nothing is left and that is proved; false when `withinMs` have passed before, or one that only looks has
 * found an order.
 */
export async function runSweep(sweep: Sweep, ports: SweepPorts, withinMs: DurationMs): Promise<boolean> {
  const { clock, venue } = ports;
  const deadline = clock.monotonic() + withinMs;
  let wake: () => void = () => {};
  while (clock.monotonic() < deadline && sweep.found.length === 0) {
    const step = nextStep(sweep, clock.monotonic());
    if (step.kind === 'flat') return true;
    if (step.kind === 'send') {
      const { request, leftAt } = step;
      void venue.perform(request).then((completed) => {
        noteAnswer(sweep, { completed, leftAt }, clock.monotonic());
        ports.answered(completed);
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
