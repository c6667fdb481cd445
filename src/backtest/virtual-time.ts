// Virtual time: timers fire when their moment is reached, and the moment is reached as soon as nothing is left to do
// before it.
import FakeTimers from '@sinonjs/fake-timers';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

export interface VirtualTime {
  readonly clock: Clock;
  /** Resolves after `ms` of virtual time. */
  sleep(ms: DurationMs): Promise<void>;
  /** Lets virtual time pass until `until`, or until `done` says so. */
  run(until: EpochMs, done?: () => boolean): Promise<void>;
  /** The whole world misses so long: every timer that was due meanwhile fires once, afterward. */
  jump(ms: DurationMs): void;
  /** Gives the real timers back. */
  end(): void;
}

/**
 * Replaces the global timers until `end`. One virtual world at a time in a process. Promises run between two timers: a
 * turn of the real event loop after each timer lets every chain that is ready come to rest (`realTurns`).
 */
export function startVirtualTime(startAt: EpochMs): VirtualTime {
  const settled = realTurns();
  const timers = FakeTimers.install({
    now: startAt,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const clock: Clock = { now: () => timers.now, monotonic: () => timers.now - startAt };
  return {
    clock,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async run(until, done = () => false) {
      await settled();
      while (!done() && timers.now < until) {
        const before = timers.now;
        const pending = timers.countTimers() > 0;
        if (!pending) timers.tick(until - timers.now);
        else timers.next();
        if (timers.now > until && before < until) await settled();
        await settled();
      }
    },
    jump: (ms) => {
      timers.jump(ms);
    },
    end: () => timers.uninstall(),
  };
}

/**
 * How many turns are asked for at once: a whole round of the event loop, which also asks the system for news, costs
 * five times a turn.
 */
const TURNS_AT_ONCE = 32;

/**
 * Each call resolves on a later immediate of the real event loop. Between two immediates, Node runs every promise and
 * every `nextTick` that is ready to the end, and reports rejections that nobody handled: that is what comes to rest.
 * Nothing of the world waits for a real timer or a real file.
 */
function realTurns(): () => Promise<void> {
  const immediate = setImmediate;
  let ahead = 0;
  let waiting: (() => void) | null = null;
  function turn(): void {
    ahead -= 1;
    const resolve = waiting;
    waiting = null;
    resolve?.();
  }
  return () =>
    new Promise((resolve) => {
      waiting = resolve;
      if (ahead > 0) return;
      ahead = TURNS_AT_ONCE;
      for (let count = 0; count < TURNS_AT_ONCE; count += 1) immediate(turn);
    });
}
