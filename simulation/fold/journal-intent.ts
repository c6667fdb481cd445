// The journal's data on one intent, one trade, one transfer, one halt.
import type { Decimal } from '../../src/domain/decimal.ts';

/** One intent by the journal. */
export interface JournalIntent {
  readonly intentId: string;
  readonly epoch: number;
  readonly symbol: string;
  slot: string;
  readonly side: 'buy' | 'sell';
  /** The exchange's values, if a list has shown other ones. */
  price: string;
  quantity: string;
  /** T, by the bot's estimate of the exchange's clock. */
  readonly timestamp: number;
  readonly horizon: number;
  readonly bookSentAt: number;
  /** The order of its slot that stays until this one is on the book. */
  readonly replaces: string | null;
  readonly seq: number;
  /** When the record was written, by the clock of the world. */
  readonly at: number;
  state: 'sent' | 'unknown' | 'soft-rejected' | 'open' | 'cancel-sent' | 'closing' | 'closed';
  since: number;
  /** Whether a cancel has been recorded since it was last open. */
  cancelSent: boolean;
  /** Whether the exchange's acknowledgment has been recorded as well. */
  cancelTaken: boolean;
  orderId: string | null;
  closedAs: string | null;
  filled: Decimal;
  /** The intent whose create made this second order (F11). */
  readonly duplicateOf: string | null;
}

/** A fill as it was booked. */
export interface BookedFill {
  readonly symbol: string;
  readonly tradeId: string;
  readonly orderId: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly tds: string;
  readonly intentId: string | null;
  readonly venueTime: number;
  /** Assets whose opening balances are said to include its moves. */
  readonly inOpening: readonly string[];
  readonly at: number;
}

/** A deposit or withdrawal as it was booked. */
export interface BookedTransfer {
  readonly account: string;
  readonly asset: string;
  readonly walletChange: string;
  readonly fee: string;
  readonly venueTime: number;
}

/** Why a symbol is halted. */
export interface Halt {
  readonly code: string;
  readonly reason: string;
  /** By the clock of the world, and by the bot's. */
  readonly at: number;
  readonly toldAt: number;
  /** What it still trades, with the net base from own fills when it began; null if it holds. */
  readonly unwind: { readonly side: 'buy' | 'sell'; readonly quantity: Decimal; readonly from: Decimal } | null;
}
