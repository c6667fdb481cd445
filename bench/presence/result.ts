// What one run came to: plain data, to be sent between processes and kept.
import type { Shares } from './presence.ts';
import type { Worst } from './worst-case.ts';

export interface RunResult {
  readonly condition: string;
  readonly seed: number;
  /** By what is counted. */
  readonly shares: Readonly<Record<string, Shares>>;
  /** Null where the run is only watched for presence. */
  readonly trading: Trading | null;
  /** Limits that were passed, by the exchange's own books. */
  readonly breaches: readonly string[];
  /** Equal for equal runs. */
  readonly hash: string;
  /** What the bot itself counted, by what is counted. */
  readonly own: Readonly<Record<string, OwnFigures>>;
}

export interface OwnFigures {
  /** Ratio of the time that was two-sided and fresh, mean over symbols. */
  readonly fresh: number | null;
  /** Seconds that were not, by reason, all symbols together; `down` where there was no bot. */
  readonly lostSeconds: Readonly<Record<string, number>>;
}

export interface Trading {
  /**
   * In quote: what is held at the end against what holding on from the start of the count would be worth, withheld tax
   * given back.
   */
  readonly profitPerHour: number;
  /** The same without both: what all that is held is worth more. */
  readonly equityPerHour: number;
  readonly fillsPerHour: number;
  readonly createsPerHour: number;
  readonly requestsPerCreate: number;
  readonly throttled: number;
  /** Mean over fills in basis points; null without a fill. */
  readonly markout5: number | null;
  readonly markout30: number | null;
  /** Seconds from a cancel's acknowledgment to the next order in its place; null where there was none. */
  readonly gapMedian: number | null;
  readonly gapP90: number | null;
  readonly worst: Worst;
  /** Symbols that were halted at the end. */
  readonly halts: number;
}
