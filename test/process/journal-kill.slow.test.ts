// What a killed, starved or doubled writer leaves behind.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { CHILD, headOf, lastAcked, newFolder, removeFolders, start, startChild } from './journal-processes.ts';

/** Of SQLite's file, in bytes. */
const PAGE = 4_096;

afterAll(removeFolders);

describe('the journal of a process', () => {
  test('is refused to a second instance at once, and free when the first is gone', async () => {
    const path = join(newFolder(), 'journal.db');
    const first = startChild('hold', path);
    await first.line('open');
    const second = startChild('hold', path);
    expect(await second.line('error')).toContain(`error locked Another instance holds the journal ${path} (SQLite 5`);
    await second.ended();
    first.child.kill('SIGKILL');
    await first.ended();
    const third = startChild('hold', path);
    expect(await third.line('open')).toBe('open');
    third.child.stdin?.end();
    await third.ended();
  });

  test('that may not grow throws, stays closed to writing, and keeps what was acknowledged', async () => {
    const path = join(newFolder(), 'journal.db');
    const writer = start('sh', ['-c', 'ulimit -f 400; exec "$@"', 'sh', process.execPath, CHILD, 'write', path]);
    await writer.ended();
    expect(writer.lines.at(-2)).toMatch(/^error (failed|full) The journal .* can't/);
    expect(writer.lines.at(-1)).toContain('refused JournalError: The journal is closed to writing since it failed');
    const acked = lastAcked(writer.lines);
    expect(acked).toBeGreaterThan(10);
    expect(headOf(path).seq).toBe(acked);
  });
});

describe('the write-ahead log that a killed process leaves', () => {
  /** A journal whose records are all in the log, as copies that can be damaged one by one. */
  async function killedJournal(): Promise<{ copy: () => { path: string; log: Buffer }; acked: number }> {
    const path = join(newFolder(), 'journal.db');
    // Few enough for the log not to start again from its beginning, which it does after a thousand pages.
    const writer = startChild('write', path, '60');
    await writer.line('done');
    writer.child.kill('SIGKILL');
    await writer.ended();
    const copy = () => {
      const to = join(newFolder(), 'journal.db');
      copyFileSync(path, to);
      copyFileSync(`${path}-wal`, `${to}-wal`);
      return { path: to, log: readFileSync(`${to}-wal`) };
    };
    return { copy, acked: lastAcked(writer.lines) };
  }

  test('refuses to start with a changed bit anywhere but in its last transactions', async () => {
    const { copy, acked } = await killedJournal();
    const whole = copy();
    expect(headOf(whole.path).seq).toBeGreaterThanOrEqual(acked);
    for (let part = 0; part < 20; part += 1) {
      const { path, log } = copy();
      const at = part === 0 ? 18 : Math.floor((log.length / 25) * part);
      log[at] = (log[at] ?? 0) ^ 1;
      writeFileSync(`${path}-wal`, log);
      expect(() => openSqliteJournal(path)).toThrow(/write-ahead log .* is damaged/);
      expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
    }
  });

  test('is enough wherever a checkpoint was cut off: any number of its pages may be in the file already', async () => {
    const { copy } = await killedJournal();
    const { path, log } = copy();
    const before = readFileSync(path);
    const whole = headOf(path);
    const after = readFileSync(path);
    const pages = after.length / PAGE;
    expect(pages).toBeGreaterThan(before.length / PAGE + 10);
    for (let done = 0; done <= pages; done += 1) {
      const cut = copy().path;
      const rest = before.subarray(Math.min(before.length, done * PAGE));
      writeFileSync(cut, Buffer.concat([after.subarray(0, done * PAGE), rest]));
      expect([done, readFileSync(`${cut}-wal`).equals(log), headOf(cut)]).toEqual([done, true, whole]);
    }
  });
});
