// The facts that the trader writes to the journal. State is their fold, so each holds everything that the fold needs;
// decimals are text.
import type { ExternalAccount } from '../../ledger/ledger.ts';
import type { TaxTreatment } from '../../ledger/pnl.ts';
import type { CancelOutcome, CreateOutcome } from '../../venue/outcomes.ts';
import type { HoldEvent, OpeningEvent, Reads } from './hold-events.ts';
import type { ClosedAs, Questioned } from './intent.ts';
import type { ParameterChange } from './revision.ts';

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
  /** When the request for the decision's book left. */
  readonly bookSentAt: number;
  /** The reference price then: a start soon afterward compares the market with it. */
  readonly reference: string;
  /** The slot's order that stays until this one is on the book; absent if the slot was free. */
  readonly replaces?: string;
  /** Funds that the order reserves while it may be live. */
  readonly reserve: { readonly asset: string; readonly amount: string };
  /** The parameter revision that placed the order. */
  readonly revision: number;
}

/** An order that a person is asked about, as the list shows it. */
export interface QuestionedRow {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
}

/** An own order whose create is unknown, or was taken twice: it becomes another intent, to be canceled. */
export interface AdoptedOrder {
  /** The intent whose create the exchange took twice (F11); null if a person said that the order is the bot's. */
  readonly of: string | null;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  /** Funds that the order reserves while it may be live. */
  readonly reserve: { readonly asset: string; readonly amount: string };
}

/** A wallet movement that was no trade of a run: it is booked as external and counts as no profit. */
export type FlowRecord =
  /** A deposit or withdrawal by the owner. Amounts in the asset; `walletChange` includes the fee. */
  | {
      readonly kind: 'transfer';
      /** Its unique name among the exchange's rows. */
      readonly name: string;
      readonly account: ExternalAccount;
      readonly asset: string;
      readonly walletChange: string;
      readonly fee: string;
      readonly venueTime: number;
      readonly at: number;
    }
  /** A simple buy or sell by the owner, or his spot trade in a market without a run. */
  | {
      readonly kind: 'conversion' | 'owner-trade';
      readonly fill: FillRecord;
      /** Assets opened after it: their opening balances include its effect. Absent if there is none. */
      readonly opening?: readonly string[];
      readonly at: number;
    }
  /**
   * A difference that a person accepted. The asset begins anew, as at an opening: it includes earlier rows that lists
   * show later.
   */
  | {
      readonly kind: 'accepted';
      readonly asset: string;
      readonly amount: string;
      readonly at: number;
      /** The same moment by the exchange's clock. */
      readonly venueAt: number;
    };

export type TraderEvent =
  | HoldEvent
  | OpeningEvent
  | {
      readonly type: 'session-started';
      readonly payload: {
        readonly at: number;
        readonly epoch: number;
        readonly program: string;
        readonly paperInstance: string | null;
      };
    }
  /** A run's parameters changed, and who changed them; `start`: a start found them changed. */
  | {
      readonly type: 'run-revised';
      readonly payload: {
        readonly symbol: string;
        readonly revision: number;
        readonly changes: readonly ParameterChange[];
        readonly by: string;
        readonly at: number;
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
        /** For a soft rejection: the exchange refused the request itself, rather than asking for fewer requests. */
        readonly refused?: true;
        readonly at: number;
      };
    }
  | {
      readonly type: 'adopted';
      readonly payload: {
        readonly intentId: string;
        readonly orderId: string;
        readonly evidence: 'open-order' | 'fill';
        /** Absent if a person said so; likewise in the events below. */
        readonly reads?: Reads;
        /** Absent if the intent is in the journal. */
        readonly order?: AdoptedOrder;
        readonly at: number;
      };
    }
  /** The exchange keeps an order of ours with other values than were sent (F16). */
  | {
      readonly type: 'order-differs';
      readonly payload: {
        readonly intentId: string;
        readonly price: string;
        readonly quantity: string;
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
  /** Complete lists lack the order, and its fills are to be proved; or a list shows it again. */
  | {
      readonly type: 'listed';
      readonly payload: {
        readonly intentId: string;
        readonly listed: boolean;
        readonly reads?: Reads;
        /** Its cancel was acknowledged and had no effect: it counts as never sent. */
        readonly belied?: true;
        readonly at: number;
      };
    }
  | {
      readonly type: 'closed';
      readonly payload: {
        readonly intentId: string;
        readonly as: ClosedAs;
        readonly reads?: Reads;
        readonly at: number;
      };
    }
  | {
      readonly type: 'fill';
      readonly payload: {
        readonly fill: FillRecord;
        /** The intent of the trade's order; null if the order was not the bot's. */
        readonly intentId: string | null;
        /** The market's mid price at booking; null if unknown. */
        readonly mid: string | null;
        readonly at: number;
      };
    }
  /**
   * The exchange shows a booked trade with other content: it is reversed and booked as it is now (F50). `fill` is null
   * if the exchange took the trade back: the list no longer shows it, and the wallet agrees.
   */
  | {
      readonly type: 'fill-corrected';
      readonly payload: {
        readonly symbol: string;
        readonly tradeId: string;
        readonly side: 'buy' | 'sell';
        readonly fill: FillRecord | null;
        readonly intentId: string | null;
        readonly mid: string | null;
        /** It was booked as the owner's until now, and belongs to that intent. */
        readonly attributed?: true;
        readonly at: number;
      };
    }
  /**
   * Wallet and ledger agree: for the first time in a session, or again. `assets`: only in these, as others still
   * differ.
   */
  | {
      readonly type: 'reconciled';
      readonly payload: {
        readonly assets?: readonly string[];
        readonly at: number;
      };
    }
  | {
      readonly type: 'difference';
      readonly payload: {
        readonly asset: string;
        readonly expected: string;
        readonly actual: string;
        readonly at: number;
      };
    }
  | { readonly type: 'external-flow'; readonly payload: FlowRecord }
  /**
   * Own trades can't be read from the last known one to the present (R6): trades until then, by the exchange's clock,
   * may be missing. Null: they could be read after all.
   */
  | {
      readonly type: 'trades-gap';
      readonly payload: { readonly symbol: string; readonly until: number | null; readonly at: number };
    }
  /** Orders that may be ours: none of them is treated as ours until the symbol is resumed. */
  | {
      readonly type: 'orders-questioned';
      readonly payload: {
        readonly symbol: string;
        readonly orders: readonly string[];
        readonly as: Questioned['as'];
        /** The ones that a list showed. */
        readonly rows: readonly QuestionedRow[];
        readonly at: number;
      };
    }
  /** A create had to wait for room within the message rate; recorded once a minute. */
  | { readonly type: 'creates-throttled'; readonly payload: { readonly at: number } }
  /**
   * Profit since the opening, realized and unrealized, in quote: after it moved enough for its limits, and when a day
   * or session begins. Null if no limit of the symbol needs it any more: nothing is marked until one does.
   */
  | {
      readonly type: 'profit-marked';
      readonly payload: {
        readonly symbol: string;
        /** `treatment`: how withheld tax counts in it. */
        readonly mark: { readonly total: string; readonly treatment: TaxTreatment } | null;
        readonly at: number;
      };
    }
  /**
   * Our clock was found to be set since the previous session, by comparison with the exchange's: earlier times are
   * later (or earlier) by this much on our current clock. Times recorded in this session, from `startedAt` on, already
   * have the current clock.
   */
  | {
      readonly type: 'clock-moved';
      readonly payload: {
        readonly byMs: number;
        readonly startedAt: number;
        /** The end of a journal that is known to be old, by the current clock. */
        readonly journalEnd?: number;
        /** The create that revealed it: when it left, by the exchange's clock and by ours. */
        readonly stamp: { readonly timestamp: number; readonly sentAt: number };
        readonly at: number;
      };
    }
  | {
      readonly type: 'session-ended';
      readonly payload: {
        readonly at: number;
        readonly flat: boolean;
        readonly unknown: number;
        /** By symbol. */
        readonly reads?: Readonly<Record<string, Reads>>;
      };
    };

export type PayloadOf<T extends TraderEvent['type']> = Extract<TraderEvent, { type: T }>['payload'];
