// The others in the market, as a pure function of their own clock.
import type { EpochMs } from '../domain/time.ts';
import type { EngineCommand } from '../matching/types.ts';
import type { MarketReader } from '../matching/market-reader.ts';

/** The account under which every order of the crowd stands. It is unlimited. */
export const CROWD_ACCOUNT = 'crowd';

/**
 * One source of orders. The paper exchange calls `step` with the crowd's own time whenever `nextAt` has come, applies
 * the commands to the engine in order, and keeps the returned state (plain data that JSON can carry; the argument must
 * not be used again). `market` shows the engine as it is before the commands.
 */
export interface Crowd<State = unknown> {
  /** The state at the crowd's time `startAt`. */
  start(startAt: EpochMs): State;
  /** When the crowd acts next, on its own clock; `null` when it has nothing more to do (a tape has ended). */
  nextAt(state: State): EpochMs | null;
  step(state: State, market: MarketReader, now: EpochMs): { readonly state: State; readonly commands: readonly EngineCommand[] };
}
