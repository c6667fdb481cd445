// Parts of the journal's events: holds, openings, and the reads that a conclusion names.

import type { EpochMs } from '../../domain/time.ts';
import type { HaltCode } from '../../quoting/block.ts';
import type { LockCode } from '../../quoting/protection-settings.ts';
import type { Lacked } from '../../venue/lacked-twice.ts';

export type HoldEvent =
  | {
      readonly type: 'symbol-halted';
      readonly payload: {
        readonly symbol: string;
        readonly reason: string;
        readonly code: HaltCode;
        /** Creates of which is asked whether an order is theirs. Absent: of none. */
        readonly intents?: readonly string[];
        /** With `journal-stale`: where the journal ended, by our clock. */
        readonly journalEnd?: number;
        readonly at: number;
      };
    }
  /**
   * `price`: the price that the person stated; a start compares its first book with it, and values nothing at it. Where
   * own trades have a gap he has taken note of it: reading begins anew behind it.
   */
  | {
      readonly type: 'symbol-resumed';
      readonly payload: {
        readonly symbol: string;
        readonly price?: string;
        /** Orders that were in question, and of which the person said that they are not the bot's. */
        readonly notOurs?: readonly string[];
        /** Who resumed it while the bot ran; absent where a start did. */
        readonly by?: string;
        readonly at: number;
      };
    }
  /** A side of a symbol, or both where it is null, is not quoted until the lock ends: then `lock` is null. */
  | {
      readonly type: 'lock';
      readonly payload: {
        readonly symbol: string;
        readonly code: LockCode;
        readonly side: 'buy' | 'sell' | null;
        /** `until`: null where it lasts until somebody removes it. */
        readonly lock: { readonly reason: string; readonly until: number | null } | null;
        /** Who set or removed it: `protection`, `time`, or the person's name. */
        readonly by: string;
        readonly at: number;
      };
    }
  /** Quoting is paused, and why; null: it goes on. A pause ends with its session. */
  | { readonly type: 'pause'; readonly payload: { readonly reason: string | null; readonly at: number } };

// The event that opens the ledger, and later the markets that were configured since.

/** Where reading the own trades of a market begins. */
export interface MarketStart {
  /** The newest own trade that is never booked; null where there is none. */
  readonly cursor: { readonly tradeId: string; readonly venueTime: number } | null;
  /** From then on its trades are booked, by the exchange's clock. */
  readonly from: number;
}

export interface OpeningEvent {
  readonly type: 'opened';
  readonly payload: {
    readonly at: number;
    /** The same by the exchange's clock. */
    readonly venueAt: number;
    /** Set where the ledger was open already, and these markets were configured later. */
    readonly later?: true;
    /** Total of each asset that is opened. */
    readonly balances: Readonly<Record<string, string>>;
    readonly markets: Readonly<Record<string, MarketStart>>;
  };
}

// Which requests a conclusion rests on, as the journal names them. The fold needs none of it: it is there for people,
// and for whoever checks that a conclusion was proved.

/**
 * Each request by the moment at which it left, by our clock: with its kind, its symbol and the session that is its
 * name, as no two of a kind leave in the same millisecond. Absent where none was needed.
 */
export interface Reads {
  /** Lists of open orders, of the symbol or of the whole account. */
  readonly orders?: readonly EpochMs[];
  /** Pages of own trades; of a reading to the end the first one. */
  readonly trades?: readonly EpochMs[];
  /** The wallet that confirmed what is booked. */
  readonly wallet?: EpochMs;
  /** The cancel of the whole symbol that came first. */
  readonly fence?: EpochMs;
}

/** A read whose answer is taken in at present. */
export interface AnsweredRead {
  readonly list: 'orders' | 'trades' | 'other';
  readonly sentAt: EpochMs;
}

/** What the lists in a row say, while stopping: each has shown nothing of ours. */
export interface StopProof {
  lacked: Lacked;
  /** Whether the first one was asked for. */
  asked: boolean;
}
