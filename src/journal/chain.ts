// The chain: every record carries the hash of the one before, so no record can be changed, dropped or inserted unseen.
import { fail, ok, type Result } from '../domain/result.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';
import { type JournalEvent, payloadText } from './event.ts';
import { GENESIS_HASH, recordHash } from './hash.ts';

/**
 * Where the chain ends. A chain cut off after a whole record is still a chain: what proves the end is elsewhere (F96).
 */
export interface Head {
  /** 0 before the first record. */
  readonly seq: number;
  readonly epoch: number;
  readonly hash: string;
}

export const GENESIS: Head = { seq: 0, epoch: 0, hash: GENESIS_HASH };

export interface Stamp {
  /** Number of the opening that writes; grows with each. */
  readonly epoch: number;
  /** Ms; fractions are dropped. */
  readonly wall: number;
  readonly mono: number;
}

export const headAt = ({ seq, epoch, hash }: JournalRecord): Head => ({ seq, epoch, hash });

/** The record that follows the head. */
export function nextRecord(head: Head, stamp: Stamp, event: JournalEvent): JournalRecord {
  const unsigned = {
    seq: head.seq + 1,
    epoch: stamp.epoch,
    wall: Math.floor(stamp.wall),
    mono: Math.floor(stamp.mono),
    type: event.type,
    payload: payloadText(event),
    prevHash: head.hash,
  };
  return { ...unsigned, hash: recordHash(unsigned) };
}

/** What is wrong, in a sentence, and with which record: the number that was expected where it stands. */
export interface ChainFault {
  readonly seq: number;
  readonly message: string;
}

/** Whether a record follows the head: number, epoch, link and hash. Gives the new head. */
export function follow(head: Head, record: JournalRecord): Result<Head, ChainFault> {
  const seq = head.seq + 1;
  const bad = (message: string): Result<never, ChainFault> => fail({ seq, message: `Record ${seq} ${message}` });
  if (record.seq !== seq) return bad(`is missing: number ${record.seq} stands in its place.`);
  const whole = [record.epoch, record.wall, record.mono].every(Number.isSafeInteger);
  if (!whole) return bad('has an epoch or a time that is not a whole number.');
  if (record.prevHash !== head.hash) return bad(`does not follow record ${head.seq}: it links to another hash.`);
  if (record.hash !== recordHash(record)) return bad('has been changed: its hash is not that of its content.');
  if (record.epoch < head.epoch) return bad(`has epoch ${record.epoch} after epoch ${head.epoch}.`);
  return ok(headAt(record));
}

/** Follows the whole chain. Gives its head, or the first record that is wrong. */
export function verify(records: Iterable<JournalRecord>): Result<Head, ChainFault> {
  let head = GENESIS;
  for (const record of records) {
    const next = follow(head, record);
    if (!next.ok) return next;
    head = next.value;
  }
  return ok(head);
}

/** The state after all records, in order. */
export function foldJournal<S>(
  records: Iterable<JournalRecord>,
  initial: S,
  reduce: (state: S, record: JournalRecord) => S,
): S {
  let state = initial;
  for (const record of records) state = reduce(state, record);
  return state;
}
