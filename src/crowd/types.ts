// The other traders in the market, as a pure function of their own clock.
import type { EpochMs } from '../domain/time.ts';
import type { EngineCommand, MarketReader } from '../matching/types.ts';

/** The account of every resting order of the crowd. It is unlimited. */
export const CROWD_ACCOUNT = 'crowd';
/**
 * The account of the crowd's takers: a separate one, so that they can trade with its resting orders without
 * self-trades.
 */
export const CROWD_TAKER_ACCOUNT = 'crowd-takers';

/** A crowd's first commands; opening an account twice changes nothing. */
export const OPEN_CROWD_ACCOUNTS: readonly EngineCommand[] = [
  { kind: 'open-account', account: CROWD_ACCOUNT, unlimited: true },
  { kind: 'open-account', account: CROWD_TAKER_ACCOUNT, unlimited: true },
];

/**
 * One source of orders. The paper exchange calls `step` with the crowd's own time whenever `nextAt` has come, applies
 * the commands to the engine in order, and keeps the returned state (plain JSON; the argument must not be used again).
 * `market` shows the engine before the commands. One step is one event, which acts as of its own time even when late:
 * several may be due at once, so the caller steps until `nextAt` lies in the future. The first step opens the crowd's
 * accounts.
 */
export interface Crowd<State = unknown> {
  /** Names the source; a state of another source must not be continued with it. */
  readonly identity?: string;
  /** The state at the crowd's time `startAt`. */
  start(startAt: EpochMs): State;
  /** When the crowd acts next, on its own clock; `null` when it has nothing more to do (a tape has ended). */
  nextAt(state: State): EpochMs | null;
  step(
    state: State,
    market: MarketReader,
    now: EpochMs,
  ): { readonly state: State; readonly commands: readonly EngineCommand[] };
}
