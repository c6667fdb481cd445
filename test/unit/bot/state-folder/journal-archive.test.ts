// Where records go that leave the journal, and which of their files are kept.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { archivedFiles, createArchive } from '../../../../src/bot/state-folder/journal-archive.ts';
import type { JournalRecord } from '../../../../src/ports/journal-storage.ts';

const AT = Date.parse('2026-07-01T00:00:00Z');
let folder = '';
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'archive-')), 'journal-archive');
  mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const record = (seq: number): JournalRecord => ({
  ...{ seq, epoch: 1, wall: AT, mono: seq, type: 'intent', payload: '{}', prevHash: 'a', hash: 'b' },
});

/** Archives records 1 to 250 of a journal that was begun afresh in the folder. */
function archiveAfresh(): void {
  let records = Array.from({ length: 250 }, (_, index) => record(index + 1));
  const { step } = createArchive(folder, {
    page: (after, through, limit) => records.filter(({ seq }) => seq > after && seq <= through).slice(0, limit),
    remove: (through) => {
      records = records.filter(({ seq }) => seq > through);
    },
    keptFrom: () => 1,
  });
  while (!step(250));
}

/** A file of the journal of before, written so many hours ago. */
function leave(first: number, last: number, hoursAgo: number): string {
  const name = `journal-${first}-${last}.jsonl.gz`;
  writeFileSync(path.join(folder, name), gzipSync('of before'));
  const then = Date.now() / 1_000 - hoursAgo * 3_600;
  utimesSync(path.join(folder, name), then, then);
  return name;
}

describe('where a journal was begun afresh', () => {
  test('the newest files are kept, whatever their numbers', () => {
    const before = Array.from({ length: 150 }, (_, n) => leave(n * 50_000 + 1, (n + 1) * 50_000, 150 - n));
    archiveAfresh();
    const kept = archivedFiles(folder).map(({ name }) => name);
    expect(kept).toContain('journal-1-250.jsonl.gz');
    expect(before.filter((name) => !kept.includes(name))).toEqual([before[0]]);
  });

  test('no file of the journal of before is written over', () => {
    const before = leave(1, 250, 1);
    archiveAfresh();
    archiveAfresh();
    expect(gunzipSync(readFileSync(path.join(folder, before))).toString('utf8')).toBe('of before');
    expect(readdirSync(folder).sort()).toEqual([
      'journal-1-250.2.jsonl.gz',
      'journal-1-250.3.jsonl.gz',
      'journal-1-250.jsonl.gz',
    ]);
    expect(archivedFiles(folder).every(({ first, last }) => first === 1 && last === 250)).toBe(true);
    expect(existsSync(path.join(folder, 'part.jsonl.gz'))).toBe(false);
  });
});
