// Lets the others in the market act until now, on their own clock.
import type { EpochMs } from '../domain/time.ts';
import { reader } from '../matching/engine.ts';
import { crowdTime, venueTime } from './crowd-clock.ts';
import { execute } from './execute.ts';
import type { CrowdSeat, ExchangeState } from './state.ts';

/** Longest stretch of the venue's time in which nobody called that the crowd still catches up with. */
export const CATCH_UP_MAX_MS = 60_000;
/** Most steps of the crowd in one call. */
const STEPS_MAX = 5_000;

/**
 * Steps the crowd until its clock shows what `now` means to it, each step at the moment it was due. After a longer
 * stretch without a call (the machine slept), and where the steps of one call are not enough (the factor is too high for
 * this machine), the crowd's clock goes on from where the crowd is: it loses time, it never runs after it.
 */
export function advance(state: ExchangeState, now: EpochMs): ExchangeState {
  const { speedFactor } = state.settings;
  if (now - state.lastAt > CATCH_UP_MAX_MS) {
    state.crowdClock = { venueAt: now, crowdAt: crowdTime(state.crowdClock, speedFactor, state.lastAt) };
  }
  const until = crowdTime(state.crowdClock, speedFactor, now);
  for (let steps = 0; ; steps += 1) {
    const due = earliest(state.seats);
    if (due === null || due.at > until) break;
    if (steps === STEPS_MAX) {
      state.crowdClock = { venueAt: Math.max(now, state.crowdClock.venueAt), crowdAt: due.at };
      break;
    }
    stepCrowd(state, due);
  }
  state.lastAt = Math.max(state.lastAt, now);
  return state;
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

function stepCrowd(state: ExchangeState, { seat, at }: Due): void {
  const step = seat.crowd.step(seat.state, reader(state.engine), at);
  seat.state = step.state;
  state.revision += 1;
  const venueAt = venueTime(state.crowdClock, state.settings.speedFactor, at);
  for (const command of step.commands) execute(state, command, venueAt);
}
