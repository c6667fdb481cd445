// Signs of life: files in the state folder by which a process shows that it works, and the identity of that process.
import type { DurationMs, EpochMs } from '../domain/time.ts';

/** Identifies a process uniquely: pids are reused, start times within one boot are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** From the system, for comparison only; null where it is not available. */
  readonly startedAt: string | null;
  /** Identifies the machine's boot; null if the system does not provide it. */
  readonly bootId: string | null;
}

/** Whether the exchange answers the bot, in the bot's view. Times by its clock. */
export interface LeaseContact {
  /** When the last usable answer came; null before the first. */
  readonly usedAt: EpochMs | null;
  /** Since when there have been no answers; null while the exchange answers. */
  readonly silentSince: EpochMs | null;
  /** The result of the last request, one sentence. */
  readonly because: string | null;
}

/** The bot's learned pace for its key. */
export interface LeasePace {
  readonly intervalMs: DurationMs;
  /** Until when the exchange wants no requests; null without a pause. */
  readonly pausedUntil: EpochMs | null;
}

/**
 * The bot's sign of progress: its loop could decide, its decisions are written down, and all its waits have an end. It
 * does not depend on whether the exchange answers.
 */
export interface Lease {
  /** Rises with every renewal of one process. */
  readonly seq: number;
  /** Renewals by this process; 0 for a bot that has just started. */
  readonly cycles: number;
  /** When it was written, by the writer's clock: for people. A reader that judges it uses its own clock. */
  readonly at: EpochMs;
  readonly process: ProcessIdentity;
  /** The bot ended by itself, every order proved gone: nothing is left to watch. */
  readonly ended: boolean;
  /** Absent if the writer has none. */
  readonly contact?: LeaseContact | undefined;
  readonly pace?: LeasePace | undefined;
  /** Why the bot does not renew it although it could write, one sentence; absent while it does. */
  readonly withheld?: string | undefined;
}

/** Whether a process exists: `unknown` if the system can't say. */
export type ProcessState = 'running' | 'gone' | 'unknown';

// The durable command "no new orders", which survives every process. Checked before every private request.

export interface KillLatch {
  /** Why it is set, or `null` when it is not. A latch that can't be read counts as set. */
  reason(): string | null;
  /** Durable when it returns. An earlier reason stays. */
  set(reason: string): void;
}
