// The facts that the trader writes to the journal. State is their fold, so each holds all that the fold needs; decimals
// are text.
import type { ExternalAccount } from '../../ledger/entry.ts';
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
  /** When the request for the book that decided left. */
  readonly bookSentAt: number;
  /** The reference price then: what a start soon after compares the market with. */
  readonly reference: string;
  /** The order of the slot that stays until this one is on the book; absent where the slot was free. */
  readonly replaces?: string;
  /** What the order reserves while it may be live. */
  readonly reserve: { readonly asset: string; readonly amount: string };
  /** That of the run's parameters by which it is placed. */
  readonly revision: number;
}

/** What a list shows of an order that a person is asked about. */
export interface QuestionedRow {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
}

/** An own order that no create is known for, or not this one alone: it is another intent, to be canceled. */
export interface AdoptedOrder {
  /** The intent whose create the exchange took twice (F11); null where a person said that the order is the bot's. */
  readonly of: string | null;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  /** What the order reserves while it may be live. */
  readonly reserve: { readonly asset: string; readonly amount: string };
}

/** What moved the wallet and was no trade of a run: it is booked as external, and is no profit. */
export type FlowRecord =
  /** A deposit or withdrawal of the owner's. Amounts in the asset; `walletChange` holds the fee. */
  | {
      readonly kind: 'transfer';
      /** What names it among the rows of the exchange. */
      readonly name: string;
      readonly account: ExternalAccount;
      readonly asset: string;
      readonly walletChange: string;
      readonly fee: string;
      readonly venueTime: number;
      readonly at: number;
    }
  /** A simple buy or sell of the owner's; a spot trade of his in a market that no run has. */
  | {
      readonly kind: 'conversion' | 'owner-trade';
      readonly fill: FillRecord;
      /** Assets that were opened after it: their opening balances have what it moved of them. Absent where none was. */
      readonly opening?: readonly string[];
      readonly at: number;
    }
  /**
   * A difference that a person accepted. The asset begins anew, as at an opening: rows of before that lists show later
   * are in it.
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
  /** The parameters of a run are others than before, and who changed them; `start`: a start found them changed. */
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
        /** Of a soft rejection: the exchange refused what was asked for, and did not only want fewer requests. */
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
        /** Absent where a person said so; so in those that follow. */
        readonly reads?: Reads;
        /** Absent where the intent is in the journal. */
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
  /** Whole lists lack the order, and how much of it filled is to be proved; or a list shows it again. */
  | {
      readonly type: 'listed';
      readonly payload: {
        readonly intentId: string;
        readonly listed: boolean;
        readonly reads?: Reads;
        /** Its cancel had been acknowledged, and had no effect: it is as if there had been none. */
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
        /** The intent whose order it was; null when the order was not the bot's. */
        readonly intentId: string | null;
        /** Mid price of the market when it was booked; null when none was known. */
        readonly mid: string | null;
        /** Orders are in question: a fill that is booked as the owner's may turn out to be of one of ours. */
        readonly inDoubt?: true;
        /** Booked as the owner's at the price of these creates, which have no answer: it may be of one of them. */
        readonly mayBeOf?: readonly string[];
        readonly at: number;
      };
    }
  /**
   * The exchange shows a booked trade with other content: it is reversed and booked as it is now (F50). `fill` is null
   * where the exchange took the trade back: it shows it no longer, and the wallet agrees.
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
        /** It was booked as the owner's until now, and is of that intent. */
        readonly attributed?: true;
        readonly at: number;
      };
    }
  /**
   * Wallet and ledger agree: for the first time in a session, or again. `assets`: in these alone, as others still
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
   * Own trades can't be read from the last one known to the present (R6): what happened until then, by the exchange's
   * clock, may be missing. Null: they could be read after all.
   */
  | {
      readonly type: 'trades-gap';
      readonly payload: { readonly symbol: string; readonly until: number | null; readonly at: number };
    }
  /** Orders that may be ours: none of them is taken for ours until the symbol is resumed. */
  | {
      readonly type: 'orders-questioned';
      readonly payload: {
        readonly symbol: string;
        readonly orders: readonly string[];
        readonly as: Questioned['as'];
        /** Of those that a list showed. */
        readonly rows: readonly QuestionedRow[];
        readonly at: number;
      };
    }
  /** A create had to wait for room within the message rate; written once a minute. */
  | { readonly type: 'creates-throttled'; readonly payload: { readonly at: number } }
  /**
   * Profit since the opening, realized and not, in quote: when it has moved by what its limits care for, and when a day
   * or session begins. Null where no limit of the symbol needs it any more: until one does nothing is marked.
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
   * Our clock was found to be set otherwise than in the session before, by the exchange's: so much later (or earlier)
   * by our clock now are the moments that were noted then. What this session noted, from `startedAt` on, is by the
   * clock that it has.
   */
  | {
      readonly type: 'clock-moved';
      readonly payload: {
        readonly byMs: number;
        readonly startedAt: number;
        /** When a journal that is known to be old ended, by the clock as it is now. */
        readonly journalEnd?: number;
        /** Of the create that told of it: when it left, by the exchange's clock and by ours. */
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
