// Deposits and withdrawals of the account: crypto on a blockchain, INR through a payment gateway.
import type { Decimal } from './decimal.ts';
import type { Asset } from './instrument.ts';
import type { EpochMs } from './time.ts';

export type TransferDirection = 'deposit' | 'withdrawal';

/** The statuses that the venue's lists can filter by (specification 4.3). */
export type CryptoTransferStatus = 'success' | 'pending' | 'failed';
export type FiatTransferStatus = CryptoTransferStatus | 'rejected';

interface Transfer<Status> {
  readonly direction: TransferDirection;
  /** `other`: an unlisted word, kept in `statusText`. */
  readonly status: Status | 'other';
  /** The venue's word, as written. */
  readonly statusText: string;
  /** It keeps this time when its status changes (order-truth §4). */
  readonly venueTime: EpochMs;
  /** The platform's charge, in the asset moved, never negative. */
  readonly fee: Decimal;
}

/** One crypto deposit or withdrawal (specification 2.10). */
export interface CryptoTransfer extends Transfer<CryptoTransferStatus> {
  readonly asset: Asset;
  /** Credited (deposit) or debited (withdrawal), in `asset`, above zero. */
  readonly amount: Decimal;
  /** `null` until there is one. */
  readonly transactionHash: string | null;
  readonly network: string;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

/** One INR deposit or withdrawal (specification 2.11). */
export interface FiatTransfer extends Transfer<FiatTransferStatus> {
  /** In INR, above zero. */
  readonly amount: Decimal;
  /** From the payment gateway or the venue. */
  readonly referenceId: string;
}
