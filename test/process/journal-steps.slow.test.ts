// Killed before each single operation on the disk while it appends, takes a snapshot, archives and retires: none is
// left out, and no record of the books is lost or doubled.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { archiveFolder } from '../../src/bot/state-folder/journal-archive.ts';
import { assertWitnessed, readWitness } from '../../src/bot/state-folder/journal-witness.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { verify } from '../../src/journal/chain.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { isNumber, openCounting, readCounting } from '../unit/journal/counting-journal.ts';
import { lastAcked, newFolder, removeFolders, start } from './journal-processes.ts';

afterAll(removeFolders);

const CHILD = new URL('journal-steps-child.ts', import.meta.url).pathname;
/** Enough for more than one step of everything: walking, archiving, removing. */
const NUMBERS = 620;

function prepared(): string {
  const path = join(newFolder(), 'journal.db');
  const storage = openSqliteJournal(path);
  openCounting(storage).add(Array.from({ length: NUMBERS }, (_, n) => n));
  storage.close();
  return path;
}

const archived = (path: string): JournalRecord[] => {
  const folder = archiveFolder(path);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.startsWith('journal-'));
  const lines = files.flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n'),
  );
  return lines.map((line) => JSON.parse(line) as JournalRecord);
};

interface Found {
  readonly acked: number;
  readonly killed: boolean;
  readonly seq: number;
  readonly firstSeq: number;
  readonly snapshotSeq: number;
}

/** Runs a child on a copy, killed before operation `k`, and checks what it left. */
async function killedBefore(k: number, original: string): Promise<Found> {
  const path = join(newFolder(), 'journal.db');
  copyFileSync(original, path);
  const child = start(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, path, String(k)]);
  await child.ended();
  const acked = Math.max(NUMBERS + 1, lastAcked(child.lines));
  const storage = openSqliteJournal(path);
  try {
    const { state, seq, firstSeq, snapshotSeq } = readCounting(storage);
    const here = [...storage.read()];
    // P1: all that was acknowledged, and of what was not only the append that was on its way, whole.
    expect(seq).toBeGreaterThanOrEqual(acked);
    expect(seq - acked).toBeLessThanOrEqual(2);
    const all = new Map([...archived(path), ...here].map((record) => [record.seq, record]));
    const chain = [...all.values()].sort((a, b) => a.seq - b.seq);
    expect(verify(chain)).toMatchObject({ ok: true, value: { seq } });
    const numbers = chain.filter(isNumber).map(({ payload }) => Number(payload));
    expect(state).toEqual({ count: numbers.length, sum: numbers.reduce((sum, n) => sum + n, 0) });
    // What is of the books is there once: in the journal, or in their own table.
    const ofBooks = ({ type }: JournalRecord): boolean => type === 'external-flow';
    const books = [...storage.books()];
    expect([...books, ...here].filter(ofBooks)).toEqual(chain.filter(ofBooks));
    expect(books.filter((record) => !ofBooks(record)).map((record) => record.seq)).toEqual(books.length > 0 ? [1] : []);
    const witness = readWitness(`${path}.witness`);
    if (witness) assertWitnessed(storage, { witness, file: `${path}.witness` });
    return { acked, killed: !child.lines.some((line) => line.startsWith('done')), seq, firstSeq, snapshotSeq };
  } finally {
    storage.close();
  }
}

describe('a journal whose process is killed', () => {
  test('before any of its operations has every record that was acknowledged, in the table or the archive', async () => {
    const original = prepared();
    const seen: Found[] = [];
    for (let k = 1; seen.at(-1)?.killed !== false; k += 1) seen.push(await killedBefore(k, original));
    // Every state on the way was met: nothing done, snapshot announced, kept, archived and partly removed, all done.
    const last = seen.at(-1);
    expect(seen.length).toBeGreaterThan(30);
    expect(seen.some(({ snapshotSeq }) => snapshotSeq === 0)).toBe(true);
    expect(seen.some(({ snapshotSeq, firstSeq }) => snapshotSeq > 0 && firstSeq === 1)).toBe(true);
    expect(seen.some(({ firstSeq }) => firstSeq > 1 && firstSeq < (last?.firstSeq ?? 0))).toBe(true);
    expect(last?.firstSeq).toBe(last?.snapshotSeq);
  });

  test('goes on where it was cut off: archive and table are whole after the next round, and stay small', async () => {
    const original = prepared();
    await killedBefore(22, original);
    const path = join(newFolder(), 'journal.db');
    copyFileSync(original, path);
    for (const k of [22, 25, 30, 0]) {
      const child = start(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, path, String(k)]);
      await child.ended();
    }
    const storage = openSqliteJournal(path);
    const { firstSeq, seq } = readCounting(storage);
    storage.close();
    expect(seq - firstSeq).toBeLessThan(100);
    expect(readdirSync(archiveFolder(path)).filter((name) => !name.startsWith('journal-'))).toEqual([]);
  });
});
