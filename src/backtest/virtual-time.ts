// Virtual time: timers fire at their moment, which comes as soon as nothing is left to do before it.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';

export interface VirtualTime {
  readonly clock: Clock;
  /** Resolves after `ms` of virtual time. */
  sleep(ms: DurationMs): Promise<void>;
  /** Lets virtual time pass until `until`, or until `done` returns true. */
  run(until: EpochMs, done?: () => boolean): Promise<void>;
  /** The whole world misses this much time: every timer due in it fires once, afterward. */
  jump(ms: DurationMs): void;
  /** Restores the real timers. */
  end(): void;
}

/**
 * Replaces the global timers and clocks until `end`. Only one virtual world at a time in a process. Promises run
 * between two timers: a turn of the real event loop after each timer lets every ready chain settle (`realTurns`).
 */
export function startVirtualTime(startAt: EpochMs): VirtualTime {
  const settled = realTurns();
  const timers = new VirtualTimers(Math.floor(startAt));
  const monotonic = (): DurationMs => timers.now - startAt;
  const end = replaceGlobals(timers, monotonic);
  return {
    clock: { now: () => timers.now, monotonic },
    sleep: (ms) => new Promise((resolve) => timers.add(resolve, ms)),
    async run(until, done = () => false) {
      await settled();
      while (!done() && timers.now < until) {
        const before = timers.now;
        if (!timers.fireNext()) timers.now = until;
        if (timers.now > until && before < until) await settled();
        await settled();
      }
    },
    jump: (ms) => timers.jump(ms),
    end,
  };
}

/** The longest delay of a real timer; a longer one fires at once. */
const LONGEST_DELAY_MS: DurationMs = 2 ** 31 - 1;

class VirtualTimers {
  now: EpochMs;
  /** Sorted; the next one is last. */
  private readonly waiting: VirtualTimer[] = [];
  private isFiring = false;
  private made = 0;

  constructor(now: EpochMs) {
    this.now = now;
  }

  /** A timer without a delay that another timer sets fires a millisecond later, so that a chain of them takes time. */
  add(run: () => void, delay: DurationMs, everyMs: DurationMs | null = null): VirtualTimer {
    const ms = delay > LONGEST_DELAY_MS ? 1 : Math.max(0, Math.trunc(delay) || 0);
    const timer = new VirtualTimer(this, run, { dueAt: this.now + (ms || (this.isFiring ? 1 : 0)), everyMs });
    this.insert(timer);
    return timer;
  }

  remove(timer: VirtualTimer): void {
    const index = this.waiting.lastIndexOf(timer);
    if (index >= 0) this.waiting.splice(index, 1);
  }

  /** Whether there was one. */
  fireNext(): boolean {
    const timer = this.waiting.pop();
    if (timer === undefined) return false;
    this.now = timer.dueAt;
    if (timer.everyMs !== null) {
      timer.dueAt += timer.everyMs;
      this.insert(timer);
    }
    this.isFiring = true;
    try {
      timer.run();
    } finally {
      this.isFiring = false;
    }
    return true;
  }

  jump(ms: DurationMs): void {
    const to = this.now + Math.floor(ms);
    for (const timer of this.waiting) timer.dueAt = Math.max(timer.dueAt, to);
    this.waiting.sort((a, b) => b.dueAt - a.dueAt || b.number - a.number);
    while ((this.waiting.at(-1)?.dueAt ?? Number.POSITIVE_INFINITY) <= to) this.fireNext();
    this.now = to;
  }

  /** Behind all timers due at the same moment. */
  private insert(timer: VirtualTimer): void {
    const { waiting } = this;
    timer.number = this.made;
    this.made += 1;
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((waiting[middle]?.dueAt ?? 0) > timer.dueAt) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, timer);
  }
}

/** Replaces a `Timeout` of Node. */
class VirtualTimer {
  readonly run: () => void;
  readonly everyMs: DurationMs | null;
  dueAt: EpochMs;
  /** Of two timers due at the same moment, the one with the smaller number fires first. */
  number = 0;
  private readonly timers: VirtualTimers;

  constructor(timers: VirtualTimers, run: () => void, { dueAt, everyMs }: Pick<VirtualTimer, 'dueAt' | 'everyMs'>) {
    this.timers = timers;
    this.run = run;
    this.dueAt = dueAt;
    this.everyMs = everyMs;
  }

  cancel(): void {
    this.timers.remove(this);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Called with the values that stand behind the delay. */
type Run = (...values: unknown[]) => void;

/** Returns a function that restores the originals. */
function replaceGlobals(timers: VirtualTimers, monotonic: () => DurationMs): () => void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const [{ now }, { now: sinceStart }] = [Date, performance];
  const clear = (timer?: NodeJS.Timeout | VirtualTimer): void => {
    if (timer instanceof VirtualTimer) timer.cancel();
    else clearTimeout(timer);
  };
  Object.assign(globalThis, {
    setTimeout: (run: Run, ms: DurationMs = 0, ...values: unknown[]) => timers.add(() => run(...values), ms),
    setInterval: (run: Run, ms: DurationMs = 1, ...values: unknown[]) =>
      timers.add(() => run(...values), ms, Math.max(1, ms)),
    clearTimeout: clear,
    clearInterval: clear,
  });
  Object.assign(Date, { now: () => timers.now });
  Object.assign(performance, { now: monotonic });
  return () => {
    Object.assign(globalThis, real);
    Object.assign(Date, { now });
    Object.assign(performance, { now: sinceStart });
  };
}

/**
 * How many turns are requested at once: a whole round of the event loop, which also polls the system, costs as much as
 * five turns.
 */
const TURNS_AT_ONCE = 256;

/**
 * Each call resolves on a later immediate of the real event loop. Between two immediates, Node runs every ready promise
 * and `nextTick` to the end and reports unhandled rejections, so everything has settled. Nothing in the virtual world
 * waits for a real timer or a real file.
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
