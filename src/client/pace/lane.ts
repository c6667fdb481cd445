// One lane per rate-limit scope. It hands out tickets: the caller chooses a ticket's use when it is released, not
// before.
import PQueue from 'p-queue';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';
import { PROBE_EVERY_MS } from '../../venue/refusals.ts';
import { intervalOf, learn, type Pace, type PaceSettings } from './lane-pace.ts';
import { createPacedTurns } from './paced-turns.ts';

export interface LaneSettings {
  readonly requestsPerSecond: number;
  /** Requests in flight at once; those older than `PROBE_EVERY_MS` no longer count. */
  readonly maxInFlight: number;
}

interface LanePorts {
  readonly clock: Clock;
  readonly random: Random;
}

export interface LaneFigures {
  /** Time between two requests as learned. */
  readonly intervalMs: DurationMs;
  readonly inFlight: number;
  readonly waiting: number;
  readonly throttledTotal: number;
  /** From the last answer that named them. */
  readonly remaining: number | null;
  readonly limit: number | null;
}

export interface Lane {
  /**
   * Runs `run` when the rate allows, a place in flight is free and the lane is not paused. Rejects only if `run` does.
   * A ticket whose signal aborts before its turn is dropped; what runs goes on, and looks at the signal itself.
   */
  ticket(run: () => Promise<void>, signal?: AbortSignal): Promise<'ran' | 'dropped'>;
  /** Learns from an answer of this lane. `throttled`: it was 429, 503 or 504. */
  learn(facts: AnswerFacts, throttled: boolean): void;
  /** Until when the venue wants no requests, by our wall clock; `null` while the lane is open. */
  pausedUntil(): EpochMs | null;
  /** Drops the waiting tickets; running ones continue. The next ticket takes the turn of the first one dropped. */
  clear(): void;
  /** Drops the waiting tickets, accepts no more, and resolves when the running ones have ended. */
  stop(): Promise<void>;
  figures(): LaneFigures;
}

/**
 * Bottleneck times the turns at the configured rate (`paced-turns.ts`); `lane-pace.ts` delays them further as it learns
 * from answers, by the monotonic clock; p-queue bounds the requests in flight, and its `clear` drops the waiting ones.
 * All three call the global timers at the moment of use, so patched timers drive a lane: `setTimeout`, `clearTimeout`
 * and `Date` must be patched together, before the lane is made. A ticket costs four timers of Bottleneck and takes
 * about 3 ms where nothing else delays it.
 */
export function createLane(settings: LaneSettings, { clock, random }: LanePorts): Lane {
  const paceSettings = paceSettingsOf(settings);
  const queue = new PQueue({ concurrency: settings.maxInFlight });
  const turns = createPacedTurns(paceSettings, clock);
  const running = new Set<Promise<void>>();
  let stopped = false;

  function begin(run: () => Promise<void>, leftAt: DurationMs): Promise<void> {
    const ended = run().finally(() => {
      running.delete(ended);
      turns.ended(leftAt);
    });
    running.add(ended);
    return ended;
  }

  async function ticket(run: () => Promise<void>, signal?: AbortSignal): Promise<'ran' | 'dropped'> {
    if (stopped) return 'dropped';
    let ended: Promise<void> | null = null;
    const hold = async (): Promise<void> => {
      const leavesAt = await turns.turn(signal);
      if (leavesAt === null) return;
      ended = begin(run, leavesAt);
      await endedOrOverdue(ended);
    };
    // p-queue rejects a task that it cleared, or whose signal aborted, waiting or not.
    await queue.add(hold, { signal }).catch(() => undefined);
    if (ended === null) return 'dropped';
    await ended;
    return 'ran';
  }

  function clear(): void {
    queue.clear();
    turns.drop();
  }

  async function stop(): Promise<void> {
    stopped = true;
    clear();
    await turns.stop();
    await queue.onIdle();
    await Promise.allSettled(running);
  }

  return {
    ticket,
    learn: (facts, throttled) => {
      const answer = { facts, throttled, now: clock.monotonic(), arrivedAt: arrivedAt(clock, facts) };
      turns.learn((pace) => learn(pace, paceSettings, answer, random));
    },
    pausedUntil: () => pausedUntilOf(turns.pace(), clock),
    clear,
    stop,
    figures: () => ({
      ...figuresOf(turns.pace(), paceSettings),
      inFlight: running.size,
      waiting: queue.size + turns.waiting(),
    }),
  };
}

function pausedUntilOf(pace: Pace, clock: Clock): EpochMs | null {
  const left = pace.pausedUntil - clock.monotonic();
  return left > 0 ? clock.now() + Math.ceil(left) : null;
}

function figuresOf(pace: Pace, settings: PaceSettings): Omit<LaneFigures, 'inFlight' | 'waiting'> {
  const { throttledTotal, remaining, limit } = pace;
  return { intervalMs: intervalOf(pace, settings), throttledTotal, remaining, limit };
}

/**
 * A request unanswered for this long gives up its place: otherwise requests behind a dead connection would block each
 * other.
 */
async function endedOrOverdue(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PROBE_EVERY_MS);
  });
  try {
    await Promise.race([ended, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

function paceSettingsOf(settings: LaneSettings): PaceSettings {
  const { requestsPerSecond, maxInFlight } = settings;
  invariant(requestsPerSecond > 0, `A lane of ${requestsPerSecond} requests per second never moves.`);
  invariant(
    Number.isInteger(maxInFlight) && maxInFlight >= 1,
    `${maxInFlight} requests in flight is not a whole number from 1.`,
  );
  return { intervalMs: SECOND / requestsPerSecond };
}

// When an answer arrived, by the monotonic clock: it may be processed much later.

/** Now if our wall clock was set back meanwhile. */
const arrivedAt = (clock: Clock, { receivedAt }: Pick<AnswerFacts, 'receivedAt'>): DurationMs =>
  clock.monotonic() - Math.max(0, clock.now() - receivedAt);
