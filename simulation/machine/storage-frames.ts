// The faked journal's bytes: one frame per append, and which of them may be used after a crash (P2).
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { type ChainFault, follow, type Head, recordOf, sha256Hex } from '../../src/journal/chain.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { SECTOR } from './storage-disk.ts';

// A frame is a header of fixed length and a body, both ASCII text:
//
//     quote,<length of the body>,<hash of the body>,<hash of the header before this>⏎<body: a JSON list of records>
//
// Bytes that no write ever reached are zeros, and no byte of ours is one flipped bit away from a zero: so a zero means
// "never written" and any other error means "damaged", which decides about the last frame.
const MARK = 'quote,';
const LENGTH_DIGITS = 10;
const HASH_DIGITS = 16;
const HEADER = MARK.length + LENGTH_DIGITS + 1 + HASH_DIGITS + 1 + HASH_DIGITS + 1;

const shortHash = (text: string): string => sha256Hex(text).slice(0, HASH_DIGITS);

/** The bytes of one append. */
export function frameOf(records: readonly JournalRecord[]): Uint8Array {
  const body = JSON.stringify(records).replace(/[ @\x7f-\uffff]/g, escaped);
  const header = `${MARK}${String(body.length).padStart(LENGTH_DIGITS, '0')},${shortHash(body)},`;
  return Buffer.from(`${header}${shortHash(header)}\n${body}`, 'latin1');
}

/** Space, at sign and bytes above ASCII have only one bit set, or need one: JSON has another spelling for them. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export interface RecoveredLog {
  readonly records: readonly JournalRecord[];
  /** Bytes of these records: the next frame is written there. */
  readonly length: number;
  /** Bytes of an incomplete last frame after them. */
  readonly dropped: number;
}

/**
 * Reads an image from its first record on; `start` returns the head before that record. Only an incomplete last append
 * may be dropped: one that ends with the file, or has zeros where a sector was never written, with no whole frame after
 * it. Any other damage refuses, with the number of the expected record.
 */
export function recoverLog(image: Uint8Array, start: (first: JournalRecord) => Head): Result<RecoveredLog, ChainFault> {
  const text = Buffer.from(image).toString('latin1');
  const records: JournalRecord[] = [];
  let head: Head | null = null;
  let at = 0;
  for (;;) {
    const seq = (head?.seq ?? 0) + 1;
    const frame = at === text.length ? null : frameAt(text, at);
    if (frame === null) return ok({ records, length: at, dropped: 0 });
    if (typeof frame === 'string') return judged(frame, { text, at, seq, records });
    for (const value of frame.rows) {
      const record = recordOf(value);
      if (record === null)
        return fail({ seq, message: `Record ${seq} can't be read: its frame holds something else.` });
      const next = follow(head ?? start(record), record);
      if (!next.ok) return next;
      head = next.value;
      records.push(record);
    }
    at = frame.end;
  }
}

interface Frame {
  readonly rows: readonly unknown[];
  readonly end: number;
}

/** The frame that begins there, or why there is none. */
function frameAt(text: string, at: number): Frame | 'unwritten' | 'damaged' {
  const header = text.slice(at, at + HEADER);
  const signed = header.slice(0, -HASH_DIGITS - 1);
  if (header.length < HEADER) return 'unwritten';
  const whole = header.startsWith(MARK) && header.endsWith(`${shortHash(signed)}\n`);
  if (!whole) return hasGap(text, at, at + HEADER) ? 'unwritten' : 'damaged';
  const length = Number(header.slice(MARK.length, MARK.length + LENGTH_DIGITS));
  const end = at + HEADER + length;
  const body = text.slice(at + HEADER, end);
  if (body.length < length) return 'unwritten';
  const hash = signed.slice(-HASH_DIGITS - 1, -1);
  // Data after a frame was written only once the frame was synced.
  if (shortHash(body) !== hash) return end === text.length && hasGap(text, at + HEADER, end) ? 'unwritten' : 'damaged';
  return { rows: JSON.parse(body) as unknown[], end };
}

/** Whether zeros extend to the end of a sector or of the file somewhere in the range: bytes never written. */
function hasGap(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (text[at] !== '\0') continue;
    let end = at;
    while (end < text.length && end % SECTOR !== SECTOR - 1 && text[end] === '\0') end += 1;
    if (end === text.length || text[end] === '\0') return true;
    at = end;
  }
  return false;
}

interface Broken {
  readonly text: string;
  readonly at: number;
  readonly seq: number;
  readonly records: readonly JournalRecord[];
}

function judged(kind: 'unwritten' | 'damaged', { text, at, seq, records }: Broken): Result<RecoveredLog, ChainFault> {
  if (kind === 'damaged') return fail({ seq, message: `Record ${seq} can't be read: its frame is damaged.` });
  for (let later = text.indexOf(MARK, at + 1); later >= 0; later = text.indexOf(MARK, later + 1)) {
    if (typeof frameAt(text, later) !== 'string')
      return fail({ seq, message: `Record ${seq} can't be read: it has gaps, and later records follow it.` });
  }
  return ok({ records, length: at, dropped: text.length - at });
}
