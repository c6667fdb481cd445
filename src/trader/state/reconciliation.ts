// Progress of comparing ledger and wallet.
import type { Balance } from '../../domain/balance.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';
import type { Difference } from '../../ledger/ledger.ts';

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
  /** The last wallet's totals of assets that no run trades; null before the first wallet of a session. */
  untracked: ReadonlyMap<Asset, Amount> | null;
  /**
   * The same totals of the last wallet that matched the ledger while nothing was unexplained; null before the first.
   */
  untrackedBefore: ReadonlyMap<Asset, Amount> | null;
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
    untracked: null,
    untrackedBefore: null,
  };
}
