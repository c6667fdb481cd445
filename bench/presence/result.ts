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
  /** Seconds without a quote by the state of the side, as the trader says it. */
  readonly lostSeconds: Readonly<Record<string, number>> | null;
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
