// What protections remember of one market. Part of the fold of the journal; what they allow is not known here.
import { type Decimal, ZERO } from '../../../domain/decimal.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';

export interface ProtectionMemory {
  /** When own sales filled below what the base cost, by the exchange's clock, oldest first. */
  readonly losingSales: readonly EpochMs[];
  /** When the exchange refused creates, by our clock, oldest first. */
  readonly refusals: readonly EpochMs[];
  /** The highest profits so far, oldest first: each higher than all that came after it. */
  readonly peaks: readonly { readonly at: EpochMs; readonly total: Value }[];
  /** Worth of own fills in a UTC day, by the exchange's clock, in quote. */
  readonly turnover: { readonly day: number; readonly notional: Decimal };
}

export const noProtectionMemory = (): ProtectionMemory => ({
  losingSales: [],
  refusals: [],
  peaks: [],
  turnover: { day: 0, notional: ZERO },
});
