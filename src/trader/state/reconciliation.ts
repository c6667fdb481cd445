// Where the comparison of ledger and wallet stands.
import type { Balance } from '../../domain/balance.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';

/** A wallet that is compared with the ledger, now and once more is booked. */
export interface SeenWallet {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly rows: readonly Balance[];
  readonly totals: ReadonlyMap<Asset, Amount>;
  /** What had moved in this session until then: `Reconciliation.newTrades` of one for an opening, else `movesOf`. */
  readonly moves: number;
}

/** Where the comparison stands. Moments are by our clock. */
export interface Reconciliation {
  /** Nothing is created before orders, trades and wallet were asked for after this moment. */
  from: EpochMs;
  /** When the last wallet that equalled the ledger was asked for. */
  equalSentAt: EpochMs | null;
  /** When the last wallet that differed by exactly the confirmed difference was asked for. */
  steadySentAt: EpochMs | null;
  /** When the first of the wallets came that differ in the same way; null while wallet and ledger are equal. */
  differsSince: EpochMs | null;
  /** How, to tell whether it is still the same: totals, or amounts alone where no fill can be in it. */
  differsBy: string | null;
  /** `differsSince` of the last difference that was notified as one that can't be judged; null before the first. */
  unjudgedNotified: EpochMs | null;
  /** The wallet that differs and waits for the trades after it. */
  suspect: SeenWallet | null;
  /**
   * It and those that differed before it, oldest first, none older than a list may trail: a wallet that leads equals
   * only once its trades show, and by then the next ones have come.
   */
  earlier: readonly SeenWallet[];
  /** The last wallet that differed while nothing moved. */
  judged: SeenWallet | null;
  /** Fills booked in this session: a change between two moments means that something was new. */
  bookedFills: number;
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
  opening: SeenWallet | null;
  /** A wallet that stood still: a later one must say the same before anything is opened with it. */
  openingBefore: SeenWallet | null;
  /**
   * What the last wallet held of assets that no run trades: totals by asset; null before the first wallet of a session.
   */
  untracked: ReadonlyMap<Asset, Amount> | null;
  /**
   * A wallet of this session has equalled the ledger while nothing was unexplained: what moves of such assets is seen
   * from then on.
   */
  followsUntracked: boolean;
}

/**
 * Own trades that are known in this session, booked or of a market that waits to be opened: a change between two
 * moments means that something moved.
 */
export const movesOf = ({ bookedFills, newTrades }: Reconciliation): number => bookedFills + newTrades;

export function emptyReconciliation(): Reconciliation {
  return {
    from: 0,
    equalSentAt: null,
    steadySentAt: null,
    differsSince: null,
    differsBy: null,
    unjudgedNotified: null,
    suspect: null,
    earlier: [],
    judged: null,
    bookedFills: 0,
    newTrades: 0,
    walletTotals: new Map(),
    opening: null,
    openingBefore: null,
    untracked: null,
    followsUntracked: false,
  };
}
