// Progress of comparing ledger and wallet, and of the account activity scan.
import type { Balance } from '../../domain/balance.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { HistoryStep } from '../../history/history.ts';
import type { HistoryQuestion } from '../../history/lists.ts';
import type { Amount } from '../../ledger/amount.ts';
import type { TradeName } from '../../ledger/booked-trades.ts';
import type { Difference } from '../../ledger/ledger.ts';
import type { CompletedRead } from '../../venue/outcomes.ts';
import type { ExternalFlow } from '../durable/external-flow.ts';

interface SeenWallet {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly rows: readonly Balance[];
  readonly totals: ReadonlyMap<Asset, Amount>;
}

/** A wallet compared with the ledger, then and again after new bookings. */
export interface ComparedWallet extends SeenWallet {
  /** Its differences when it came. */
  readonly differences: readonly Difference[];
}

/** A wallet for an opening. */
export interface OpeningWallet extends SeenWallet {
  /** `Reconciliation.newTrades` at that time. */
  readonly moves: number;
}

/** How wallet and ledger compare in one asset. */
export interface Standing {
  /** Wallet minus ledger. */
  readonly difference: Amount;
  /** The wallet's total. */
  readonly actual: Amount;
  /** When the first wallet with this difference came. */
  readonly since: EpochMs;
}

/** A booked trade that the exchange no longer shows. */
export interface Missing extends TradeName {
  readonly venueTime: EpochMs;
  readonly firstMissedAt: EpochMs;
  /** It was missed again after the lists' lag bound. */
  readonly confirmed: boolean;
}

/** Progress of the comparison. Times are by our clock. */
export interface Reconciliation {
  /** Nothing is created before orders, trades and wallet were requested after this time. */
  from: EpochMs;
  /** When the last wallet that matched the ledger was requested. */
  equalSentAt: EpochMs | null;
  /** When the last wallet was requested that differed by exactly the confirmed differences. */
  steadySentAt: EpochMs | null;
  /** When the last wallet that matched the ledger in the asset was requested. */
  readonly equalIn: Map<Asset, EpochMs>;
  /** When the first differing wallet since a matching one came; null while wallet and ledger match. */
  differsSince: EpochMs | null;
  /** The assets that differ, and those whose confirmed difference is gone. */
  standing: ReadonlyMap<Asset, Standing>;
  /** `differsSince` of the last difference notified as impossible to judge; null before the first. */
  unjudgedNotified: EpochMs | null;
  /** The differing wallet that waits for the trades after it. */
  suspect: ComparedWallet | null;
  /**
   * The suspect and the differing wallets before it, oldest first, none older than a list may trail: a wallet that
   * leads matches only once its trades show, and by then the next ones have come.
   */
  earlier: readonly ComparedWallet[];
  /** The last differing wallet, once the trades after it were read. */
  judged: ComparedWallet | null;
  /** The wallet's totals at the last read, by asset. */
  walletTotals: ReadonlyMap<Asset, Amount>;
  /**
   * New rows of own trades in markets that are to be opened, and fills elsewhere with a fee in one of their assets: a
   * change of this count means that something moved.
   */
  newTrades: number;
  /**
   * An opening of the ledger, or of markets that were configured later: a wallet, until trades after it show that
   * nothing moved.
   */
  opening: OpeningWallet | null;
  /** A wallet during which nothing moved: a later one must agree before anything is opened with it. */
  openingBefore: OpeningWallet | null;
  /** The last wallet of this session that matched the ledger while nothing was unexplained; null before the first. */
  rowsWhenEqual: readonly Balance[] | null;
}

export function emptyReconciliation(): Reconciliation {
  return {
    from: 0,
    equalSentAt: null,
    steadySentAt: null,
    equalIn: new Map(),
    differsSince: null,
    standing: new Map(),
    unjudgedNotified: null,
    suspect: null,
    earlier: [],
    judged: null,
    newTrades: 0,
    walletTotals: new Map(),
    opening: null,
    openingBefore: null,
    rowsWhenEqual: null,
  };
}

/** One list of the account that is being read, whatever its rows are. */
export interface ActivityList {
  readonly step: () => HistoryStep<HistoryQuestion>;
  /** Takes in an answer of the list's kind and returns the flows of its new rows; null if nothing was learned. */
  readonly take: (outcome: CompletedRead['outcome'], askedAt: EpochMs) => readonly ExternalFlow[] | null;
}

/** Owned by the trader's state and changed in place. */
export interface ActivityScan {
  /** Lists still to be read; the first is being read now. Empty between scans. */
  lists: ActivityList[];
  /** When the last scan began; null before the first. */
  begunAt: EpochMs | null;
  /** When the last scan began whose lists were all read, or refused; null before the first. */
  readFrom: EpochMs | null;
  /** Rows of the current scan, or of the last one. */
  found: ExternalFlow[];
  /** Failures in a row, and when the last request left. */
  failures: number;
  attemptedAt: EpochMs;
}

export const noActivityScan = (): ActivityScan => ({
  lists: [],
  begunAt: null,
  readFrom: null,
  found: [],
  failures: 0,
  attemptedAt: 0,
});
