// The facts that the trader writes to the journal. State is their fold, so each holds all that the fold needs; decimals are text.
import type { CancelOutcome, CreateOutcome } from '../venue/outcomes.ts';
import type { ClosedAs } from './intent.ts';

/** One of our executions as journal text (see `Fill`). */
export interface FillRecord {
  readonly symbol: string;
  readonly tradeId: string;
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly tds: string;
  readonly liquidity: 'maker' | 'taker';
  readonly venueTime: number;
}

export interface IntentRecord {
  readonly intentId: string;
  readonly symbol: string;
  readonly slot: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  /** T, by the venue's clock as estimated. */
  readonly timestamp: number;
  /** W. */
  readonly recvWindow: number;
  /** ε. */
  readonly uncertaintyMs: number;
  /** By our clock. */
  readonly horizon: number;
  readonly sentAt: number;
  /** When the request for the book that decided left. */
  readonly bookSentAt: number;
  /** What the order reserves while it may be live. */
  readonly reserve: { readonly asset: string; readonly amount: string };
}

export type TraderEvent =
  | {
      readonly type: 'session-started';
      readonly payload: {
        readonly at: number;
        readonly epoch: number;
        readonly program: string;
        readonly paperInstance: string | null;
      };
    }
  | {
      readonly type: 'opening-balance';
      readonly payload: { readonly asset: string; readonly total: string; readonly at: number };
    }
  | {
      readonly type: 'opened';
      /** The newest own trade that was there before the bot, by symbol; null where there was none. */
      readonly payload: {
        readonly at: number;
        readonly cursors: Readonly<Record<string, { readonly tradeId: string; readonly venueTime: number } | null>>;
      };
    }
  | { readonly type: 'intent'; readonly payload: IntentRecord }
  | {
      readonly type: 'create-outcome';
      readonly payload: {
        readonly intentId: string;
        readonly outcome: CreateOutcome['kind'];
        readonly orderId: string | null;
        readonly detail: string;
        readonly at: number;
      };
    }
  | {
      readonly type: 'adopted';
      readonly payload: {
        readonly intentId: string;
        readonly orderId: string;
        readonly evidence: 'open-order' | 'fill';
        readonly at: number;
      };
    }
  | {
      readonly type: 'cancel-sent';
      readonly payload: { readonly intentId: string; readonly why: string; readonly at: number };
    }
  | {
      readonly type: 'cancel-outcome';
      readonly payload: {
        readonly intentId: string;
        readonly outcome: CancelOutcome['kind'];
        readonly detail: string;
        readonly at: number;
      };
    }
  | { readonly type: 'closing'; readonly payload: { readonly intentId: string; readonly at: number } }
  | { readonly type: 'reopened'; readonly payload: { readonly intentId: string; readonly at: number } }
  | {
      readonly type: 'closed';
      readonly payload: { readonly intentId: string; readonly as: ClosedAs; readonly at: number };
    }
  | {
      readonly type: 'fill';
      readonly payload: {
        readonly fill: FillRecord;
        /** The intent whose order it was; null when the order was not the bot's. */
        readonly intentId: string | null;
        /** Mid price of the market when it was booked; null when none was known. */
        readonly mid: string | null;
        readonly at: number;
      };
    }
  /** Written when wallet and ledger agree again after a difference, and now and then while they agree. */
  | { readonly type: 'reconciled'; readonly payload: { readonly at: number } }
  | {
      readonly type: 'difference';
      readonly payload: {
        readonly asset: string;
        readonly expected: string;
        readonly actual: string;
        readonly at: number;
      };
    }
  /** The operator took a difference for his own doing: it is booked as external and is no profit. */
  | {
      readonly type: 'difference-accepted';
      readonly payload: { readonly asset: string; readonly amount: string; readonly at: number };
    }
  | {
      readonly type: 'symbol-halted';
      readonly payload: { readonly symbol: string; readonly reason: string; readonly at: number };
    }
  | { readonly type: 'symbol-resumed'; readonly payload: { readonly symbol: string; readonly at: number } }
  | {
      readonly type: 'session-ended';
      readonly payload: { readonly at: number; readonly flat: boolean; readonly unknown: number };
    };
