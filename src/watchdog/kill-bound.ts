// How long it takes at most from the bot's last sign of life until none of its orders is open, and until that is proved
// (order-truth §5).
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { SweepSettings } from './sweep-state.ts';
import type { WatchSettings } from './watch-state.ts';

interface KillBoundInput extends Pick<WatchSettings, 'ttlMs' | 'lookEveryMs' | 'termGraceMs' | 'horizonMs'> {
  readonly sweep: Pick<SweepSettings, 'whose' | 'symbols' | 'intervalMs' | 'readLagBoundMs'>;
  /** Most orders that the bot may have open, over all symbols. */
  readonly mostOrders: number;
  /** Longest time until an answer. */
  readonly deadlineMs: DurationMs;
  /** Longest time until a latch is set that other hosts see, too. */
  readonly latchMs: DurationMs;
}

export interface KillBound {
  /** The expiry of the lease is noticed. */
  readonly detectedMs: DurationMs;
  /** The bot is gone. */
  readonly endedMs: DurationMs;
  /** Every order that had a name is canceled; where the account is the bot's alone, every order. */
  readonly clearedMs: DurationMs;
  /** Two complete lists have shown it; orders without a name were found in time. */
  readonly provedMs: DurationMs;
}

/** From SIGKILL until the system has removed the process and released its files and locks. */
export const KILL_SETTLES_MS: DurationMs = 3_000;
/** Slack for timers, the disk, and answers that take longer than the pace. */
const SLACK_MS: DurationMs = 3_000;

/**
 * All measured from the last renewal of the lease. Assumes that answers come at the lane's pace: throttling or
 * maintenance by the exchange is not included, as it has no bound.
 */
export function killBound(input: KillBoundInput): KillBound {
  const { whose, symbols, intervalMs, readLagBoundMs } = input.sweep;
  const paced = (requests: number): DurationMs => requests * intervalMs;
  const cancels = whose === 'account' ? 1 : input.mostOrders;
  // The last renewal is seen at one look, and its age passes the limit before another.
  const detectedMs = input.ttlMs + 2 * input.lookEveryMs;
  const endedMs = detectedMs + input.latchMs + input.termGraceMs + KILL_SETTLES_MS;
  // The first pass and a look at the list; the second pass not before the last create's horizon.
  // With the bot's key it begins one interval after the bot's end.
  const second = endedMs + Math.max(paced(cancels + 2), input.horizonMs);
  const clearedMs = second + paced(cancels) + input.deadlineMs + SLACK_MS;
  // An order without a name shows in a list only after this lag, and lists must lack it for as long again; once shown
  // it takes one cancel and the lists again.
  const hidden = whose === 'own' ? 2 * readLagBoundMs : 0;
  // Where a list of all may be cut, those of the symbols are read one by one.
  const lists = 2 * (1 + (symbols.length > 1 ? symbols.length : 0));
  const provedMs = clearedMs + hidden + paced(lists + cancels);
  return {
    detectedMs: Math.ceil(detectedMs),
    endedMs: Math.ceil(endedMs),
    clearedMs: Math.ceil(clearedMs),
    provedMs: Math.ceil(provedMs),
  };
}

// When no create of a bot can be newly accepted any more, for a prover without the bot.

/** A nearer horizon is waited for in full: the clocks of two processes may differ by a step of the machine's. */
const CLOCK_STEP_MS: DurationMs = 60_000;

interface LastCreate {
  /** The latest horizon in the file of own orders, or not yet in it. */
  readonly horizon: EpochMs;
  /** The file is whole, and its bot is gone. */
  readonly isKnown: boolean;
  /** W + ε + Lm. */
  readonly horizonMs: DurationMs;
}

/** By the monotonic clock. */
export function noCreateFrom({ horizon, isKnown, horizonMs }: LastCreate, clock: Clock): DurationMs {
  const isOver = isKnown && clock.now() > horizon + CLOCK_STEP_MS;
  return clock.monotonic() + (isOver ? 0 : horizonMs);
}
