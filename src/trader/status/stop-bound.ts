// How long a verified stop may take, computed from the configuration: pm2's kill_timeout must be above it (order-truth
// §5).
import type { DurationMs } from '../../domain/time.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { TraderSettings } from '../state/settings.ts';

/** Slack for timers, the disk and a lane that had just sent something. */
const SLACK_MS = 5_000;

export interface StopBoundInput {
  readonly trader: TraderSettings;
  /** The longest that an answer may take. */
  readonly deadlineMs: DurationMs;
  /** Of the private lane, as learned; where it is slower than configured it counts. */
  readonly requestsPerSecond?: number;
}

/**
 * A create in flight is answered or given up (deadline), can no longer be accepted (W + ε + Lm), shows in every list
 * (lag), and so does the cancel of it (lag again); meanwhile every order is canceled and the proof is read, at the
 * lane's pace.
 */
export function stopBoundMs({ trader, deadlineMs, requestsPerSecond = Infinity }: StopBoundInput): DurationMs {
  const { assumptions, runs } = trader;
  const pace = Math.min(requestsPerSecond, trader.requestsPerSecond.private);
  const horizon = assumptions.recvWindowMs + assumptions.maxClockUncertaintyMs + assumptions.venueInternalLagMs;
  const cancels = runs.reduce((sum, run) => sum + run.limits.maxOpenOrders, 0);
  // Two lists, trades, and a list that was on its way; the fence where there is one.
  const perSymbol = policyOf(trader).cancelsBySymbol ? 5 : 4;
  const reads = runs.length * perSymbol + 3;
  const atPace = ((cancels + reads) * 1_000) / pace;
  return Math.ceil(deadlineMs + horizon + 2 * assumptions.readLagBoundMs + atPace + SLACK_MS);
}
