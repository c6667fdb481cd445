// Facts about the journal itself and the sessions that wrote it.
import type { EpochMs } from '../../domain/time.ts';
import type { Intent } from './intent.ts';

/** When a create left, by the exchange's clock and by ours. */
export type Stamp = Readonly<Pick<Intent, 'timestamp' | 'sentAt'>>;

export interface JournalFacts {
  /** Rises with every start of the program on this journal. */
  epoch: number;
  paperInstance: string | null;
  /** Whether this session has compared the account with the journal: a wallet has matched the ledger. */
  isCompared: boolean;
  /**
   * Up to when the journal knows the account, by our clock: the last event of a session that has compared it. A session
   * without answers adds nothing.
   */
  knownTo: EpochMs;
  /** Whether the last session that compared the account ended with every own order proved gone. */
  endedFlat: boolean;
  /**
   * Where the journal ended when it was found to be older than the account, by our clock; null while no symbol is
   * halted for that.
   */
  staleFrom: EpochMs | null;
  /**
   * When a person last answered whose the orders of such a journal are, by our clock; 0 if nobody has. Earlier orders
   * are not asked about again.
   */
  answeredAt: EpochMs;
  /**
   * The stamp of the newest create whose order the exchange named: it was accepted, and shows by how much our clock was
   * set since, even if nothing of it is open any more. Null if there was none.
   */
  newestStamp: Stamp | null;
}

/** Where the journal ended when the account went on without it, by our clock. */
export const endOfJournal = ({ staleFrom, knownTo, answeredAt }: JournalFacts): EpochMs =>
  staleFrom ?? Math.max(knownTo, answeredAt);

export function emptyJournal(): JournalFacts {
  return {
    ...{ epoch: 0, paperInstance: null, isCompared: false, knownTo: 0 },
    ...{ endedFlat: false, staleFrom: null, answeredAt: 0, newestStamp: null },
  };
}
