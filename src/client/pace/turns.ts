// Turns at the configured rate, from Bottleneck. A turn belongs to nobody until it comes: who waits longest then takes
// it.
//
// The light build of the package is the same code without clustering, and with `async` functions instead of generators
// that are made anew for every event: those cost a sixth of the simulator's time, most of it in garbage that only a
// full collection finds.
import Bottleneck from 'bottleneck/light.js';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { PaceSettings } from './lane-pace.ts';

export interface Turns {
  /** Asks for one more turn. */
  ask(): void;
  /** Turns that were asked for and have not come. */
  pending(): number;
  /** No more turns; ends when Bottleneck holds no timer. */
  stop(): Promise<void>;
}

/** No turn for longer than the interval and this: Bottleneck counts by the wall clock, and that went back. */
const TURN_GRACE_MS: DurationMs = 2 * SECOND;

/**
 * Calls `onTurn` once for each `ask`, never faster than the rate. Bottleneck reserves turns in advance by the wall
 * clock, so a clock that is set back by an hour would hold the next one for an hour: then a new Bottleneck takes over.
 */
export function createTurns(pace: PaceSettings, onTurn: () => void): Turns {
  let limiter = limiterOf(pace);
  let pending = 0;
  let given = 0;
  let stopped = false;
  let watch: NodeJS.Timeout | null = null;

  function schedule(): void {
    const current = limiter;
    // Rejected only when the limiter is stopped: then the turn is not wanted, or the next limiter gives it.
    current.schedule(async () => give(current)).catch(() => undefined);
  }

  function give(from: Bottleneck): void {
    if (stopped || from !== limiter) return;
    pending -= 1;
    given += 1;
    if (pending === 0) endWatch();
    onTurn();
  }

  function startWatch(): void {
    const before = given;
    watch = setTimeout(() => {
      if (given === before) replaceLimiter();
      startWatch();
    }, pace.intervalMs + TURN_GRACE_MS);
  }

  function endWatch(): void {
    if (watch !== null) clearTimeout(watch);
    watch = null;
  }

  function replaceLimiter(): void {
    void limiter.stop({ dropWaitingJobs: true }).catch(() => undefined);
    limiter = limiterOf(pace);
    for (let turn = 0; turn < pending; turn++) schedule();
  }

  return {
    ask: () => {
      pending += 1;
      if (watch === null) startWatch();
      schedule();
    },
    pending: () => pending,
    stop: async () => {
      if (stopped) return;
      stopped = true;
      endWatch();
      await limiter.stop({ dropWaitingJobs: true });
    },
  };
}

/** With a burst the pace alone keeps the rate: Bottleneck's own reservoir refills in steps of 250 ms. */
function limiterOf(pace: PaceSettings): Bottleneck {
  return new Bottleneck({ minTime: pace.burst === 1 ? pace.intervalMs : 0 });
}
