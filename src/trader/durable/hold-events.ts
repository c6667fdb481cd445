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
        /** Creates that an order may belong to. Absent: none. */
        readonly intents?: readonly string[];
        /** With `journal-stale`: where the journal ended, by our clock. */
        readonly journalEnd?: number;
        /** With `loss`: base to trade during the halt to reach the target. Absent: none. */
        readonly unwind?: { readonly side: 'buy' | 'sell'; readonly quantity: string };
        readonly at: number;
      };
    }
  /**
   * `price`: the price that the person stated; a start compares its first book with it, and never values at it. If own
   * trades have a gap, the person has accepted it: reading begins anew behind it.
   */
  | {
      readonly type: 'symbol-resumed';
      readonly payload: {
        readonly symbol: string;
        readonly price?: string;
        /** Orders in question that the person said are not the bot's. */
        readonly notOurs?: readonly string[];
        /** Who resumed it while the bot ran; absent for a start. */
        readonly by?: string;
        readonly at: number;
      };
    }
  /** One side of a symbol, or both if it is null, is not quoted until the lock ends: then `lock` is null. */
  | {
      readonly type: 'lock';
      readonly payload: {
        readonly symbol: string;
        readonly code: LockCode;
        readonly side: 'buy' | 'sell' | null;
        /** `until`: null if it lasts until a person removes it. */
        readonly lock: { readonly reason: string; readonly until: number | null } | null;
        /** Who set or removed it: `protection`, `time`, or the person's name. */
        readonly by: string;
        readonly at: number;
      };
    }
  /** Quoting is paused, and why; null: it goes on. A pause ends with its session. */
  | { readonly type: 'pause'; readonly payload: { readonly reason: string | null; readonly at: number } };

// The event that opens the ledger, and later the markets that were configured since.

/** Where reading of a market's own trades begins. */
export interface MarketStart {
  /** The newest own trade that is never booked; null if there is none. */
  readonly cursor: { readonly tradeId: string; readonly venueTime: number } | null;
  /** Trades from then on are booked, by the exchange's clock. */
  readonly from: number;
}

export interface OpeningEvent {
  readonly type: 'opened';
  readonly payload: {
    readonly at: number;
    /** The same by the exchange's clock. */
    readonly venueAt: number;
    /** Set if the ledger was open already, and these markets were configured later. */
    readonly later?: true;
    /** Total of each opened asset. */
    readonly balances: Readonly<Record<string, string>>;
    readonly markets: Readonly<Record<string, MarketStart>>;
  };
}

// The requests behind a conclusion, as the journal names them. The fold doesn't need them: they are for people, and for
// checks that a conclusion was proved.

/**
 * Each request by the time it left, by our clock: together with kind, symbol and session that identifies it, as no two
 * of a kind leave in the same millisecond. Absent if none was needed.
 */
export interface Reads {
  /** Lists of open orders, of the symbol or of the whole account. */
  readonly orders?: readonly EpochMs[];
  /** Pages of own trades; for a reading to the end, the first one. */
  readonly trades?: readonly EpochMs[];
  /** The wallet that confirmed what is booked. */
  readonly wallet?: EpochMs;
  /** The preceding cancel of the whole symbol. */
  readonly fence?: EpochMs;
}

/** The read whose answer is being processed. */
export interface AnsweredRead {
  readonly list: 'orders' | 'trades' | 'other';
  readonly sentAt: EpochMs;
}

/** The complete lists in a row while stopping that showed nothing of ours. */
export interface StopProof {
  lacked: Lacked;
  /** Whether the first one was asked for. */
  asked: boolean;
}
