// Turns of a lane: at the configured rate, delayed further as it learns from answers (`lane-pace.ts`).
import Bottleneck from 'bottleneck/light.js';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { nextReleaseAt, type Pace, type PaceSettings, released, returned, startPace } from './lane-pace.ts';

/** Times are monotonic. */
interface PacedTurns {
  /**
   * A turn for the longest waiting caller: the moment its request may leave, which is now; null when dropped, or when
   * the signal aborts before.
   */
  turn(signal?: AbortSignal): Promise<DurationMs | null>;
  /** The request that left at `leftAt` is over. */
  ended(leftAt: DurationMs): void;
  pace(): Pace;
  /** Changes the pace after an answer, from the next turn on. */
  learn(change: (pace: Pace) => Pace): void;
  /** How many callers wait for a turn. */
  waiting(): number;
  /** Drops all waiting callers. */
  drop(): void;
  /** No more turns; resolves when no timer is left. */
  stop(): Promise<void>;
}

/** The longest delay that a timer supports. */
const LONGEST_SLEEP_MS: DurationMs = 2 ** 31 - 1;

interface Waiting {
  readonly settings: PaceSettings;
  readonly clock: Clock;
  /** Waiting callers, oldest first; each is called when it may leave. */
  readonly queue: ((leavesAt: DurationMs | null) => void)[];
  /** Turns that have come and are not used yet. */
  ready: number;
  pace: Pace;
  alarm: NodeJS.Timeout | null;
}

export function createPacedTurns(settings: PaceSettings, clock: Clock): PacedTurns {
  const waiting: Waiting = { settings, clock, queue: [], ready: 0, pace: startPace(clock.monotonic()), alarm: null };
  const turns = createTurns(settings, () => {
    waiting.ready += 1;
    admit(waiting);
  });
  return {
    turn: (signal) => turnOf(waiting, turns, signal),
    ended: (leftAt) => {
      waiting.pace = returned(waiting.pace, leftAt, clock.monotonic());
      // The next turn may come sooner than computed while this request was in flight.
      if (waiting.alarm !== null) {
        endAlarm(waiting);
        admit(waiting);
      }
    },
    pace: () => waiting.pace,
    learn: (change) => {
      waiting.pace = change(waiting.pace);
    },
    waiting: () => waiting.queue.length,
    drop: () => {
      for (const tell of waiting.queue.splice(0)) tell(null);
      waiting.ready = 0;
      endAlarm(waiting);
    },
    stop: () => turns.stop(),
  };
}

function turnOf(waiting: Waiting, turns: Turns, signal?: AbortSignal): Promise<DurationMs | null> {
  const { queue } = waiting;
  if (signal?.aborted === true) return Promise.resolve(null);
  return new Promise((resolve) => {
    const tell = (leavesAt: DurationMs | null): void => {
      signal?.removeEventListener('abort', leave);
      resolve(leavesAt);
    };
    const leave = (): void => {
      queue.splice(queue.indexOf(tell), 1);
      tell(null);
    };
    signal?.addEventListener('abort', leave);
    queue.push(tell);
    // After callers left, turns requested for them may be pending: these are used first.
    if (turns.pending() + waiting.ready < queue.length) turns.ask();
  });
}

/** Gives ready turns to the longest waiting, as far as the pace allows. A turn without a waiting caller is lost. */
function admit(waiting: Waiting): void {
  const { settings, clock, queue } = waiting;
  while (waiting.ready > 0 && queue.length > 0) {
    const now = clock.monotonic();
    const wait = nextReleaseAt(waiting.pace, settings) - now;
    if (wait > 0) return wakeIn(waiting, wait);
    waiting.ready -= 1;
    waiting.pace = released(waiting.pace, settings, now);
    queue.shift()?.(now);
  }
  if (queue.length === 0) waiting.ready = 0;
}

function wakeIn(waiting: Waiting, wait: DurationMs): void {
  waiting.alarm ??= setTimeout(
    () => {
      waiting.alarm = null;
      admit(waiting);
    },
    Math.min(Math.ceil(wait), LONGEST_SLEEP_MS),
  );
}

function endAlarm(waiting: Waiting): void {
  if (waiting.alarm !== null) clearTimeout(waiting.alarm);
  waiting.alarm = null;
}

// Turns at the configured rate, from Bottleneck. A turn has no owner until it comes; then the longest waiting caller
// takes it.
//
// The light build of the package is the same code without clustering, and with `async` functions instead of a new
// generator for every event: those cost a sixth of the simulator's time, most of it in garbage that only a full
// collection finds.

interface Turns {
  /** Requests one more turn. */
  ask(): void;
  /** Requested turns that have not come. */
  pending(): number;
  /** No more turns; resolves when Bottleneck has no timer left. */
  stop(): Promise<void>;
}

/** No turn for longer than the interval plus this means that the wall clock, which Bottleneck uses, was set back. */
const TURN_GRACE_MS: DurationMs = 2 * SECOND;

/**
 * Calls `onTurn` once for each `ask`, never faster than the rate. Bottleneck reserves turns in advance by the wall
 * clock, so a clock set back by an hour would delay the next one by an hour: then a new Bottleneck takes over.
 */
function createTurns(pace: PaceSettings, onTurn: () => void): Turns {
  let limiter = limiterOf(pace);
  let pending = 0;
  let given = 0;
  let stopped = false;
  let watch: NodeJS.Timeout | null = null;

  function schedule(): void {
    const current = limiter;
    // Rejected only when the limiter is stopped: then the turn is not needed, or the next limiter gives it.
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

const limiterOf = ({ intervalMs }: PaceSettings): Bottleneck => new Bottleneck({ minTime: intervalMs });
