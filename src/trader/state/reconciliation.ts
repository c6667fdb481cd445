// Where the comparison of ledger and wallet stands.
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

/** A wallet that is compared with the ledger, now and once more is booked. */
export interface ComparedWallet extends SeenWallet {
  /** What it differed by when it came. */
  readonly differences: readonly Difference[];
}

/** A wallet for an opening. */
export interface OpeningWallet extends SeenWallet {
  /** `Reconciliation.newTrades` of then. */
  readonly moves: number;
}

/** How wallet and ledger compare in one asset. */
export interface Standing {
  /** What the wallet held more than the ledger expected. */
  readonly difference: Amount;
  /** The wallet's total. */
  readonly actual: Amount;
  /** When the first wallet came that differed by that. */
  readonly since: EpochMs;
}

/** Where the comparison stands. Moments are by our clock. */
export interface Reconciliation {
  /** Nothing is created before orders, trades and wallet were asked for after this moment. */
  from: EpochMs;
  /** When the last wallet that equalled the ledger was asked for. */
  equalSentAt: EpochMs | null;
  /** When the last wallet was asked for that differed by the confirmed differences, and by nothing else. */
  steadySentAt: EpochMs | null;
  /** When the last wallet that equalled the ledger in the asset was asked for. */
  readonly equalIn: Map<Asset, EpochMs>;
  /** When the first wallet came that differed since one was equal; null while wallet and ledger are equal. */
  differsSince: EpochMs | null;
  /** The assets that differ, and those whose confirmed difference is gone. */
  standing: ReadonlyMap<Asset, Standing>;
  /** `differsSince` of the last difference that was notified as one that can't be judged; null before the first. */
  unjudgedNotified: EpochMs | null;
  /** The wallet that differs and waits for the trades after it. */
  suspect: ComparedWallet | null;
  /**
   * It and those that differed before it, oldest first, none older than a list may trail: a wallet that leads equals
   * only once its trades show, and by then the next ones have come.
   */
  earlier: readonly ComparedWallet[];
  /** The last wallet that differed, once the trades after it were read. */
  judged: ComparedWallet | null;
  /** The wallet's totals at the last read, by asset. */
  walletTotals: ReadonlyMap<Asset, Amount>;
  /**
   * Rows of own trades of markets that are to be opened that were new, and fills of others whose fee was in an asset of
   * theirs: a change between two moments means that something moved.
   */
  newTrades: number;
  /**
   * Opening, of the ledger or of markets that were configured later: a wallet, until trades after it show that it stood
   * still.
   */
  opening: OpeningWallet | null;
  /** A wallet that stood still: a later one must say the same before anything is opened with it. */
  openingBefore: OpeningWallet | null;
  /**
   * What the last wallet held of assets that no run trades: totals by asset; null before the first wallet of a session.
   */
  untracked: ReadonlyMap<Asset, Amount> | null;
  /** What the last one held of them that equalled the ledger while nothing was unexplained; null before the first. */
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
