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
import { withKnownReset } from '../client/outcomes/rate-limit-headers.ts';
import type { Lane } from '../client/pace/lane.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { KillLatch } from '../ports/lease.ts';
import type { Venue } from '../ports/transport.ts';
import { observe, type TraderInput } from '../trader/observe/observe.ts';
import type { Chosen } from '../trader/state/session.ts';
import type { KnownClock, TraderState } from '../trader/state/state.ts';
import type { Effects, Notice } from '../trader/state/turn.ts';
import { type StatusSnapshot, takeSnapshot } from '../trader/status/snapshot.ts';
import { catchUp, commit, next, wakeAt } from '../trader/turns/next.ts';
import type { AnswerFacts, Completed } from '../venue/outcomes.ts';
import { isThrottled } from '../venue/refusals.ts';
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

/** Receives the loop's events; the loop never waits for the listener. */
export interface LoopListener {
  notice(notice: Notice): void;
  /** Every request that came back. */
  completed(chosen: Chosen, completed: Completed): void;
  /**
   * The loop has checked the private lane, and has chosen a request or knows what it waits for. At least every
   * `LONGEST_PASS_MS`.
   */
  passed?(pass: PrivatePass): void;
  /** A bug, or a journal that can't be written: nothing more will be sent. The process must end. */
  fatal(error: unknown): void;
}

/** Waits of the private lane after the loop has checked it. Times of the monotonic clock. */
export interface PrivatePass {
  readonly at: DurationMs;
  /** When the wait for a ticket began; null while there is none. */
  readonly ticketSince: DurationMs | null;
  /** When the oldest unanswered request left; null while there is none. */
  readonly underwaySince: DurationMs | null;
}

/** The loop checks the private lane at least this often, whatever it waits for. */
export const LONGEST_PASS_MS: DurationMs = 1_000;

export interface Loop {
  /** Tells the trader something that no request brought. */
  tell(input: TraderInput): void;
  /**
   * Reports an uncaught error anywhere in the process: it ends everything like a bug of the trader's own. Nothing is
   * sent after it.
   */
  fail(error: unknown): void;
  /**
   * Whether a fatal error has happened: later inputs are dropped, and inputs told just before it may have been lost.
   */
  isBroken(): boolean;
  snapshot(): StatusSnapshot;
  state(): TraderState;
  /** The estimate of the exchange's clock. */
  serverClock(): ServerClock;
  /** Resolves when the trader has stopped and nothing is in flight. */
  readonly stopped: Promise<void>;
}

/** In this time the two clocks drift apart by a quarter of a millisecond at most. */
const CLOCK_OLD_MS: DurationMs = 1_000;

const LANES: readonly LoopLane[] = ['public', 'private'];

/** A lane and the loop's state on it. */
interface LaneInUse {
  readonly name: LoopLane;
  readonly clientLane: Lane;
  /** Time between two requests as configured. */
  readonly usualMs: DurationMs;
  throttling: Throttling | null;
  timer: ReturnType<typeof setTimeout> | null;
  /** When the wait for a ticket of the lane began, by the monotonic clock. */
  ticketSince: DurationMs | null;
}

/** The loop's parts and all of its mutable state. */
interface Running {
  readonly parts: LoopParts;
  readonly listener: LoopListener;
  readonly lanes: readonly LaneInUse[];
  /** When each unanswered request left. */
  readonly underway: Map<Chosen, { readonly lane: LoopLane; readonly since: DurationMs }>;
  /** Resolves `stopped`. */
  readonly finish: () => void;
  state: TraderState;
  serverClock: ServerClock;
  /** When the trader last got an update of the exchange's clock. On the monotonic clock. */
  clockToldAt: DurationMs;
  /** After a fatal error. */
  broken: boolean;
}

const CLOCK_NEWS: Readonly<Record<ClockNews, Notice>> = {
  'our-clock': {
    level: 'warn',
    op: 'clock-moved',
    message:
      "This machine's clock was set, or the machine slept: nothing is created until the exchange takes a request.",
  },
  disproved: {
    level: 'warn',
    op: 'clock-moved',
    message: "Requests stamped by the estimate of the exchange's clock are refused: other candidates are tried.",
  },
  confirmed: {
    level: 'info',
    op: 'clock-moved',
    message: "The estimate of the exchange's clock is confirmed: a signed request was taken.",
  },
  outvoted: {
    level: 'warn',
    op: 'clock-moved',
    message:
      'A Date header contradicts the clock by which signed requests are taken: it is ignored as long as they are.',
  },
};

export function startLoop(initial: TraderState, parts: LoopParts, listener: LoopListener): Loop {
  const { clock } = parts;
  let finish: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const loop: Running = {
    parts,
    listener,
    lanes: LANES.map((name) => laneInUse(name, parts.lanes[name])),
    underway: new Map(),
    finish,
    state: initial,
    serverClock: startServerClock(),
    clockToldAt: clock.monotonic(),
    broken: false,
  };
  guarded(loop, () => {
    take(loop, parts.before);
    pumpAll(loop);
  });
  return {
    tell: (input) => tell(loop, input),
    fail: (error) => fail(loop, error),
    isBroken: () => loop.broken,
    snapshot: () => takeSnapshot(loop.state, clock.now()),
    state: () => loop.state,
    serverClock: () => loop.serverClock,
    stopped,
  };
}

const laneInUse = (name: LoopLane, clientLane: Lane): LaneInUse => ({
  name,
  clientLane,
  usualMs: clientLane.figures().intervalMs,
  throttling: null,
  timer: null,
  ticketSince: null,
});

/** Runs a step of the trader; whatever it throws is a bug or a dead disk, and ends everything. */
function guarded(loop: Running, step: () => void): void {
  if (loop.broken) return;
  try {
    step();
  } catch (error) {
    loop.broken = true;
    for (const { clientLane } of loop.lanes) clientLane.clear();
    loop.listener.fatal(error);
  }
}

function fail(loop: Running, error: unknown): void {
  guarded(loop, () => {
    throw error;
  });
}

function take({ parts, listener }: Running, effects: Effects): void {
  writeEvents(parts.journal, effects.events);
  for (const each of effects.notices) listener.notice(each);
}

function tell(loop: Running, input: TraderInput): void {
  guarded(loop, () => {
    const turn = observe(loop.state, input, loop.parts.clock.now());
    loop.state = turn.state;
    take(loop, turn.effects);
    pumpAll(loop);
    if (loop.state.phase === 'stopped') end(loop);
  });
}

function end({ lanes, underway, finish }: Running): void {
  for (const { clientLane, timer } of lanes) {
    if (timer) clearTimeout(timer);
    clientLane.clear();
  }
  if (underway.size === 0) finish();
}

function pumpAll(loop: Running): void {
  for (const lane of loop.lanes) pump(loop, lane);
}

/** Asks for a ticket if a request is worth sending, else sleeps until the trader wants to be asked. */
function pump(loop: Running, lane: LaneInUse): void {
  if (loop.broken || loop.state.phase === 'stopped') return;
  if (lane.ticketSince === null) ask(loop, lane);
  if (lane.name === 'private') endPass(loop, lane);
}

function ask(loop: Running, lane: LaneInUse): void {
  const { clock } = loop.parts;
  if (lane.timer) clearTimeout(lane.timer);
  lane.timer = null;
  const now = clock.now();
  const at: EpochMs = wakeAt(loop.state, lane.name, now);
  if (at > now) {
    // The listener wants to see that the loop is alive.
    const isShown = lane.name === 'private' && loop.listener.passed !== undefined;
    const longest = isShown ? LONGEST_PASS_MS : Number.POSITIVE_INFINITY;
    if (Number.isFinite(at)) lane.timer = setTimeout(() => wake(loop, lane), Math.min(at - now, longest));
    return;
  }
  lane.ticketSince = clock.monotonic();
  void lane.clientLane
    .ticket(() => serve(loop, lane))
    .then((end) => {
      if (end === 'dropped') lane.ticketSince = null;
    });
}

/** A read of public data depends on no decision, and while the private lane waits, its own timer renews them. */
function wake(loop: Running, lane: LaneInUse): void {
  lane.timer = null;
  const renewsElsewhere = loop.lanes.some(({ name, ticketSince }) => name === 'private' && ticketSince === null);
  if (lane.name === 'public' && renewsElsewhere) guarded(loop, () => pump(loop, lane));
  else tell(loop, { kind: 'tick' });
}

/**
 * Ends a pass over the private lane. The timer brings the loop back even while it awaits a ticket, so that a pass never
 * depends on another part's timer.
 */
function endPass(loop: Running, lane: LaneInUse): void {
  if (loop.listener.passed === undefined) return;
  lane.timer ??= setTimeout(() => {
    lane.timer = null;
    guarded(loop, () => pump(loop, lane));
  }, LONGEST_PASS_MS);
  const since = [...loop.underway.values()].flatMap((each) => (each.lane === lane.name ? [each.since] : []));
  const underwaySince = since.length === 0 ? null : Math.min(...since);
  loop.listener.passed({ at: loop.parts.clock.monotonic(), ticketSince: lane.ticketSince, underwaySince });
}

async function serve(loop: Running, lane: LaneInUse): Promise<void> {
  lane.ticketSince = null;
  const chosen = choose(loop, lane.name);
  guarded(loop, () => pump(loop, lane));
  // The chosen request is dropped if the step after it broke everything: nothing leaves after a fatal error.
  if (chosen === null || loop.broken) return;
  loop.underway.set(chosen, { lane: lane.name, since: loop.parts.clock.monotonic() });
  const completed = await perform(loop, chosen);
  loop.underway.delete(chosen);
  if (completed === null) return;
  guarded(loop, () => loop.listener.completed(chosen, completed));
  const { facts, known } = learn(loop, lane, completed);
  // Even if the answer told no time: the known offset grows old.
  const learned = { clock: clockToTell(loop, known), lane: lane.name, requestsPerSecond: paceOf(lane) };
  tell(loop, { kind: 'completed', chosen, completed: { ...completed, facts } as Completed, learned });
  if (loop.state.phase === 'stopped') end(loop);
}

/** The venue never throws for network failures: whatever it throws is a bug. */
async function perform(loop: Running, chosen: Chosen): Promise<Completed | null> {
  try {
    return await loop.parts.venue.perform(chosen.request);
  } catch (error) {
    fail(loop, error);
    return null;
  }
}

function choose(loop: Running, lane: LoopLane): Chosen | null {
  let chosen: Chosen | null = null;
  guarded(loop, () => {
    if (lane === 'private') checkLatch(loop);
    lookAtOwnClock(loop);
    const now = loop.parts.clock.now();
    // A read of public data depends on no decision.
    if (lane === 'private') catchUp(loop.state, now);
    const choice = next(loop.state, lane, now);
    if (choice.kind === 'wait') return;
    const committed = commit(loop.state, choice.candidate, now);
    take(loop, committed.effects);
    chosen = committed.chosen;
  });
  return chosen;
}

function checkLatch(loop: Running): void {
  const reason = loop.state.holds.latched === null ? loop.parts.killLatch.reason() : null;
  if (reason !== null) tell(loop, { kind: 'latched', reason });
}

/**
 * Returns the estimate of the exchange's clock after the answer, and the facts with the waits that the answer names,
 * measured by it.
 */
function learn(
  loop: Running,
  lane: LaneInUse,
  completed: Completed,
): { facts: AnswerFacts; known: ClockEstimate | null } {
  const before = knownClock(loop);
  updateClock(loop, learnedFrom(loop.serverClock, completed, loop.parts.clock));
  const known = knownClock(loop);
  const facts = withKnownReset(completed.facts, before, known);
  const throttled = isThrottled(facts.status);
  lane.clientLane.learn(facts, throttled);
  tellThrottling(loop, lane, throttled ? (facts.status ?? null) : null);
  return { facts, known };
}

const paceOf = ({ clientLane }: LaneInUse): number => 1_000 / clientLane.figures().intervalMs;

function tellThrottling({ parts, listener }: Running, lane: LaneInUse, throttledBy: number | null): void {
  const { name, clientLane, usualMs } = lane;
  const { intervalMs } = clientLane.figures();
  const pausedUntil = clientLane.pausedUntil();
  const seen = { lane: name, throttledBy, intervalMs, usualMs, pausedUntil, now: parts.clock.now() };
  const { after, notice } = afterAnswer(lane.throttling, seen);
  lane.throttling = after;
  if (notice !== null) listener.notice(notice);
}

function knownClock({ serverClock, parts: { clock } }: Running): ClockEstimate | null {
  return estimate(serverClock, { now: clock.now(), mono: clock.monotonic() });
}

function clockToTell(loop: Running, known: ClockEstimate | null): KnownClock | null {
  if (known === null) return null;
  const { offsetMs, uncertaintyMs, confirmed } = known;
  loop.clockToldAt = loop.parts.clock.monotonic();
  return { offsetMs, uncertaintyMs, confirmed };
}

/**
 * Runs before anything is stamped: the trader uses our wall clock, which may have been set; and without answers for a
 * while, as on a paused lane, the two clocks have drifted apart.
 */
function lookAtOwnClock(loop: Running): void {
  const { clock } = loop.parts;
  const looked = observeOwnClock(loop.serverClock, { now: clock.now(), mono: clock.monotonic() });
  updateClock(loop, looked);
  if (looked.news === null && clock.monotonic() - loop.clockToldAt <= CLOCK_OLD_MS) return;
  const known = clockToTell(loop, knownClock(loop));
  if (known !== null) tell(loop, { kind: 'clock', ...known });
}

function updateClock(loop: Running, { state: learned, news }: ObservedClock): void {
  loop.serverClock = learned;
  if (news !== null) loop.listener.notice(CLOCK_NEWS[news]);
}
