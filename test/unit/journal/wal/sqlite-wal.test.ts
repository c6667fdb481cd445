import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { walFault } from '../../../../src/journal/sqlite-wal.ts';
import { damaged, FRAME, FRAME_HEADER, HEADER, PAGE, walOf } from './wal-log.ts';

const HEADER_FAULT = 'Its header is damaged and frames follow.';
const frameFault = (frame: number, of = 5): string =>
  `Frame ${frame} of ${of} is damaged and later transactions follow it.`;
const at = (frame: number, byte: number): number => HEADER + (frame - 1) * FRAME + byte;

/** What SQLite itself writes for so many rows, each in a transaction of its own. */
function logOf(rows: number): Uint8Array {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wal-'));
  const file = path.join(folder, 'a.db');
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA page_size = ${PAGE}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;`);
    database.exec('CREATE TABLE t (text TEXT)');
    for (let row = 0; row < rows; row += 1) database.exec(`INSERT INTO t VALUES ('${'x'.repeat(900)}')`);
    return new Uint8Array(readFileSync(`${file}-wal`));
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

describe('a log that SQLite wrote', () => {
  const log = logOf(6);
  const frames = (log.length - HEADER) / FRAME;

  test('is sound', () => {
    expect(Number.isInteger(frames) && frames > 6).toBe(true);
    expect(walFault(log)).toBeNull();
  });

  test('has a fault where a page in its middle is damaged, and none where it is the last', () => {
    expect(walFault(damaged(log, at(3, FRAME_HEADER + 100)))).toBe(frameFault(3, frames));
    expect(walFault(damaged(log, at(frames, FRAME_HEADER + 100)))).toBeNull();
  });
});

describe.each(['little', 'big'] as const)('a log with checksums of %s-endian words', (endian) => {
  // Frames 1 and 2, frame 3, frames 4 and 5.
  const log = walOf([2, 1, 2], endian);

  test('is sound, wherever it ends', () => {
    expect(walFault(log)).toBeNull();
    for (let end = 0; end <= log.length; end += 7) expect([end, walFault(log.slice(0, end))]).toEqual([end, null]);
  });

  test('is read from its own beginning, where it is a part of something larger', () => {
    const larger = new Uint8Array(log.length + 64);
    larger.set(log, 16);
    expect(walFault(larger.subarray(16, 16 + log.length))).toBeNull();
    expect(walFault(damaged(larger, 16 + at(1, 30)).subarray(16, 16 + log.length))).toBe(frameFault(1));
  });

  test('has a fault where any byte of its header is damaged and a frame follows', () => {
    for (let byte = 0; byte < HEADER; byte += 1) {
      expect([byte, walFault(damaged(log, byte))]).toEqual([byte, HEADER_FAULT]);
      expect(walFault(damaged(log, byte).slice(0, HEADER + FRAME_HEADER + PAGE - 1))).toBeNull();
    }
    expect(walFault(damaged(log, 30).slice(0, HEADER + FRAME))).toBe(HEADER_FAULT);
  });

  // The number of the page, salts, both checksums, and the page from its first byte to its last.
  const bytes = [0, 3, 8, 11, 12, 15, 16, 19, 20, 23, 24, 280, FRAME - 1];

  test.each([1, 2, 3])('has a fault where any byte of frame %i is damaged: transactions follow it', (frame) => {
    for (const byte of bytes)
      expect([byte, walFault(damaged(log, at(frame, byte)))]).toEqual([byte, frameFault(frame)]);
  });

  test.each([4, 5])('has none where a byte of frame %i is damaged: that is of the last transaction', (frame) => {
    for (const byte of bytes) expect([byte, walFault(damaged(log, at(frame, byte)))]).toEqual([byte, null]);
  });

  test('has a fault where only a part of a later transaction follows the damaged one', () => {
    const cut = log.slice(0, at(5, 0));
    expect(walFault(damaged(cut, at(3, 100)))).toBe(frameFault(3, 4));
    expect(walFault(damaged(log.slice(0, at(4, 0)), at(3, 100)))).toBeNull();
  });

  test('has none for what an earlier generation left behind its end', () => {
    const older = log.slice();
    // Frames 4 and 5 carry other salts.
    for (const frame of [4, 5]) for (const byte of [8, 12]) older[at(frame, byte)] = 0xaa;
    expect(walFault(older)).toBeNull();
    expect(walFault(damaged(older, at(3, 100)))).toBeNull();
    expect(walFault(damaged(older, at(1, 100)))).toBe(frameFault(1));
  });
});
