// Signs of life: what a process leaves in the state folder to show that it does its work, and how another names that
// process.
import type { DurationMs, EpochMs } from '../domain/time.ts';

/**
 * A process that no other can be taken for: numbers are used again, times of birth within one boot of the machine are
 * not.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** From the system, for comparison only; null where it is not available. */
  readonly startedAt: string | null;
  /** Which start of the machine; null where the system does not tell. */
  readonly bootId: string | null;
}

/** Whether the exchange answers the bot, in the bot's view. Times by its clock. */
export interface LeaseContact {
  /** When the last answer came that was used; null before the first. */
  readonly usedAt: EpochMs | null;
  /** Since when nothing comes; null while the exchange answers. */
  readonly silentSince: EpochMs | null;
  /** The result of the last request, one sentence. */
  readonly because: string | null;
}

/** How fast the bot may ask with its key, as it has learned. */
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
  /** Renewals by this process; 0 is the word of a bot that has only begun. */
  readonly cycles: number;
  /** When it was written, by the writer's clock: for people. A reader that judges it uses its own clock. */
  readonly at: EpochMs;
  readonly process: ProcessIdentity;
  /** The bot ended by itself, every order proved gone: nothing has to be watched any more. */
  readonly ended: boolean;
  /** Absent where the writer has none. */
  readonly contact?: LeaseContact | undefined;
  readonly pace?: LeasePace | undefined;
  /** Why the bot does not renew it although it could write, one sentence; absent while it does. */
  readonly withheld?: string | undefined;
}

/** Whether a process is there: `unknown` where the system does not tell. */
export type ProcessState = 'running' | 'gone' | 'unknown';

// The durable word "no new orders", which outlives every process. Checked before every private request.

export interface KillLatch {
  /** Why it is set, or `null` when it is not. A latch that can't be read counts as set. */
  reason(): string | null;
  /** Durable when it returns. An earlier reason stays. */
  set(reason: string): void;
}
