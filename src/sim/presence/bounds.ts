// How much of the calm both sides, and each level of them, must be quoted near the price, and by how much the bot's
// own account of it may be wrong: beside what was measured (docs/reliability.md), with room for seeds that nobody has
// played.
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { TraderSettings } from '../../trader/settings.ts';
import type { ProfileName } from '../profile/profile.ts';

export interface LeastPresence {
  /** As the counters name it. */
  readonly name: string;
  /** Of both sides at once. */
  readonly ratio: number;
  /** Of each level of a side by itself. */
  readonly levelRatio: number;
}

/** Lists that may trail by more than that are waited for. */
const LONG_LAG_MS = 5 * SECOND;
type Conditions = `${'slow' | 'fast'}, ${'short' | 'long'} lag`;

/**
 * By profile, pace and lag bound. A tight market outruns one request in 2.5 s for two symbols, whatever it is spent on.
 * Where trades trail by nearly a minute, a filled level waits as long until its fill is counted, and fills that follow
 * each other keep wallet and ledger from being equal (37 % in seed 6828). On a slow lane with two minutes of lag a side
 * was away for 96 s of the five minutes that counted (58 % in seed 10268).
 */
const LEAST: Readonly<Record<ProfileName, Readonly<Record<Conditions, number>>>> = {
  default: { 'slow, short lag': 0.7, 'slow, long lag': 0.5, 'fast, short lag': 0.8, 'fast, long lag': 0.3 },
  tight: { 'slow, short lag': 0.1, 'slow, long lag': 0.1, 'fast, short lag': 0.6, 'fast, long lag': 0.4 },
  fractional: { 'slow, short lag': 0.7, 'slow, long lag': 0.6, 'fast, short lag': 0.8, 'fast, long lag': 0.3 },
};

/**
 * Of each level by itself. Where lists may trail by two minutes one fill keeps its level for as long (33 % in seed 11
 * under F10 and F57). On a slow lane in a tight market empty sides and orders that have come too near take every turn
 * for minutes: outer levels stood for nothing of the time in some seeds, and are not asked for. At two requests a
 * second one stood for 40 % there (seed 44): orders that leave took the places. In the fractional profile
 * fills are many for a slow lane: a level stood for 65 % of the time in one of 60 seeds, and for 44 % under other charges.
 */
const LEAST_OF_LEVELS: typeof LEAST = {
  default: { 'slow, short lag': 0.7, 'slow, long lag': 0.15, 'fast, short lag': 0.8, 'fast, long lag': 0.25 },
  tight: { 'slow, short lag': 0, 'slow, long lag': 0, 'fast, short lag': 0.25, 'fast, long lag': 0.25 },
  fractional: { 'slow, short lag': 0.3, 'slow, long lag': 0.1, 'fast, short lag': 0.7, 'fast, long lag': 0.25 },
};

/** Null where nothing is asked: a bot that looks by the minute (`sparse`) was not measured. */
export function leastPresence(settings: TraderSettings, profile: ProfileName): LeastPresence | null {
  const { requestsPerSecond, assumptions, polling } = settings;
  if (polling.bookMs >= MINUTE) return null;
  const pace = requestsPerSecond.private < 1 ? 'slow' : 'fast';
  const lag = assumptions.readLagBoundMs > LONG_LAG_MS ? 'long' : 'short';
  const conditions: Conditions = `${pace}, ${lag} lag`;
  return {
    name: `${profile}, ${conditions}`,
    ratio: LEAST[profile][conditions],
    levelRatio: LEAST_OF_LEVELS[profile][conditions],
  };
}

/**
 * By how much of the counted time the bot's account may call fresh what did not rest, and lost what rested near. What
 * fills is seen a book later: in a tight market with fills each half a minute, and a book every five seconds, 5 %
 * (seed 2). Too little is said where a book is late on a slow lane: 6 % (seed 5496).
 */
export const ACCOUNT_MAY_BE_OFF: Readonly<Record<ProfileName, Readonly<Record<'overRatio' | 'underRatio', number>>>> = {
  default: { overRatio: 0.02, underRatio: 0.08 },
  tight: { overRatio: 0.12, underRatio: 0.08 },
  fractional: { overRatio: 0.02, underRatio: 0.08 },
};
