// Starting and watching processes that write the journal, and reading what they left.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { type Head, verify } from '../../src/journal/chain.ts';

export const CHILD = new URL('journal-child.ts', import.meta.url).pathname;

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quotekeeper-journal-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Watched {
  readonly child: ChildProcess;
  /** All lines printed so far. */
  readonly lines: string[];
  /**
   * Resolves with the first line, past or to come, that starts with the word; rejects when the process ends without it.
   */
  line(word: string): Promise<string>;
  ended(): Promise<void>;
}

export function start(command: string, args: readonly string[], options: SpawnOptions = {}): Watched {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { word: string; found: (line: string) => void; failed: (reason: Error) => void }[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const { word, found } of waiting) {
      const line = lines.find((each) => each.startsWith(word));
      if (line !== undefined) found(line);
    }
  });
  const closed = once(child, 'close').then(() => {
    for (const { word, failed } of waiting)
      failed(new Error(`Ended without '${word}'; it said: ${lines.slice(-3).join(' | ')}`));
  });
  return {
    child,
    lines,
    ended: () => closed,
    line: (word) =>
      new Promise((found, failed) => {
        const line = lines.find((each) => each.startsWith(word));
        if (line !== undefined) found(line);
        else waiting.push({ word, found, failed });
      }),
  };
}

export const startChild = (work: 'write' | 'hold', path: string, turns = 'Infinity'): Watched =>
  start(process.execPath, [CHILD, work, path, turns]);

/** The highest number that the process printed after `append` had returned. */
export function lastAcked(lines: readonly string[]): number {
  return Math.max(0, ...lines.filter((line) => line.startsWith('acked ')).map((line) => Number(line.slice(6))));
}

/** The head of the chain that a journal holds; throws where it does not verify. */
export function headOf(path: string): Head {
  const storage = openSqliteJournal(path);
  try {
    const head = verify(storage.read());
    if (!head.ok) throw new Error(head.error.message);
    return head.value;
  } finally {
    storage.close();
  }
}
