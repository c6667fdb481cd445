// What protections remember of one market. Part of the fold of the journal; what they allow is not known here.
import { type Decimal, ZERO } from '../../../domain/decimal.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';
import { NOTHING_COUNTED, type ProtectedCounts } from './windows.ts';

export interface Peak {
  /** When it last held, as far as is known; of the newest when it was reached. */
  readonly at: EpochMs;
  readonly total: Value;
}

export interface ProtectionMemory {
  readonly counted: ProtectedCounts;
  /** The highest profits so far, oldest first: each higher than all that came after it. */
  readonly peaks: readonly Peak[];
  /** Whether profit was looked at ever since the newest mark: that one holds until the next. */
  readonly peakHolds: boolean;
  /** Worth of own fills in a UTC day, by the exchange's clock, in quote. */
  readonly turnover: { readonly day: number; readonly notional: Decimal };
}

export const noProtectionMemory = (): ProtectionMemory => ({
  counted: NOTHING_COUNTED,
  peaks: [],
  peakHolds: false,
  turnover: { day: 0, notional: ZERO },
});
