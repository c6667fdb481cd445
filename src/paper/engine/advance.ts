// Advances the exchange to `now`: the crowd acts on its own clock, and requests in flight reach the book.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { EngineCommand } from '../../matching/types.ts';
import { crowdTime, type ExchangeState, venueTime } from '../state/state.ts';
import { execute } from './execute.ts';
import { arriveUntil } from './place-order.ts';

type Crowded = Pick<ExchangeState, 'settings' | 'crowdState'>;

/** Longest stretch without requests, in the venue's time, that the crowd still catches up with. */
export const CATCH_UP_MAX_MS = 60_000;
/** Most steps of the crowd in one call. */
const STEPS_MAX = 5_000;

/**
 * Advances the present to the time `clockNow`; if that was set back, the present runs on from where it was.
 *
 * Steps the crowd until its clock has caught up, each step at the moment it was due, and lets creates and cancels in
 * flight arrive between the steps, each at its own moment; at the same moment they come first. After a longer stretch
 * without a call (the machine slept), or when the steps of one call are not enough, the crowd's clock continues from
 * where the crowd is: it loses time instead of catching up.
 */
export function advance(state: ExchangeState, clockNow: EpochMs): void {
  state.aheadMs = Math.max(state.aheadMs, state.lastAt - clockNow);
  const now = clockNow + state.aheadMs;
  if (now - state.lastAt > CATCH_UP_MAX_MS) {
    state.crowdClock = { venueAt: now, crowdAt: crowdTime(state.crowdClock, state.lastAt) };
  }
  const until = crowdTime(state.crowdClock, now);
  for (let steps = 0; ; steps += 1) {
    const dueAt = crowdDueAt(state);
    if (dueAt === null || dueAt > until) break;
    const venueAt = venueTime(state.crowdClock, dueAt);
    arriveUntil(state, Math.min(now, venueAt));
    if (steps === STEPS_MAX) {
      state.crowdClock = { venueAt: Math.max(now, state.crowdClock.venueAt), crowdAt: dueAt };
      break;
    }
    stepCrowd(state, dueAt, venueAt);
  }
  arriveUntil(state, now);
  state.lastAt = now;
}

/**
 * Lets the crowd trade from the state's present until `now`, so that a new exchange has a day of history. It acts as
 * often as it would in `actingMs`, spread evenly: a full day would take as long to simulate as it has events.
 */
export function lookBack(state: ExchangeState, now: EpochMs, actingMs: DurationMs): void {
  const [from, crowdFrom] = [state.lastAt, state.crowdClock.crowdAt];
  const stretch = (now - from) / actingMs;
  for (let dueAt = crowdDueAt(state); dueAt !== null && dueAt < crowdFrom + actingMs; dueAt = crowdDueAt(state)) {
    const at = Math.floor(from + (dueAt - crowdFrom) * stretch);
    state.lastAt = Math.max(state.lastAt, at);
    stepCrowd(state, dueAt, at);
  }
  state.lastAt = Math.max(state.lastAt, now);
  state.crowdClock = { venueAt: now, crowdAt: crowdFrom + actingMs };
}

/** When the crowd acts next, on its own clock; `null` without a crowd, and after its recording. */
function crowdDueAt({ settings: { crowd }, crowdState }: Crowded): EpochMs | null {
  return crowd?.nextAt(crowdState) ?? null;
}

function stepCrowd(state: ExchangeState, at: EpochMs, venueAt: EpochMs): void {
  const step = state.settings.crowd?.step(state.crowdState, reader(state.engine), at);
  state.crowdState = step?.state;
  state.revision += 1;
  for (const command of step?.commands ?? []) if (!isFrozen(state, command)) execute(state, command, venueAt);
}

/** The crowd's commands in a frozen market are dropped; opening its accounts belongs to no market. */
function isFrozen(state: ExchangeState, command: EngineCommand): boolean {
  const { frozenSymbols } = state.controls;
  if (frozenSymbols.length === 0) return false;
  const symbol = 'symbol' in command ? command.symbol : symbolOfOrder(state, command);
  return symbol !== undefined && frozenSymbols.includes(symbol);
}

function symbolOfOrder({ engine }: ExchangeState, command: EngineCommand): InstrumentSymbol | undefined {
  return 'orderId' in command ? reader(engine).order(command.orderId)?.symbol : undefined;
}

// Whether the market is over: recordings end, a synthetic market does not.

/** Whether only requests can still change anything. */
export function hasEnded(state: Crowded): boolean {
  return state.settings.crowd !== null && crowdDueAt(state) === null;
}
