// Silence (order-truth §8, L2, and L1 for a bot that is down): in calm both lanes are used, the data behind orders is
// read, and the bot runs.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { LONGEST_DOWN_MS } from '../machine/restarts.ts';
import { type CheckContext, type Checker, isPrivate, type Outgoing } from './context.ts';
import { createLaneHealth, type LaneHealth, SLOW_START_MS, TOO_MANY_REQUESTS } from './lane-health.ts';

const LANE_SLACK_MS: DurationMs = 10 * SECOND;
/** While the exchange is unavailable to signed requests, books are of little use and are read only this often. */
const BOOKS_RESTING_MS: DurationMs = 30 * SECOND;

/**
 * Requests sharing the private lane (lists, trades, wallet, cancels) that may come before the next read of own orders.
 */
const REQUESTS_BETWEEN = 8;

/** Each refusal for the rate halves a lane's rate, down to this share. */
const SLOWEST = 1 / 16;

type LaneName = 'private' | 'public';
const WHOLE_RATE = { private: 1, public: 1 };

/** A read that the bot repeats, halted or not. */
interface Question {
  /** For a lane: any request on it. */
  readonly name: string;
  readonly lane: LaneName;
  readonly withinMs: DurationMs;
}

interface Silence {
  readonly lanes: Readonly<Record<LaneName, LaneHealth>>;
  /** By name of a read: when it was last requested, or the session began. Empty while the bot is down. */
  readonly askedAt: Map<string, EpochMs>;
  /** When each lane was last seen to be held back. */
  readonly heldAt: Record<LaneName, EpochMs>;
  /**
   * When the exchange refused for the rate, by lane: even in calm it does, if two requests arrive closer together than
   * they left.
   */
  readonly refusedAt: Record<LaneName, EpochMs[]>;
  downSince: EpochMs | null;
}

export function silenceChecks(): Checker {
  const silence: Silence = {
    lanes: { private: createLaneHealth('private'), public: createLaneHealth('public') },
    askedAt: new Map(),
    heldAt: { private: 0, public: 0 },
    refusedAt: { private: [], public: [] },
    downSince: null,
  };
  return {
    answered(context, message) {
      for (const health of Object.values(silence.lanes)) health.answered(context, message);
      if (message.status === TOO_MANY_REQUESTS)
        silence.refusedAt[isPrivate(message) ? 'private' : 'public'].push(context.now());
    },
    sent(context, message) {
      judge(silence, context);
      for (const name of askedBy(context, message)) silence.askedAt.set(name, context.now());
    },
    recorded(context, told) {
      for (const health of Object.values(silence.lanes)) health.recorded(context, told);
      if (told.type !== 'session-started') return;
      for (const { name } of questionsOf(context, WHOLE_RATE)) silence.askedAt.set(name, context.now());
    },
    sampled(context) {
      if (!context.isUp()) return down(silence, context);
      silence.downSince = null;
      judge(silence, context);
    },
    crashed(context) {
      silence.downSince ??= context.now();
      silence.askedAt.clear();
    },
  };
}

/**
 * By how much a lane's use may fall below its full rate. A lane slowed by faults recovers through answers, which takes
 * minutes at the slowest pace.
 */
function slowedBy(silence: Silence, lane: LaneName, now: EpochMs): number {
  if (silence.lanes[lane].fastSince() > now) return 1 / SLOWEST;
  silence.refusedAt[lane] = silence.refusedAt[lane].filter((at) => now - at < SLOW_START_MS);
  return Math.min(2 ** silence.refusedAt[lane].length, 1 / SLOWEST);
}

/**
 * L2: only the exchange's own refusals stop the bot from reading; a bot stopped by the kill latch reads nothing more.
 */
function judge(silence: Silence, context: CheckContext): void {
  const isLatched = context.latchedSince() !== null && context.journal.ended !== null;
  if (context.phase() !== 'calm' || !context.isUp() || isLatched) return;
  const now = context.now();
  for (const lane of ['private', 'public'] as const)
    if (silence.lanes[lane].isHeldBack(context)) silence.heldAt[lane] = now;
  const slowed = { private: slowedBy(silence, 'private', now), public: slowedBy(silence, 'public', now) };
  for (const { name, lane, withinMs } of questionsOf(context, slowed)) {
    const ready = Math.max(context.calmSince(), silence.heldAt[lane]) + SLOW_START_MS;
    const silentMs = now - Math.max(ready, silence.askedAt.get(name) ?? now);
    const rests = lane === 'public' && now - silence.heldAt.private < SLOW_START_MS;
    const restingMs = rests ? BOOKS_RESTING_MS + LANE_SLACK_MS : 0;
    const sentence = `Nothing was asked of ${name} for ${(silentMs / SECOND).toFixed(0)} s.`;
    if (silentMs > Math.max(withinMs, restingMs)) context.violated('L2', sentence);
  }
}

/**
 * L1: in calm a bot is down only for a journal that is ahead, the time of a start, and a person's repair between two.
 */
function down(silence: Silence, context: CheckContext): void {
  silence.downSince ??= context.now();
  const downMs =
    context.now() - Math.max(silence.downSince, context.calmSince(), context.aheadUntil(), context.keptDownUntil());
  if (context.phase() === 'calm' && downMs > LONGEST_DOWN_MS)
    context.violated('L1', `The bot has been down for ${(downMs / SECOND).toFixed(0)} s.`);
}

const laneOf = (lane: LaneName): string => `the ${lane} lane`;
const bookOf = (symbol: string): string => `the book of ${symbol}`;
const ordersOf = (symbol: string): string => `the own orders of ${symbol}`;

/**
 * A lane is as quiet as its most frequent read allows, at its reduced rate; the bot itself considers reads older than
 * their limits worthless.
 */
function questionsOf({ settings }: CheckContext, slowed: Readonly<Record<LaneName, number>>): Question[] {
  const { polling, ageLimits, runs, requestsPerSecond } = settings;
  const turnMs = (REQUESTS_BETWEEN * slowed.private * SECOND) / requestsPerSecond.private;
  const ordersWithinMs = Math.max(ageLimits.openOrdersMs + MINUTE, turnMs);
  return [
    { name: laneOf('private'), lane: 'private', withinMs: polling.openOrdersMs * slowed.private + LANE_SLACK_MS },
    { name: laneOf('public'), lane: 'public', withinMs: polling.bookMs * slowed.public + LANE_SLACK_MS },
    ...runs.flatMap(({ instrument: { symbol } }): Question[] => [
      { name: bookOf(symbol), lane: 'public', withinMs: ageLimits.bookMs + MINUTE },
      { name: ordersOf(symbol), lane: 'private', withinMs: ordersWithinMs },
    ]),
  ];
}

function askedBy({ settings }: CheckContext, message: Outgoing): string[] {
  const { endpoint, query } = message;
  const symbol = query.get('symbol');
  const symbols = symbol === null ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
  const lane = laneOf(isPrivate(message) ? 'private' : 'public');
  if (endpoint === 'order-book') return [lane, ...symbols.map(bookOf)];
  return endpoint === 'open-orders' ? [lane, ...symbols.map(ordersOf)] : [lane];
}
