// A deposit or withdrawal as the exchange keeps it; the lists write it as the wire wants it.
import { decimal } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { toUnits } from '../../matching/conversion.ts';
import type { Units } from '../../matching/types.ts';
import type { TransferId } from './owner-action-types.ts';

export type TransferDirection = 'deposit' | 'withdrawal';
/** As the wire writes it. */
export type TransferWord = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';

interface AnyTransfer {
  readonly transferId: TransferId;
  readonly direction: TransferDirection;
  readonly asset: Asset;
  /** Plain decimals. */
  readonly amount: string;
  readonly fee: string;
  readonly status: TransferWord;
  /** When it began, without the exchange's clock error: windows are measured by it. */
  readonly at: EpochMs;
  /** The same as the exchange's own clock showed it; the row keeps it. */
  readonly time: EpochMs;
}

export interface CryptoTransferRecord extends AnyTransfer {
  readonly means: 'crypto';
  readonly network: string;
  readonly transactionHash: string | null;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

/** In INR. */
export interface FiatTransferRecord extends AnyTransfer {
  readonly means: 'fiat';
  readonly referenceId: string;
}

/** Plain JSON; replaced, never changed. */
export type Transfer = CryptoTransferRecord | FiatTransferRecord;

/** What a transfer moves once it succeeds, in units. */
export interface TransferMoney {
  readonly amount: Units;
  readonly fee: Units;
}

export function moneyOf({ transferId, amount, fee }: Transfer, assetDecimals: number): TransferMoney {
  const [moved, charged] = [amount, fee].map((text) => toUnits(decimal(text), assetDecimals));
  const isWhole = moved !== undefined && moved !== null && charged !== undefined && charged !== null;
  invariant(isWhole, () => `Transfer ${transferId} moves ${amount} for ${fee}, finer than ${assetDecimals} decimals.`);
  return { amount: moved, fee: charged };
}
