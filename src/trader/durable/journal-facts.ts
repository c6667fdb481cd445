// What the journal says of itself and of the sessions that wrote it.
import type { EpochMs } from '../../domain/time.ts';
import type { Intent } from './intent.ts';

/** When a create left, by the exchange's clock and by ours. */
export type Stamp = Readonly<Pick<Intent, 'timestamp' | 'sentAt'>>;

export interface JournalFacts {
  /** Rises with every start of the program on this journal. */
  epoch: number;
  paperInstance: string | null;
  /** When the last event happened, by our clock. */
  lastEventAt: EpochMs;
  /** Whether the last session ended with every own order proved gone. */
  endedFlat: boolean;
  /**
   * Where the journal ended when it was found to be older than the account, by our clock; null while no symbol is
   * halted for that.
   */
  staleFrom: EpochMs | null;
  /**
   * Of the newest create whose order the exchange named: its stamp was taken, and tells by how much our clock was set
   * since, also when nothing of it is open any more. Null where none was.
   */
  newestStamp: Stamp | null;
}

export function emptyJournal(): JournalFacts {
  return { epoch: 0, paperInstance: null, lastEventAt: 0, endedFlat: false, staleFrom: null, newestStamp: null };
}
