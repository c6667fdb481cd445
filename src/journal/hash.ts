// The hash of a record. This is a file format: what is written here stays true for ever under its version.
import { hash } from 'node:crypto';
import type { JournalRecord } from '../ports/journal-storage.ts';

/** Version of the records' format: fields, their meaning, and the text that is hashed. */
export const FORMAT_VERSION = 1;

/** `prevHash` of the first record. */
export const GENESIS_HASH = '0'.repeat(64);

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
 * Only the payload, which is last, may hold any character, so no two records share a text. It can be checked without
 * this program: `printf '%s\n…' | sha256sum`.
 */
export function recordHash(record: Omit<JournalRecord, 'hash'>): string {
  const { seq, epoch, wall, mono, type, prevHash, payload } = record;
  return sha256Hex(
    `quotekeeper-journal ${FORMAT_VERSION}\n${seq}\n${epoch}\n${wall}\n${mono}\n${type}\n${prevHash}\n${payload}`,
  );
}
