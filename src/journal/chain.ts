// The chain: every record carries the previous one's hash, so no record can be changed, dropped or inserted unnoticed.
import { hash } from 'node:crypto';
import { invariant } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';

/** The end of the chain. A chain cut after a whole record is still valid: the proof of its end is elsewhere (F96). */
export interface Head {
  /** 0 before the first record. */
  readonly seq: number;
  readonly epoch: number;
  readonly hash: string;
}

/** `prevHash` of the first record. */
export const GENESIS_HASH = '0'.repeat(64);

export const GENESIS: Head = { seq: 0, epoch: 0, hash: GENESIS_HASH };

/** `epoch`: number of the opening that writes, higher for each; the times are in ms, and fractions are dropped. */
type Stamp = Pick<JournalRecord, 'epoch' | 'wall' | 'mono'>;

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

/** The fault in a sentence, and its record: the number expected in that place. */
export interface ChainFault {
  readonly seq: number;
  readonly message: string;
}

/** Checks that a record follows the head: number, epoch, link and hash. Returns the new head. */
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

/** Follows the whole chain. Returns its head, or the first wrong record. */
export function verify(records: Iterable<JournalRecord>): Result<Head, ChainFault> {
  let head = GENESIS;
  for (const record of records) {
    const next = follow(head, record);
    if (!next.ok) return next;
    head = next.value;
  }
  return ok(head);
}

// The hash of a record. This is a file format: it must never change under its version.

/** Version of the records' format: fields, their meaning, and the hashed text. */
export const FORMAT_VERSION = 1;

/** SHA-256 of the text in UTF-8, 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * SHA-256 of eight lines joined by one line feed, none at the end, in UTF-8:
 *
 *     quotekeeper-journal 1
 *     <seq> <epoch> <wall> <mono>, each on its own line as a decimal integer
 *     <type>
 *     <prevHash>
 *     <payload>, the JSON text exactly as stored
 *
 * Only the payload, which is last, may contain arbitrary characters, so no two records share a text. It can be checked
 * without this program: `printf '%s\n…' | sha256sum`.
 */
export function recordHash(record: Omit<JournalRecord, 'hash'>): string {
  const { seq, epoch, wall, mono, type, prevHash, payload } = record;
  return sha256Hex(
    `quotekeeper-journal ${FORMAT_VERSION}\n${seq}\n${epoch}\n${wall}\n${mono}\n${type}\n${prevHash}\n${payload}`,
  );
}

// The program's journal events: a type and data, as JSON.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface JournalEvent {
  /** Lower-case words joined by `-` or `.`, such as `intent` or `fill-booked`. */
  readonly type: string;
  /** Money, prices and ids in it are strings: JSON numbers are only for counts and times. */
  readonly payload: Json;
}

const TYPE = /^[a-z][a-z0-9.-]{0,63}$/;

/**
 * The payload's text. A value that JSON would change or lose silently (NaN, undefined, a bigint) is a bug and throws.
 */
function payloadText(event: JournalEvent): string {
  invariant(TYPE.test(event.type), () => `'${event.type}' is not a type of a journal event.`);
  return JSON.stringify(event.payload, (key: string, value: unknown) => {
    const kept =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      typeof value === 'object' ||
      Number.isFinite(value);
    invariant(kept, () => `Event '${event.type}' has ${String(value)} at '${key}', which JSON does not keep.`);
    return value;
  });
}

/** The event of a record with a checked hash: `payloadText` wrote its payload. */
export function eventOf(record: JournalRecord): JournalEvent {
  return { type: record.type, payload: JSON.parse(record.payload) as Json };
}

// Records as text, for archives and the faked disk.

/** One record as a line of JSON, ending in a line feed. */
export const lineOf = (record: JournalRecord): string => `${JSON.stringify(record)}\n`;

const NUMBERS = ['seq', 'epoch', 'wall', 'mono'] as const;
const TEXTS = ['type', 'payload', 'prevHash', 'hash'] as const;

/** Converts a parsed JSON value to a record; null for anything else, including more or fewer fields. */
export function recordOf(value: unknown): JournalRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const row = value as Readonly<Record<string, unknown>>;
  const numbers = NUMBERS.every((name) => typeof row[name] === 'number');
  const texts = TEXTS.every((name) => typeof row[name] === 'string');
  const whole = Object.keys(row).length === NUMBERS.length + TEXTS.length;
  return numbers && texts && whole ? (row as unknown as JournalRecord) : null;
}

// Why the journal can't be opened or written. The only error thrown by this folder and its storage.

/**
 * - `locked`: another instance holds it. `unreachable`: the folder is missing or may not be written.
 * - `not-a-journal`: the file is something else. `newer`: a later version of the program wrote it.
 * - `damaged`: its content differs from what was written. `ahead`: its last record is later than now. `older`: records
 *   are missing at its end.
 * - `full`: the disk or the file's limit. `moved`: deleted, replaced or opened to others while in use. `taken`: another
 *   instance has taken it over. `latched`: the account's kill latch is set. `failed`: any other failure.
 */
export type JournalErrorKind =
  | 'locked'
  | 'unreachable'
  | 'not-a-journal'
  | 'newer'
  | 'damaged'
  | 'ahead'
  | 'older'
  | 'full'
  | 'moved'
  | 'taken'
  | 'latched'
  | 'failed';

/** The message is a sentence for people. After an `append` failure the process must end before another create (P3). */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalErrorKind;

  constructor(kind: JournalErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
