// What the journal says of itself and of the sessions that wrote it.
import type { EpochMs } from '../../domain/time.ts';

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
}

export function emptyJournal(): JournalFacts {
  return { epoch: 0, paperInstance: null, lastEventAt: 0, endedFlat: false, staleFrom: null };
}
