// The asynchronous shell around the trader: lane opens → next → written down → sent → observed. It decides nothing
// itself.

import {
  type ClockEstimate,
  type ClockNews,
  estimate,
  type Observed as ObservedClock,
  observeOwnClock,
  type ServerClock,
  startServerClock,
} from '../client/clock/server-clock.ts';
import { learnedFrom } from '../client/clock/stamper.ts';
import { earlierReset, withProvenReset } from '../client/outcomes/rate-limit-headers.ts';
import type { Lane } from '../client/pace/lane.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { KillLatch } from '../ports/kill-latch.ts';
import type { Venue } from '../ports/venue.ts';
import type { Chosen } from '../trader/durable/chosen.ts';
import type { Effects, Notice } from '../trader/fold/turn.ts';
import { observe, type TraderInput } from '../trader/observe/observe.ts';
import type { TraderState } from '../trader/state/state.ts';
import type { StatusSnapshot } from '../trader/status/snapshot.ts';
import { takeSnapshot } from '../trader/status/take-snapshot.ts';
import { next, wakeAt } from '../trader/turns/next.ts';
import type { Completed } from '../venue/outcomes.ts';
import { isThrottled } from '../venue/throttled.ts';
import { afterAnswer, type Throttling } from './throttling.ts';
import { writeEvents } from './trader-journal.ts';

export type LoopLane = 'public' | 'private';

export interface LoopParts {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly lanes: Readonly<Record<LoopLane, Lane>>;
  readonly journal: Journal;
  readonly killLatch: KillLatch;
  /** Effects of what happened before the loop began (recovery). */
  readonly before: Effects;
}

/** What the loop tells; it never waits for the listener. */
export interface LoopListener {
  notice(notice: Notice): void;
  /** Every request that came back. */
  completed(chosen: Chosen, completed: Completed): void;
  /**
   * The loop has looked at the private lane, and chosen, or knows what it waits for. At least every
   * `LONGEST_PASS_MS`.
   */
  passed?(pass: PrivatePass): void;
  /** A bug, or a journal that can't be written: nothing more will be sent. The process must end. */
  fatal(error: unknown): void;
}

/** What the private lane waits for when the loop has looked at it. Moments of the monotonic clock. */
export interface PrivatePass {
  readonly at: DurationMs;
  /** Since when a ticket is awaited; null while none is. */
  readonly ticketSince: DurationMs | null;
  /** When the oldest request left that is not answered; null while none is. */
  readonly underwaySince: DurationMs | null;
}

/** The loop looks at the private lane at least so often, whatever it waits for. */
export const LONGEST_PASS_MS: DurationMs = 1_000;

export interface Loop {
  /** Tells the trader something that no request brought. */
  tell(input: TraderInput): void;
  /**
   * An error that nobody caught, somewhere in the process: ends everything like a bug of the trader's own. Nothing is
   * sent after it.
   */
  fail(error: unknown): void;
  snapshot(): StatusSnapshot;
  state(): TraderState;
  /** What is known of the exchange's clock. */
  serverClock(): ServerClock;
  /** Resolves when the trader has stopped and nothing is in flight. */
  readonly stopped: Promise<void>;
}

/** In this time the two clocks drift apart by a quarter of a millisecond at most. */
const CLOCK_OLD_MS: DurationMs = 1_000;

const LANES: readonly LoopLane[] = ['public', 'private'];
interface Waiting {
  timer: ReturnType<typeof setTimeout> | null;
  /** Since when a ticket of the lane is awaited, by the monotonic clock. */
  ticketSince: DurationMs | null;
}

const CLOCK_NEWS: Readonly<Record<ClockNews, Notice>> = {
  'our-clock': {
    level: 'warn',
    op: 'clock-set',
    message:
      "This machine's clock was set, or the machine slept: nothing is created until the exchange takes a request.",
  },
  disproved: {
    level: 'warn',
    op: 'clock-disproved',
    message: "Requests stamped by the estimate of the exchange's clock are refused: other candidates are tried.",
  },
  confirmed: {
    level: 'info',
    op: 'clock-confirmed',
    message: "The estimate of the exchange's clock is confirmed: a signed request was taken.",
  },
  outvoted: {
    level: 'warn',
    op: 'date-outvoted',
    message:
      'A Date header contradicts the clock by which signed requests are taken: it is ignored as long as they are.',
  },
};

export function startLoop(initial: TraderState, parts: LoopParts, listener: LoopListener): Loop {
  const { clock, journal } = parts;
  /** Somebody wants to see that the loop goes on. */
  const isShown = listener.passed !== undefined;
  let state = initial;
  let serverClock: ServerClock = startServerClock();
  /** On the monotonic clock. */
  let clockToldAt: DurationMs = clock.monotonic();
  const throttlings: Record<LoopLane, Throttling | null> = { public: null, private: null };
  const usualMs = {
    public: parts.lanes.public.figures().intervalMs,
    private: parts.lanes.private.figures().intervalMs,
  };
  let broken = false;
  /** When each request left that is not answered. */
  const underway = new Map<Chosen, { readonly lane: LoopLane; readonly since: DurationMs }>();
  const waiting = new Map<LoopLane, Waiting>(LANES.map((lane) => [lane, { timer: null, ticketSince: null }]));
  let finish: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });

  /** Runs a step of the trader; whatever it throws is a bug or a dead disk, and ends everything. */
  function guarded(step: () => void): void {
    if (broken) return;
    try {
      step();
    } catch (error) {
      broken = true;
      for (const lane of LANES) parts.lanes[lane].clear();
      listener.fatal(error);
    }
  }

  function fail(error: unknown): void {
    guarded(() => {
      throw error;
    });
  }

  function take(effects: Effects): void {
    writeEvents(journal, effects.events);
    for (const each of effects.notices) listener.notice(each);
  }

  function tell(input: TraderInput): void {
    guarded(() => {
      const turn = observe(state, input, clock.now());
      state = turn.state;
      take(turn.effects);
      for (const lane of LANES) pump(lane);
      if (state.phase === 'stopped') end();
    });
  }

  function end(): void {
    for (const lane of LANES) {
      const entry = waiting.get(lane);
      if (entry?.timer) clearTimeout(entry.timer);
      parts.lanes[lane].clear();
    }
    if (underway.size === 0) finish();
  }

  /** Asks for a ticket when something is worth sending, else sleeps until the trader wants to be asked. */
  function pump(lane: LoopLane): void {
    const entry = waiting.get(lane);
    if (!entry || broken || state.phase === 'stopped') return;
    if (entry.ticketSince === null) ask(lane, entry);
    if (lane === 'private') endPass(entry);
  }

  function ask(lane: LoopLane, entry: Waiting): void {
    if (entry.timer) clearTimeout(entry.timer);
    entry.timer = null;
    const now = clock.now();
    const at: EpochMs = wakeAt(state, lane, now);
    if (at > now) {
      const longest = lane === 'private' && isShown ? LONGEST_PASS_MS : Number.POSITIVE_INFINITY;
      if (Number.isFinite(at)) entry.timer = setTimeout(() => tell({ kind: 'tick' }), Math.min(at - now, longest));
      return;
    }
    entry.ticketSince = clock.monotonic();
    void parts.lanes[lane]
      .ticket(() => serve(lane, entry))
      .then((end) => {
        if (end === 'dropped') entry.ticketSince = null;
      });
  }

  /**
   * Also while a ticket is awaited the loop comes back to see whether that goes on: no timer of somebody else's does
   * it.
   */
  function endPass(entry: Waiting): void {
    if (listener.passed === undefined) return;
    entry.timer ??= setTimeout(() => {
      entry.timer = null;
      guarded(() => pump('private'));
    }, LONGEST_PASS_MS);
    const since = [...underway.values()].flatMap((each) => (each.lane === 'private' ? [each.since] : []));
    const underwaySince = since.length === 0 ? null : Math.min(...since);
    listener.passed({ at: clock.monotonic(), ticketSince: entry.ticketSince, underwaySince });
  }

  async function serve(lane: LoopLane, entry: Waiting): Promise<void> {
    entry.ticketSince = null;
    const chosen = choose(lane);
    guarded(() => pump(lane));
    // What was chosen stays behind where the step after it broke everything: after a fatal error nothing leaves.
    if (chosen === null || broken) return;
    underway.set(chosen, { lane, since: clock.monotonic() });
    const completed = await perform(chosen);
    underway.delete(chosen);
    if (completed === null) return;
    guarded(() => listener.completed(chosen, completed));
    learn(lane, completed);
    tell({ kind: 'completed', chosen, completed });
    if (state.phase === 'stopped') end();
  }

  /** The venue never throws for what the network does: what it throws is a bug. */
  async function perform(chosen: Chosen): Promise<Completed | null> {
    try {
      return await parts.venue.perform(chosen.request);
    } catch (error) {
      fail(error);
      return null;
    }
  }

  function choose(lane: LoopLane): Chosen | null {
    let chosen: Chosen | null = null;
    guarded(() => {
      if (lane === 'private') checkLatch();
      lookAtOwnClock();
      const choice = next(state, lane, clock.now());
      state = choice.state;
      if (!('chosen' in choice)) return;
      take(choice.effects);
      chosen = choice.chosen;
    });
    return chosen;
  }

  function checkLatch(): void {
    const reason = state.holds.latched === null ? parts.killLatch.reason() : null;
    if (reason !== null) tell({ kind: 'latched', reason });
  }

  function tellPace(lane: LoopLane): void {
    const requestsPerSecond = 1_000 / parts.lanes[lane].figures().intervalMs;
    if (requestsPerSecond !== state.requests.pace[lane]) tell({ kind: 'pace', lane, requestsPerSecond });
  }

  function tellThrottling(lane: LoopLane, throttledBy: number | null): void {
    const { intervalMs } = parts.lanes[lane].figures();
    const pausedUntil = parts.lanes[lane].pausedUntil();
    const seen = { lane, throttledBy, intervalMs, usualMs: usualMs[lane], pausedUntil, now: clock.now() };
    const { after, notice } = afterAnswer(throttlings[lane], seen);
    throttlings[lane] = after;
    if (notice !== null) listener.notice(notice);
  }

  function learn(lane: LoopLane, completed: Completed): void {
    const { facts } = completed;
    const throttled = isThrottled(facts.status);
    const before = knownClock();
    noteClock(learnedFrom(serverClock, completed, clock));
    const known = knownClock();
    // A Date that contradicts all before it is believed for the clock, but not for how long to be silent: it may be an
    // old one.
    parts.lanes[lane].learn(earlierReset(withProvenReset(facts, before), withProvenReset(facts, known)), throttled);
    tellPace(lane);
    tellThrottling(lane, throttled ? (facts.status ?? null) : null);
    // Also where the answer did not tell the time: what is known grows old.
    tellClock();
  }

  const knownClock = (): ClockEstimate | null => estimate(serverClock, { now: clock.now(), mono: clock.monotonic() });

  function tellClock(): void {
    const known = knownClock();
    if (known === null) return;
    const { offsetMs, uncertaintyMs, confirmed } = known;
    clockToldAt = clock.monotonic();
    tell({ kind: 'clock', offsetMs, uncertaintyMs, confirmed });
  }

  /**
   * Before anything is stamped: the trader counts by our wall clock, and that may have been set; and where nothing was
   * answered for a while, as on a paused lane, the two clocks have drifted since.
   */
  function lookAtOwnClock(): void {
    const looked = observeOwnClock(serverClock, { now: clock.now(), mono: clock.monotonic() });
    noteClock(looked);
    if (looked.news !== null || clock.monotonic() - clockToldAt > CLOCK_OLD_MS) tellClock();
  }

  function noteClock({ state: learned, news }: ObservedClock): void {
    serverClock = learned;
    if (news !== null) listener.notice(CLOCK_NEWS[news]);
  }

  guarded(() => {
    take(parts.before);
    for (const lane of LANES) pump(lane);
  });
  return {
    tell,
    fail,
    snapshot: () => takeSnapshot(state, clock.now()),
    state: () => state,
    serverClock: () => serverClock,
    stopped,
  };
}
