// What the account's owner or the world does to an account outside the interface that a bot uses: the closed list.
import { type Decimal, decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { toUnits } from '../../matching/conversion.ts';
import type { AccountName, EngineOrderId, Units } from '../../matching/types.ts';
import type { AssetStatus, PaperNetwork } from './back-office.ts';
import type { PaperKey } from './settings.ts';

/** Names one deposit or withdrawal in later actions; no list of the exchange shows it. */
export type TransferId = string;

interface OfAccount {
  readonly account: AccountName;
}

/** When it happened; now, where it is left out. Never after now. Older than the rolling window fills the archives. */
interface Dated {
  readonly at?: EpochMs;
}

/** How a transfer begins or ends. Only INR transfers can be rejected. */
export type TransferStatus = 'pending' | 'success' | 'failed' | 'rejected';
export type TransferOutcome = Exclude<TransferStatus, 'pending'>;

/**
 * Amount and fee in the asset moved. A withdrawal costs both; a deposit credits the amount, its fee was taken before.
 */
interface Moved extends OfAccount, Dated {
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** `pending` where it is left out. */
  readonly status?: TransferStatus;
}

interface CryptoMoved extends Moved {
  readonly asset: Asset;
  readonly network: string;
  /** `null` until there is one. */
  readonly transactionHash: string | null;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

interface FiatMoved extends Moved {
  /** Of the payment gateway; made up where it is left out. */
  readonly referenceId?: string;
}

/** What the owner may set aside. Where the wallet shows each is the business of `Quirks.lockedIncludes` (Q12). */
export type LockPurpose = 'staking' | 'otc' | 'fixed-deposit' | 'p2p';

interface Locked extends OfAccount {
  readonly asset: Asset;
  /** Above zero. */
  readonly amount: Decimal;
  readonly purpose: LockPurpose;
}

/** Prices in quote per base. A stop rests outside the book until the last price is at or beyond `stopPrice`. */
export type ManualTerms =
  | { readonly type: 'LIMIT'; readonly price: Decimal }
  /** Takes at once; what the book can't give waits as a row with price 0. */
  | { readonly type: 'MARKET' }
  | { readonly type: 'STOP_LIMIT'; readonly price: Decimal; readonly stopPrice: Decimal }
  | { readonly type: 'STOP_MARKET'; readonly stopPrice: Decimal };

export type OwnerAction =
  /** Keys and balances may be empty; every key must be new. */
  | (OfAccount & {
      readonly kind: 'open-account';
      readonly keys: readonly PaperKey[];
      readonly balances: Readonly<Record<Asset, Decimal>>;
    })
  /** A change that no list explains; negative takes away. */
  | (OfAccount & { readonly kind: 'credit'; readonly asset: Asset; readonly amount: Decimal })
  | ({ readonly kind: 'crypto-deposit' } & CryptoMoved)
  | ({ readonly kind: 'crypto-withdrawal' } & CryptoMoved)
  | ({ readonly kind: 'fiat-deposit' } & FiatMoved)
  | ({ readonly kind: 'fiat-withdrawal' } & FiatMoved)
  /** Ends a pending transfer, whose row keeps its time. */
  | { readonly kind: 'end-transfer'; readonly transferId: TransferId; readonly outcome: TransferOutcome }
  /** The blockchain's name of a crypto transfer, as soon as there is one. */
  | { readonly kind: 'transaction-hash'; readonly transferId: TransferId; readonly transactionHash: string }
  /** A simple buy or sell of a coin for INR; no order of a book. Commission in the coin or in INR, tds in INR. */
  | (OfAccount &
      Dated & {
        readonly kind: 'sbs-trade';
        readonly coin: Asset;
        readonly side: Side;
        /** INR per coin. */
        readonly price: Decimal;
        /** Coin. */
        readonly quantity: Decimal;
        readonly commission: Decimal;
        readonly commissionIn: 'coin' | 'INR';
        readonly tds: Decimal;
      })
  | ({ readonly kind: 'lock' } & Locked)
  | ({ readonly kind: 'unlock' } & Locked)
  /** What is left out stays as it was; an asset that is not known yet is listed. */
  | {
      readonly kind: 'asset-settings';
      readonly asset: Asset;
      readonly name?: string;
      readonly status?: AssetStatus;
      readonly networks?: readonly PaperNetwork[];
    }
  | (OfAccount &
      Dated & {
        readonly kind: 'place-order';
        readonly symbol: InstrumentSymbol;
        readonly side: Side;
        /** Base. */
        readonly quantity: Decimal;
        readonly terms: ManualTerms;
      })
  | (OfAccount & { readonly kind: 'cancel-order'; readonly orderId: EngineOrderId })
  /** The trade never was: its rows disappear, and both sides get back what they gave. */
  | { readonly kind: 'bust-trade'; readonly tradeId: string }
  /** The trade was another: same id and time, new content, and both balances follow. */
  | { readonly kind: 'correct-trade'; readonly tradeId: string; readonly price: Decimal; readonly quantity: Decimal }
  /** Hides a row of the account's trades for a while; it comes back with its old id and time. */
  | (OfAccount & { readonly kind: 'delay-trade'; readonly tradeId: string; readonly forMs: DurationMs })
  /** The same for executions to come. */
  | (OfAccount & { readonly kind: 'delay-next-trades'; readonly count: number; readonly forMs: DurationMs });

/** The action of one kind, or of several. */
export type ActionOf<Kind extends OwnerAction['kind']> = Extract<OwnerAction, { kind: Kind }>;

/** What later actions need to name what came of this one. */
export type OwnerActionAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'transfer'; readonly transferId: TransferId }
  | { readonly kind: 'sbs-trade'; readonly tradeId: string }
  /** `open` is listed among the open orders; `closed` was filled at once. */
  | { readonly kind: 'order'; readonly orderId: EngineOrderId; readonly state: 'open' | 'closed' };

// A deposit or withdrawal as the exchange keeps it; the lists write it as the wire wants it.

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

interface CryptoTransferRecord extends AnyTransfer {
  readonly means: 'crypto';
  readonly network: string;
  readonly transactionHash: string | null;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

/** In INR. */
interface FiatTransferRecord extends AnyTransfer {
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
