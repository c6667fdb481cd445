// What is written beside the journal for a while, or for somebody to keep: copies that a killed process leaves behind,
// and pages that stand alone.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { writeDurably, writePage } from '../../src/bot/base/durable-file.ts';
import { withJournal } from '../../src/bot/books/read-journal.ts';
import { makeCopyFolder } from '../../src/bot/state-folder/copy-journal.ts';
import { opening } from '../unit/bot/books/books-kit.ts';
import { CLOCK, session } from '../unit/bot/books/live-journal.ts';
import { newFolder, removeFolders, start } from './journal-processes.ts';

afterAll(removeFolders);

const ROOT = path.resolve(import.meta.dirname, '../..');
const goneProcess = (): number => spawnSync('true').pid;

describe('the copy that a journal is read from', () => {
  const before = process.env.TMPDIR;
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('is not left behind by %s', async (signal) => {
    const [state, temporary] = [newFolder(), newFolder()];
    session(state, opening('2026-04-01', { INR: '1000' }));
    const script = `
      const { withJournal } = await import('./src/bot/books/read-journal.ts');
      const clock = { now: () => ${CLOCK.now()}, monotonic: () => 0 };
      withJournal(${JSON.stringify(state)}, clock, ({ records }) => {
        console.log('reading', [...records()].length);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      });`;
    const env = { ...process.env, TMPDIR: temporary };
    const reader = start(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, env });
    await reader.line('reading');
    reader.child.kill(signal);
    await reader.ended();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('of a process that was killed before goes with the next one; nobody else’s does', () => {
    const [state, temporary, other] = [newFolder(), newFolder(), newFolder()];
    process.env.TMPDIR = temporary;
    session(state, opening('2026-04-01', { INR: '1000' }));
    const left = `quotekeeper-read-${goneProcess()}-abc`;
    const kept = [`quotekeeper-read-${process.ppid}-abc`, 'quotekeeper-read-x', 'quotekeeper-reader', 'another'];
    for (const name of [left, ...kept]) {
      mkdirSync(path.join(temporary, name));
      writeFileSync(path.join(temporary, name, 'journal.sqlite'), 'money');
    }
    writeFileSync(path.join(other, 'file'), 'not ours to remove');
    const link = `quotekeeper-read-${goneProcess()}-link`;
    symlinkSync(other, path.join(temporary, link));
    withJournal(state, CLOCK, ({ last }) => expect(last?.seq).toBeGreaterThan(0));
    expect(readdirSync(temporary).sort()).toEqual([...kept, link].sort());
    expect(readdirSync(other)).toEqual(['file']);
  });

  test('lies in a folder that only its owner can use', () => {
    const temporary = newFolder();
    expect(statSync(makeCopyFolder(temporary, 'quotekeeper-read')).mode & 0o777).toBe(0o700);
  });
});

describe('a page that stands alone', () => {
  const modeOf = (file: string): number => statSync(file).mode & 0o777;

  test('is for its owner alone, also where another one was there that others could read', () => {
    const file = path.join(newFolder(), 'page.html');
    writePage(file, 'one');
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['one', 0o600]);
    chmodSync(file, 0o644);
    writePage(file, 'two');
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['two', 0o600]);
  });

  test.each([
    ['a link to a file', (file: string, victim: string) => symlinkSync(victim, file)],
    ['a link to nothing', (file: string) => symlinkSync(`${file}.new`, file)],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a pipe', (file: string) => void spawnSync('mkfifo', [file])],
  ])('is not written through %s: a sentence says what was expected', (_what, put) => {
    const folder = newFolder();
    const [file, victim] = [path.join(folder, 'page.html'), path.join(folder, 'victim')];
    writeFileSync(victim, 'mine');
    put(file, victim);
    const before = readdirSync(folder);
    expect(() => writePage(file, 'page')).toThrow(
      `The page ${file} can't be written: a plain file was expected there.`,
    );
    expect([readFileSync(victim, 'utf8'), readdirSync(folder)]).toEqual(['mine', before]);
  });

  test('is not written through a link where it is written beside its place', () => {
    const folder = newFolder();
    const [file, victim] = [path.join(folder, 'page.html'), path.join(folder, 'victim')];
    writeFileSync(victim, 'mine');
    symlinkSync(victim, `${file}.${process.pid}.new`);
    writeDurably(file, 'page');
    expect([readFileSync(victim, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['mine', 'page']);
    rmSync(file);
  });
});
