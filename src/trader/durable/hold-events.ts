// The facts about what keeps a symbol, a side of it or everything from being quoted: halts, locks, pauses.
import type { LockCode } from '../../quoting/protection-settings.ts';
import type { HaltCode } from '../../quoting/risk/risk-context.ts';

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
  /** A side of a symbol, or both where it is null, is not quoted until then; null: until somebody removes the lock. */
  | {
      readonly type: 'locked';
      readonly payload: {
        readonly symbol: string;
        readonly code: LockCode;
        readonly side: 'buy' | 'sell' | null;
        readonly reason: string;
        readonly until: number | null;
        /** Who set it: `protection`, or the person's name. */
        readonly by: string;
        readonly at: number;
      };
    }
  /** A lock has ended, or somebody removed it: `time`, or the person's name. */
  | {
      readonly type: 'unlocked';
      readonly payload: {
        readonly symbol: string;
        readonly code: LockCode;
        readonly side: 'buy' | 'sell' | null;
        readonly by: string;
        readonly at: number;
      };
    }
  /** Quoting was paused, and why: one sentence; and it was resumed. A pause ends with its session. */
  | { readonly type: 'paused'; readonly payload: { readonly reason: string; readonly at: number } }
  | { readonly type: 'resumed'; readonly payload: { readonly at: number } };
