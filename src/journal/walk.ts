// Reads a journal from its first record to its last: chain, versions, and the state, folded from the snapshot on.
import { fail, ok, type Result } from '../domain/result.ts';
import type { JournalRecord, StoredSnapshot } from '../ports/journal-storage.ts';
import {
  eventOf,
  FORMAT_VERSION,
  follow,
  GENESIS,
  type Head,
  JournalError,
  type JournalEvent,
  type Json,
  sha256Hex,
} from './chain.ts';

/** The type of each opening's first record; its payload states the versions of what follows (F102). */
export const OPENED = 'journal-opened';

export interface WalkOptions<S> {
  /** Version of the events' meaning. A journal with another version is refused. */
  readonly schema: number;
  /** The state without records; a new one for each call if states are changed in place. */
  readonly initial: () => S;
  /** Called for records in order, including the journal's own (`journal-…`). */
  readonly reduce: (state: S, record: JournalRecord) => S;
  /** Without it snapshots are not used. */
  readonly stateText?: StateText<S>;
}

export interface Walk<S> {
  /** The next record in order. A fault ends the walk. */
  take(record: JournalRecord): JournalError | null;
  /** After the last record: the state, and the end of the chain. */
  end(): Result<Walked<S>, JournalError>;
}

export interface Walked<S> {
  readonly state: S;
  readonly head: Head;
  /** Wall time of the last record, in ms; null without one. */
  readonly lastWall: number | null;
  /** Numbers of the first record kept, and of the one that announces the snapshot; 0 where there is none. */
  readonly firstSeq: number;
  readonly snapshotSeq: number;
}

const damaged = (sentence: string): JournalError => new JournalError('damaged', `The journal is damaged. ${sentence}`);

/**
 * A walk over the whole chain. The state begins at the stored snapshot; a journal without record 1 must have one to
 * begin from.
 */
export function startWalk<S>(options: WalkOptions<S>, stored: StoredSnapshot | null): Walk<S> {
  const { schema, stateText } = options;
  let head = GENESIS;
  let firstSeq = 0;
  let lastWall: number | null = null;
  let state: S | null = null;
  let announced = false;

  function begin(record: JournalRecord): JournalError | null {
    firstSeq = record.seq;
    const whole = record.seq === 1;
    if (whole && record.type !== OPENED) return damaged(`Its first record is '${record.type}' and states no version.`);
    const usable = stored !== null && stateText !== undefined;
    if (whole && !usable) state = options.initial();
    else if (!usable || record.seq > stored.seq) return null; // `follow` reports the missing record.
    if (!whole) head = { seq: record.seq - 1, epoch: record.epoch, hash: record.prevHash };
    return null;
  }

  function fold(record: JournalRecord): JournalError | null {
    if (stored !== null && record.seq === stored.seq) {
      if (!announces(record, stored))
        return damaged(`The snapshot of record ${record.seq} is not the one that was written.`);
      announced = true;
      // Only now is the text proved to be ours.
      if (state === null && stateText) state = stateText.decode(stored.text);
    }
    if (state !== null) state = options.reduce(state, record);
    return null;
  }

  return {
    take(record) {
      const refusal = firstSeq === 0 ? begin(record) : null;
      if (refusal) return refusal;
      const next = follow(head, record);
      if (!next.ok) return damaged(next.error.message);
      head = next.value;
      lastWall = record.wall;
      return versionRefusal(record, schema) ?? fold(record);
    },
    end() {
      if (stored !== null && !announced)
        return fail(damaged(`The snapshot of record ${stored.seq} is there and the record is not.`));
      return ok({ state: state ?? options.initial(), head, lastWall, firstSeq, snapshotSeq: stored?.seq ?? 0 });
    },
  };
}

/** Both kinds state versions: the opening's record may have been retired, the snapshot's has not. */
function versionRefusal(record: JournalRecord, schema: number): JournalError | null {
  if (record.type !== OPENED && record.type !== SNAPSHOT) return null;
  const stated = versionsOf(record);
  if (stated.format === FORMAT_VERSION && stated.schema === schema) return null;
  const theirs = `format ${stated.format}, schema ${stated.schema}`;
  const ours = `format ${FORMAT_VERSION}, schema ${schema}`;
  const isNewer = stated.format > FORMAT_VERSION || stated.schema > schema;
  return new JournalError(
    'newer',
    `${isNewer ? 'A newer' : 'An older'} program wrote this journal ` +
      `(${theirs}; this one knows ${ours}). Start that one.`,
  );
}

/** Unreadable versions count as newer than everything: the format is unknown. */
function versionsOf(record: JournalRecord): { format: number; schema: number } {
  const payload = eventOf(record).payload as { readonly format?: Json; readonly schema?: Json } | null;
  const version = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.POSITIVE_INFINITY);
  return { format: version(payload?.format), schema: version(payload?.schema) };
}

// The state at one record, stored outside the chain: a start folds from there, and older records may be retired.

/** The type of the record that announces a snapshot of the state after all records before it. */
export const SNAPSHOT = 'journal-snapshot';

/** Converts a state to text and back. Equal states must have equal texts. */
export interface StateText<S> {
  encode(state: S): string;
  decode(text: string): S;
}

/** The journal's record of a snapshot; its hash proves that a text is the announced one. */
export function announcement(text: string, schema: number): JournalEvent {
  return { type: SNAPSHOT, payload: { format: FORMAT_VERSION, schema, stateHash: sha256Hex(text) } };
}

/** Whether the record announces this snapshot: place, version and hash of the text. */
function announces(record: JournalRecord, stored: StoredSnapshot): boolean {
  if (record.type !== SNAPSHOT || record.seq !== stored.seq) return false;
  const payload = eventOf(record).payload as { readonly schema?: Json; readonly stateHash?: Json } | null;
  return payload?.schema === stored.schema && payload.stateHash === sha256Hex(stored.text);
}
