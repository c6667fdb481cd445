// Advances the exchange to `now`: the crowd acts on its own clock, and requests in flight reach the book.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { EngineCommand } from '../../matching/types.ts';
import { type CrowdSeat, crowdTime, type ExchangeState, venueTime } from '../state/state.ts';
import { execute } from './execute.ts';
import { arriveUntil } from './place-order.ts';

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
    const due = earliest(state.seats);
    if (due === null || due.at > until) break;
    arriveUntil(state, Math.min(now, venueTime(state.crowdClock, due.at)));
    if (steps === STEPS_MAX) {
      state.crowdClock = { venueAt: Math.max(now, state.crowdClock.venueAt), crowdAt: due.at };
      break;
    }
    stepCrowd(state, due, venueTime(state.crowdClock, due.at));
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
  for (let due = earliest(state.seats); due !== null && due.at < crowdFrom + actingMs; due = earliest(state.seats)) {
    const at = Math.floor(from + (due.at - crowdFrom) * stretch);
    state.lastAt = Math.max(state.lastAt, at);
    stepCrowd(state, due, at);
  }
  state.lastAt = Math.max(state.lastAt, now);
  state.crowdClock = { venueAt: now, crowdAt: crowdFrom + actingMs };
}

interface Due {
  readonly seat: CrowdSeat;
  readonly at: EpochMs;
}

function earliest(seats: readonly CrowdSeat[]): Due | null {
  let due: Due | null = null;
  for (const seat of seats) {
    const at = seat.crowd.nextAt(seat.state);
    if (at !== null && (due === null || at < due.at)) due = { seat, at };
  }
  return due;
}

function stepCrowd(state: ExchangeState, { seat, at }: Due, venueAt: EpochMs): void {
  const step = seat.crowd.step(seat.state, reader(state.engine), at);
  seat.state = step.state;
  state.revision += 1;
  for (const command of step.commands) if (!isFrozen(state, command)) execute(state, command, venueAt);
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
export function hasEnded({ seats }: Pick<ExchangeState, 'seats'>): boolean {
  return seats.length > 0 && seats.every(({ crowd, state }) => crowd.nextAt(state) === null);
}
