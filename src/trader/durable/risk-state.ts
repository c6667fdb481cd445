// What limits that look back need to remember: messages, fills on one side, profit at its marks. Part of the fold of
// the journal.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Value } from '../../ledger/amount.ts';
import type { HaltCode } from '../../quoting/risk/risk-context.ts';

/** Creates and cancels, over all symbols. Moments are by our clock. */
export interface MessageLog {
  /** Of the last minute, oldest first. */
  recent: EpochMs[];
  /** Number of the UTC day (days since 1970) that `today` counts in. */
  day: number;
  today: number;
  /** Minutes in a row in which a create had to wait; null before the first. */
  throttled: { readonly minutes: number; readonly at: EpochMs } | null;
}

/** Orders that filled, in part or whole, and when they last did, by the exchange's clock. */
export type FilledOrders = Readonly<Record<Side, Map<IntentId, EpochMs>>>;

/** One fill of an order of ours. */
export interface FillPart {
  /** By the exchange's clock. */
  readonly at: EpochMs;
  readonly side: Side;
  /** Price × quantity, in quote. */
  readonly notional: Decimal;
}

/** Profit of one symbol at moments that limits compare with, in quote. Null: the next mark begins it. */
export interface ProfitMarks {
  session: Value | null;
  /** Number of the UTC day, and the last profit known when it began. */
  day: { readonly number: number; readonly from: Value } | null;
  peak: Value;
  last: Value;
}

export interface RiskState {
  readonly messages: MessageLog;
  readonly filled: Map<InstrumentSymbol, FilledOrders>;
  /** What filled within the last hour, in the order in which it was booked. */
  readonly fillParts: Map<InstrumentSymbol, readonly FillPart[]>;
  readonly profit: Map<InstrumentSymbol, ProfitMarks>;
  /** Why each halted symbol is halted; those that halted before codes were written have none. */
  readonly haltCodes: Map<InstrumentSymbol, HaltCode>;
}

export function emptyRisk(): RiskState {
  return {
    messages: { recent: [], day: 0, today: 0, throttled: null },
    filled: new Map(),
    fillParts: new Map(),
    profit: new Map(),
    haltCodes: new Map(),
  };
}
