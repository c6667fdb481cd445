// The least share of calm in which both sides, and each level of them, must be quoted near the price: based on
// measurements (docs/testing.md), with room for seeds not yet played.
import { MINUTE, SECOND } from '../../src/domain/time.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import { hasStandingOrders } from '../outside/standing-orders.ts';
import type { Plan } from '../plan/plan.ts';
import type { ProfileName } from '../profile/profile.ts';
import { isKnown } from './quoted.ts';

export interface LeastPresence {
  /** By the counters' name. */
  readonly name: string;
  /** Both sides at once. */
  readonly ratio: number;
  /** Each level of a side by itself. */
  readonly levelRatio: number;
}

/** A profile; for the strategies' profile each strategy separately. */
type Kind = Exclude<ProfileName, 'strategies' | 'losses'> | 'fixed-spread' | 'join-best';

function kindOf(profile: Exclude<ProfileName, 'losses'>, { strategy }: RunSettings): Kind {
  if (profile !== 'strategies') return profile;
  return strategy.name === 'join-best' ? 'join-best' : 'fixed-spread';
}

/** Longer list lags must be waited for. */
const LONG_LAG_MS = 5 * SECOND;
type Conditions = `${'slow' | 'fast'}, ${'short' | 'long'} lag`;

/**
 * By profile, pace and lag bound. A tight market outruns one request in 2.5 s for two symbols, whatever it is spent on.
 * Where trades trail by nearly a minute, a filled level waits that long until its fill is counted, and successive fills
 * keep wallet and ledger unequal (37 % in seed 6828). On a slow lane with two minutes of lag a side was away for 96 s
 * of the five minutes that counted (58 % in seed 10268); on a fast one of the tight profile both sides were present for
 * 40 % where they waited behind orders with a pending cancel (seed 13055), and for 26 % of six minutes at two requests
 * a second (seed 24202); with short lags for 58 %, waiting for the same (seed 27001). Where a page holds 23 rows the
 * scan of late trades takes many pages, and with two minutes of lag a side was present for 47 % (seed 14066,
 * fractional). In the busy profile an engine that takes 2.7 s for each request, with 20 s of lag, had both sides for 38
 * % (seed 10002).
 */
const LEAST: Readonly<Record<Kind, Readonly<Record<Conditions, number>>>> = {
  default: { 'slow, short lag': 0.7, 'slow, long lag': 0.5, 'fast, short lag': 0.8, 'fast, long lag': 0.3 },
  tight: { 'slow, short lag': 0.1, 'slow, long lag': 0.1, 'fast, short lag': 0.5, 'fast, long lag': 0.2 },
  fractional: { 'slow, short lag': 0.7, 'slow, long lag': 0.4, 'fast, short lag': 0.8, 'fast, long lag': 0.3 },
  busy: { 'slow, short lag': 0, 'slow, long lag': 0, 'fast, short lag': 0.5, 'fast, long lag': 0.3 },
  'fixed-spread': { 'slow, short lag': 0.6, 'slow, long lag': 0.3, 'fast, short lag': 0.5, 'fast, long lag': 0.4 },
  'join-best': { 'slow, short lag': 0.6, 'slow, long lag': 0.5, 'fast, short lag': 0.7, 'fast, long lag': 0.6 },
};

/**
 * Each level by itself. Where lists may trail by two minutes one fill keeps its level for as long (33 % in seed 11
 * under F10 and F57). On a slow lane in a tight market empty sides and orders that have come too near take every turn
 * for minutes: outer levels were never present in some seeds, and are not required. At two requests a second one was
 * present for 40 % there (seed 44): orders with a pending cancel took the places. In the fractional profile fills are
 * many for a slow lane: a level was present for 65 % of the time in one of 60 seeds, and for 44 % under other charges.
 * In the default one it was present for 53 % of the four minutes that counted (seed 26284).
 */
const LEAST_OF_LEVELS: typeof LEAST = {
  default: { 'slow, short lag': 0.5, 'slow, long lag': 0.1, 'fast, short lag': 0.8, 'fast, long lag': 0.25 },
  tight: { 'slow, short lag': 0, 'slow, long lag': 0, 'fast, short lag': 0.25, 'fast, long lag': 0.25 },
  fractional: { 'slow, short lag': 0.3, 'slow, long lag': 0.1, 'fast, short lag': 0.7, 'fast, long lag': 0.25 },
  busy: { 'slow, short lag': 0, 'slow, long lag': 0, 'fast, short lag': 0.3, 'fast, long lag': 0.25 },
  'fixed-spread': { 'slow, short lag': 0.4, 'slow, long lag': 0, 'fast, short lag': 0.4, 'fast, long lag': 0.3 },
  'join-best': { 'slow, short lag': 0.6, 'slow, long lag': 0.5, 'fast, short lag': 0.7, 'fast, long lag': 0.6 },
};

/**
 * Null without a requirement. With narrow loss limits markets halt. A bot that reads by the minute (`sparse`) was not
 * measured. A skew of sizes may intentionally leave a side empty. Where the owner's orders fill a page of open orders
 * to its capacity, a list of exactly that many rows proves nothing as long as they rest (Q4).
 */
export function leastPresence(settings: TraderSettings, run: RunSettings, plan: Plan): LeastPresence | null {
  const { requestsPerSecond, assumptions, polling } = settings;
  if (polling.bookMs >= MINUTE || run.quoting.inventorySkew !== undefined || hasStandingOrders(plan)) return null;
  // A model's distances, and when it stops a side, are its own.
  const { profile } = plan;
  if (!isKnown(run) || profile === 'losses') return null;
  const pace = requestsPerSecond.private < 1 ? 'slow' : 'fast';
  const lag = assumptions.readLagBoundMs > LONG_LAG_MS ? 'long' : 'short';
  const conditions: Conditions = `${pace}, ${lag} lag`;
  const kind = kindOf(profile, run);
  return {
    name: `${kind === profile ? '' : `${profile}, `}${kind}, ${conditions}`,
    ratio: LEAST[kind][conditions],
    levelRatio: LEAST_OF_LEVELS[kind][conditions],
  };
}
