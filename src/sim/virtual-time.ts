// Virtual time: timers fire when their moment is reached, and the moment is reached as soon as nothing is left to do before it.
import FakeTimers from '@sinonjs/fake-timers';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

export interface VirtualTime {
  readonly clock: Clock;
  /** Resolves after `ms` of virtual time. */
  sleep(ms: DurationMs): Promise<void>;
  /** Lets virtual time pass until `until`, or until `done` says so. */
  run(until: EpochMs, done?: () => boolean): Promise<void>;
  /** The whole world misses so long: every timer that was due meanwhile fires once, afterwards. */
  jump(ms: DurationMs): void;
  /** Gives the real timers back. */
  end(): void;
}

/**
 * Replaces the global timers until `end`. One virtual world at a time in a process. Promises run between two timers: a turn of
 * the real event loop after each timer lets every chain that is ready come to rest.
 */
export function startVirtualTime(startAt: EpochMs): VirtualTime {
  const turn = setImmediate;
  const settled = (): Promise<void> => new Promise((resolve) => turn(resolve));
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
