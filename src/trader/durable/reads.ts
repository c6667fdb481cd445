// Which requests a conclusion rests on, as the journal names them. The fold needs none of it: it is there for people,
// and for whoever checks that a conclusion was proved.
import type { EpochMs } from '../../domain/time.ts';

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

/** The lists in a row, while stopping, that have shown nothing of ours: when each left. */
export interface StopProof {
  firstSentAt: EpochMs | null;
  secondSentAt: EpochMs | null;
  /** Whether the first one was asked for. */
  asked: boolean;
}
