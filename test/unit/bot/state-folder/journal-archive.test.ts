// Where records go that leave the journal, and which of their files are kept.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { archivedFiles, createArchive } from '../../../../src/bot/state-folder/journal-archive.ts';
import type { JournalRecord } from '../../../../src/ports/journal-storage.ts';
import { stepsAtMost } from '../../steps-at-most.ts';

const AT = Date.parse('2026-07-01T00:00:00Z');
let folder = '';
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'archive-')), 'journal-archive');
  mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const record = (seq: number, hash: string): JournalRecord => ({
  ...{ seq, epoch: 1, wall: AT, mono: seq, type: 'intent', payload: '{}', prevHash: 'a', hash: hash.repeat(64) },
});

/** Archives 250 records of a journal; by default of one that was started fresh in the folder. */
function archive({ first = 1, hash = 'b', removes = true } = {}): void {
  let records = Array.from({ length: 250 }, (_, index) => record(first + index, hash));
  const { step } = createArchive(folder, {
    page: (after, through, limit) => records.filter(({ seq }) => seq > after && seq <= through).slice(0, limit),
    remove: (through) => {
      if (!removes) throw new Error('database or disk is full');
      records = records.filter(({ seq }) => seq > through);
    },
  });
  const bound = stepsAtMost();
  while (!step(first + 249)) bound();
}

/** A file of the earlier journal, written `hoursAgo`. */
function leave(first: number, last: number, hoursAgo: number): string {
  const name = `journal-${first}-${last}-${'a'.repeat(16)}.jsonl.gz`;
  writeFileSync(path.join(folder, name), gzipSync('of before'));
  const then = Date.now() / 1_000 - hoursAgo * 3_600;
  utimesSync(path.join(folder, name), then, then);
  return name;
}

describe('if a journal was started fresh', () => {
  test('the newest files are kept, whatever their numbers', () => {
    const before = Array.from({ length: 150 }, (_, n) => leave(n * 50_000 + 1, (n + 1) * 50_000, 150 - n));
    archive();
    const kept = archivedFiles(folder).map(({ name }) => name);
    expect(kept).toContain(`journal-1-250-${'b'.repeat(16)}.jsonl.gz`);
    expect(before.filter((name) => !kept.includes(name))).toEqual([before[0]]);
  });

  test('no file of the earlier journal is overwritten', () => {
    const before = leave(1, 250, 1);
    archive({ hash: 'b' });
    archive({ hash: 'c' });
    expect(gunzipSync(readFileSync(path.join(folder, before))).toString('utf8')).toBe('of before');
    expect(readdirSync(folder).sort()).toEqual(
      ['a', 'b', 'c'].map((hash) => `journal-1-250-${hash.repeat(16)}.jsonl.gz`),
    );
  });
});

test('starts that fail while removing archived records leave one file of them', () => {
  for (let start = 0; start < 3; start += 1) expect(() => archive({ removes: false })).toThrow('full');
  expect(readdirSync(folder)).toEqual([`journal-1-250-${'b'.repeat(16)}.jsonl.gz`]);
});
