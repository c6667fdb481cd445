// The journal's file: what it may be, who may read it, and what happens to it while it is used.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { BotJournal } from '../../src/bot/state-folder/bot-journal.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { GENESIS, headAt, JournalError, nextRecord, verify } from '../../src/journal/chain.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { CHILD, newFolder, removeFolders, start } from './journal-processes.ts';

const newPath = (): string => join(newFolder(), 'journal.db');
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function chainOf(count: number): JournalRecord[] {
  const records: JournalRecord[] = [];
  let head = GENESIS;
  for (let n = 1; n <= count; n += 1) {
    const record = nextRecord(
      head,
      { epoch: 1, wall: 1_700_000_000_000, mono: n },
      { type: 'n', payload: { n, text: '₹\0"' } },
    );
    records.push(record);
    head = headAt(record);
  }
  return records;
}

/** A closed journal of 2,500 records. */
function written(): { path: string; records: JournalRecord[] } {
  const path = newPath();
  const journal = openSqliteJournal(path);
  const records = chainOf(2_500);
  journal.append(records);
  journal.close();
  return { path, records };
}

afterAll(removeFolders);

describe('the file', () => {
  test('gives back what was written, through pages, and can be read again while it is written', () => {
    const { path, records } = written();
    const journal = openSqliteJournal(path);
    expect([...journal.read()]).toEqual(records);
    const reading = journal.read()[Symbol.iterator]();
    expect(reading.next().value).toEqual(records[0]);
    const last = records.at(-1);
    journal.append(
      last ? [nextRecord(headAt(last), { epoch: 2, wall: 0, mono: 0 }, { type: 'more', payload: null })] : [],
    );
    expect(verify(journal.read())).toMatchObject({ ok: true, value: { seq: 2_501, epoch: 2 } });
    journal.close();
  });

  test('may be read by its owner only, its log too', () => {
    const path = newPath();
    const journal = openSqliteJournal(path);
    journal.append(chainOf(3));
    expect([modeOf(path), modeOf(`${path}-wal`)]).toEqual(['600', '600']);
    journal.close();
    chmodSync(path, 0o644);
    openSqliteJournal(path).close();
    expect(modeOf(path)).toBe('600');
  });

  test('takes all records of an append or none', () => {
    const journal = openSqliteJournal(newPath());
    const [first, second, third] = chainOf(3);
    if (!first || !second || !third) throw new Error('three records');
    journal.append([first]);
    expect(() => journal.append([second, third, first])).toThrow(/can't be read or written: .* \(SQLite 1555/);
    expect([...journal.read()]).toEqual([first]);
    journal.append([second, third]);
    expect(verify(journal.read())).toMatchObject({ ok: true, value: { seq: 3 } });
    journal.close();
  });

  test('is held alone within the process too', () => {
    const path = newPath();
    const journal = openSqliteJournal(path);
    expect(() => openSqliteJournal(path)).toThrow(expect.objectContaining({ name: 'JournalError', kind: 'locked' }));
    journal.append(chainOf(1));
    journal.close();
  });

  test.each<[string, (path: string) => void, string, RegExp]>([
    [
      'a text file',
      (path) => writeFileSync(path, 'not a database, but long enough to look like one'.repeat(40)),
      'not-a-journal',
      /is not a journal/,
    ],
    [
      'a database of another program',
      (path) => new DatabaseSync(path).exec('CREATE TABLE t (a)'),
      'not-a-journal',
      /another program/,
    ],
    ['a folder', (path) => mkdirSync(path), 'not-a-journal', /not a regular file/],
    ['a link', (path) => symlinkSync(written().path, path), 'not-a-journal', /not a regular file/],
    ['in a folder that is not there', (path) => rmSync(dirname(path), { recursive: true }), 'unreachable', /ENOENT/],
  ])('is refused when it is %s', (_, make, kind, message) => {
    const path = newPath();
    make(path);
    expect(() => openSqliteJournal(path)).toThrow(
      expect.objectContaining({ name: 'JournalError', kind, message: expect.stringMatching(message) }),
    );
  });

  test('of another program is refused as it is', () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE t (a)');
    other.close();
    chmodSync(path, 0o644);
    const before = readFileSync(path);
    expect(() => openSqliteJournal(path)).toThrow(expect.objectContaining({ kind: 'not-a-journal' }));
    expect([readFileSync(path).equals(before), modeOf(path)]).toEqual([true, '644']);
  });

  test('that was made and never filled is a new journal', () => {
    const path = newPath();
    writeFileSync(path, '');
    const journal = openSqliteJournal(path);
    journal.append(chainOf(2));
    expect([...journal.read()]).toEqual(chainOf(2));
    journal.close();
  });

  test('is refused in a folder that may not be written', async () => {
    const path = newPath();
    chmodSync(dirname(path), 0o555);
    // Root may write everywhere; so it becomes nobody for this.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = start(process.execPath, [CHILD, 'hold', path], nobody);
    expect(await child.line('error')).toContain(
      `error unreachable The journal ${path} can't be made or opened: EACCES`,
    );
    await child.ended();
  });
});

describe('a damaged table', () => {
  /** What a person would find; `whole` where the changed byte held nothing. */
  function verdictOn(path: string): string {
    let journal: BotJournal | null = null;
    try {
      journal = openSqliteJournal(path);
      const read = verify(journal.read());
      if (!read.ok) return `damaged: ${read.error.message}`;
      return read.value.seq === 2_500 ? 'whole' : `short: ${read.value.seq}`;
    } catch (error) {
      return error instanceof JournalError ? `${error.kind}: ${error.message}` : `unexpected: ${error}`;
    } finally {
      journal?.close();
    }
  }

  test('is never taken for a shorter journal, wherever a byte was changed', () => {
    const { path } = written();
    const size = statSync(path).size;
    const verdicts = Array.from({ length: 40 }, (_, part) => {
      const copy = newPath();
      const bytes = readFileSync(path);
      const at = Math.floor((size / 40) * part);
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      writeFileSync(copy, bytes);
      return verdictOn(copy);
    });
    expect(verdicts.filter((verdict) => !/^(damaged|not-a-journal|whole)/.test(verdict))).toEqual([]);
    expect(verdicts.filter((verdict) => verdict.startsWith('damaged')).length).toBeGreaterThan(20);
  });

  test('cut short is refused', () => {
    const { path } = written();
    writeFileSync(path, readFileSync(path).subarray(0, 4096 * 40));
    expect(verdictOn(path)).toMatch(/^damaged/);
  });
});

describe('while it is used', () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ['deleted', (path) => rmSync(path), /journal\.db was file .* and is missing now/],
    ['moved', (path) => renameSync(path, `${path}.old`), /is missing now/],
    [
      'replaced by a copy',
      (path) => {
        copyFileSync(path, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      /was file .* and is file/,
    ],
    ['opened to others', (path) => chmodSync(path, 0o644), /of mode 600 when opened and is file .* of mode 644/],
    ['robbed of its log', (path) => rmSync(`${path}-wal`), /journal\.db-wal was file .* and is missing now/],
  ])('a file that is %s is noticed', (_, change, message) => {
    const path = newPath();
    const storage = openSqliteJournal(path);
    const opened = openJournal(storage, {
      clock: { now: () => 1_700_000_000_000, monotonic: () => 0 },
      schema: 1,
      initial: () => 0,
      reduce: (count) => count + 1,
    });
    storage.assertInPlace();
    if (opened.ok)
      opened.value.journal.append(Array.from({ length: 3_000 }, () => ({ type: 'a', payload: 'x'.repeat(2_000) })));
    storage.assertInPlace();
    change(path);
    expect(() => storage.assertInPlace()).toThrow(
      expect.objectContaining({ name: 'JournalError', kind: 'moved', message: expect.stringMatching(message) }),
    );
    storage.close();
  });
});
