// What limits that look back need to remember: messages, fills on one side, profit at its marks. Part of the fold of
// the journal.
import type { Decimal } from '../../../domain/decimal.ts';
import type { Side } from '../../../domain/order.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';
import type { TaxTreatment } from '../../../ledger/pnl.ts';
import { noProtectionMemory, type ProtectionMemory } from './protections.ts';
import type { Counted } from './windows.ts';

/** Creates and cancels, over all symbols. Moments are by our clock. */
export interface MessageLog {
  /** Of the last minute, oldest first. */
  recent: readonly Counted[];
  /** Number of the UTC day (days since 1970) that `today` counts in. */
  day: number;
  today: number;
  /** Minutes in a row in which a create had to wait; null before the first. */
  throttled: { readonly minutes: number; readonly at: EpochMs } | null;
}

/** One fill of an order of ours. */
export interface FillPart {
  /** By the exchange's clock. */
  readonly at: EpochMs;
  readonly side: Side;
  /** Price × quantity, in quote. */
  readonly notional: Decimal;
  /** A person has resumed the market that fills had halted or locked: it counts there no more. */
  readonly isResumed?: true;
}

/** Profit of one symbol at moments that limits compare with, in quote. Null: the next mark begins it. */
export interface ProfitMarks {
  session: Value | null;
  /** Number of the UTC day, and the last profit known when it began. */
  day: { readonly number: number; readonly from: Value } | null;
  peak: Value;
  last: Value;
  /** How withheld tax counts in all of these. */
  readonly treatment: TaxTreatment;
  /** Nothing was marked since `last`, as no limit asked for it: a day that begins meanwhile does not begin with it. */
  readonly isUnwatched?: true;
}

/** What limits remember of one market. */
export interface MarketRisk {
  /** What filled within the last hour, oldest first. */
  fillParts: readonly FillPart[];
  /** Null before the first mark. */
  profit: ProfitMarks | null;
  protections: ProtectionMemory;
}

export const emptyMarketRisk = (): MarketRisk => ({
  fillParts: [],
  profit: null,
  protections: noProtectionMemory(),
});

export const noMessages = (): MessageLog => ({ recent: [], day: 0, today: 0, throttled: null });
