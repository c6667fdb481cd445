// Conditions that last for a stretch of time: outages, maintenance, frozen markets, stale or shifted books, tighter
// limits.
import { exponential, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, HOUR } from '../../src/domain/time.ts';
import { control } from '../../src/paper/exchange.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import { lateLists } from '../outside/late-lists.ts';
import { tradedOf } from '../plan/configuration.ts';
import { between, type Plan } from '../plan/plan.ts';
import { SIM_FAULTS } from './catalogue.ts';
import { type FaultId, isConstant, type TimedFault } from './fault-kinds.ts';

export interface Stretch {
  readonly id: FaultId;
  readonly fault: TimedFault;
  /** From the start of the run. */
  readonly from: DurationMs;
  readonly until: DurationMs;
}

/** When a fault was last active, from the start of the run: now, or when it last ended; null if it is momentary. */
export function lastOn(plan: Plan, id: FaultId, now: DurationMs): DurationMs | null {
  const injection = SIM_FAULTS.find((fault) => fault.id === id)?.injection;
  if (injection === undefined) return null;
  if (isConstant(injection)) return now;
  const closed = stretches(plan)
    .filter((stretch) => stretch.id === id && stretch.from <= now)
    .map(({ until }) => Math.min(until, now));
  return closed.length === 0 ? null : Math.max(...closed);
}

/** Shortest stretch as a share of the longest. */
const SHORTEST_RATIO = 1 / 40;
/** Nothing happens before the bot has opened its ledger. */
export const QUIET_START_MS: DurationMs = 90_000;

/** Moments of a fault with this hourly rate, in the chaotic part of the run: a Poisson process. */
export function arrivals(stream: RandomStream, perHour: number, plan: Plan): DurationMs[] {
  const moments: DurationMs[] = [];
  const end = plan.calmAfterMs - plan.absentMs;
  let at = QUIET_START_MS;
  for (;;) {
    at += Math.ceil(exponential(stream, HOUR / perHour));
    if (at >= end) break;
    moments.push(at);
  }
  // Every drawn fault happens: a rare one happens once, somewhere.
  const once = QUIET_START_MS + Math.floor(uniform(stream) * (end - QUIET_START_MS));
  const all = moments.length > 0 ? moments : [once];
  return all.map((moment) => (moment < plan.absentAtMs ? moment : moment + plan.absentMs));
}

export function stretches(plan: Plan): Stretch[] {
  return plan.faults.flatMap(({ id, magnitude }) => {
    const injection = SIM_FAULTS.find((fault) => fault.id === id)?.injection;
    if (injection?.via !== 'timed') return [];
    const stream = randomStream(plan.seed, `window.${id}`);
    return arrivals(stream, magnitude, plan).map((from) => {
      const lasts = between([injection.longestMs * SHORTEST_RATIO, injection.longestMs], uniform(stream));
      return { id, fault: injection.fault, from, until: Math.min(plan.calmAfterMs, Math.ceil(from + lasts)) };
    });
  });
}

/** Applies the active faults to the exchange; those of the transport are not here. */
export function applyTimedFaults(state: ExchangeState, plan: Plan, active: ReadonlySet<TimedFault>): void {
  const windows = state.settings.rateLimits;
  const half = windows.private.map(({ requests, perMs }) => ({
    requests: Math.max(1, Math.floor(requests / 2)),
    perMs: requests > 1 ? perMs : 2 * perMs,
  }));
  const symbols = tradedOf(plan).map(({ symbol }) => symbol);
  const which = Math.floor(uniform(randomStream(plan.seed, 'window.symbol')) * symbols.length);
  control(state, {
    maintenance: active.has('maintenance') || active.has('purge'),
    frozenSymbols: active.has('frozen-symbol') ? symbols.slice(which, which + 1) : [],
    ...lateLists(state, plan, active),
    rateLimits: active.has('half-limit') ? { ...windows, private: half } : windows,
  });
}
