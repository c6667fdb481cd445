// What protections remember of one market. Part of the fold of the journal; what they allow is not known here.
import { type Decimal, ZERO } from '../../../domain/decimal.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';

export interface Peak {
  /** When it last held, as far as is known; of the newest when it was reached. */
  readonly at: EpochMs;
  readonly total: Value;
}

export interface ProtectionMemory {
  /** When own sales filled below what the base cost, by the exchange's clock, oldest first. */
  readonly losingSales: readonly EpochMs[];
  /** When the exchange refused creates, by our clock, oldest first. */
  readonly refusals: readonly EpochMs[];
  /** The highest profits so far, oldest first: each higher than all that came after it. */
  readonly peaks: readonly Peak[];
  /** Whether profit was looked at ever since the newest mark: that one holds until the next. */
  readonly peakHolds: boolean;
  /** Worth of own fills in a UTC day, by the exchange's clock, in quote. */
  readonly turnover: { readonly day: number; readonly notional: Decimal };
}

export const noProtectionMemory = (): ProtectionMemory => ({
  losingSales: [],
  refusals: [],
  peaks: [],
  peakHolds: false,
  turnover: { day: 0, notional: ZERO },
});
