// What a journal keeps of money when it retires its records, over restarts, and how it is read: beside what an older
// program left, and where something is missing.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { booksOf, type JournalReading, withJournal } from '../../src/bot/books/read-journal.ts';
import { isBookEvent } from '../../src/bot/state-folder/book-events.ts';
import { archivedFiles, archiveFolder } from '../../src/bot/state-folder/journal-archive.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../src/bot/state-folder/state-folder.ts';
import { corrected, fill, opening, reversed, transfer } from '../unit/bot/books/books-kit.ts';
import { CLOCK, change, paused, session } from '../unit/bot/books/live-journal.ts';
import { newFolder, removeFolders } from './journal-processes.ts';

afterAll(removeFolders);

const FIRST = [
  ...opening('2026-04-01', { INR: '1000', BTC: '1' }),
  fill({ on: '2026-04-02', id: '1' }),
  fill({ on: '2026-04-03', id: '2', side: 'sell', price: '120', tds: '1.2' }),
  transfer({ on: '2026-04-04', asset: 'INR', by: '50' }),
  ...paused(80),
];
const SECOND = [
  corrected({ on: '2026-04-02', id: '1', price: '101', booked: '2026-05-02' }),
  reversed('2', 'sell', '2026-05-03'),
  ...paused(80),
  fill({ on: '2026-05-04', id: '3' }),
  ...paused(80),
];
const ON_FILLS = ['1', '2', '1', '1', '2', '3'];

function lived(): string {
  const folder = newFolder();
  session(folder, FIRST);
  session(folder, SECOND);
  session(folder, paused(60));
  return folder;
}

const read = <T>(folder: string, of: (reading: JournalReading) => T): T => withJournal(folder, CLOCK, of);
const tradesIn = (folder: string): readonly string[] =>
  read(folder, (reading) =>
    booksOf(reading).books.movements.flatMap(({ trade }) => (trade === null ? [] : [trade.fill.tradeId])),
  );
const missingIn = (folder: string): readonly string[] =>
  read(folder, (reading) => booksOf(reading).differences.map(({ asset, account }) => `${asset} ${account}`));

describe('records of the books', () => {
  test('stay when all others of their time have left, and give the ledger to the last digit', () => {
    const folder = lived();
    const storage = openSqliteJournal(journalPath(folder));
    const [first] = storage.read();
    const kept = [...storage.books()];
    storage.close();
    expect(first?.seq).toBeGreaterThan(200);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(kept.filter((record) => !isBookEvent(record)).map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'journal-opened'],
    ]);
    expect(archivedFiles(archiveFolder(journalPath(folder))).length).toBeGreaterThan(1);
    rmSync(archiveFolder(journalPath(folder)), { recursive: true });
    expect([tradesIn(folder), missingIn(folder)]).toEqual([ON_FILLS, []]);
  });

  test('are read without a trace, while somebody writes the journal too', () => {
    const folder = lived();
    const before = readdirSync(folder);
    const held = openSqliteJournal(journalPath(folder));
    try {
      expect(tradesIn(folder)).toEqual(ON_FILLS);
    } finally {
      held.close();
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  test('that were changed in the table are damage', () => {
    const folder = lived();
    change(folder, `UPDATE books SET payload = replace(payload, '"tradeId":"1"', '"tradeId":"9"')`);
    expect(() => tradesIn(folder)).toThrow(/can't be read\. Record \d+ of the books was changed/);
  });

  test('that are missing show', () => {
    const folder = lived();
    change(folder, `DELETE FROM books WHERE payload LIKE '%"asset":"INR","walletChange":"50"%'`);
    expect(missingIn(folder)).toEqual(['INR wallet', 'INR external:deposit']);
  });
});

test('the archive forgets its oldest files', () => {
  const folder = lived();
  const archive = archiveFolder(journalPath(folder));
  for (const { name } of archivedFiles(archive)) rmSync(path.join(archive, name));
  for (let seq = 1; seq <= 400; seq += 1)
    writeFileSync(path.join(archive, `journal-${seq}-${seq}-${'a'.repeat(16)}.jsonl.gz`), '');
  session(folder, paused(60));
  expect(archivedFiles(archive)).toHaveLength(150);
});

describe('records that are none of money are read from the archive once they have left the journal', () => {
  const numbersIn = (folder: string): number[] => read(folder, ({ records }) => [...records()].map(({ seq }) => seq));

  test('files of another journal in the same folder, and damaged ones, are passed over', () => {
    const folder = lived();
    const archive = archiveFolder(journalPath(folder));
    const other = archiveFolder(journalPath(lived()));
    for (const { name } of archivedFiles(other)) {
      const at = path.join(archive, name.replace('journal-', 'journal-0'));
      if (!existsSync(at)) writeFileSync(at, 'no archive');
    }
    const numbers = numbersIn(folder);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test('without the files they begin where the journal does, and no money is missing', () => {
    const folder = lived();
    const all = numbersIn(folder).length;
    rmSync(archiveFolder(journalPath(folder)), { recursive: true });
    expect(numbersIn(folder).length).toBeLessThan(all);
    expect([tradesIn(folder), missingIn(folder)]).toEqual([ON_FILLS, []]);
  });
});

describe('a journal that can’t be read', () => {
  const refused = (folder: string): unknown => {
    try {
      return tradesIn(folder);
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
      return [code, String(message).replaceAll(folder, 'FOLDER')];
    }
  };

  test('is missing', () => {
    expect(refused(newFolder())).toEqual([73, 'There is no journal in FOLDER.']);
  });

  test('is damaged', () => {
    const folder = newFolder();
    session(folder, FIRST.slice(0, 20));
    change(folder, `UPDATE journal SET payload = '1' WHERE seq = 5`);
    expect(refused(folder)).toEqual([74, expect.stringContaining('Record 5 has been changed')]);
  });
});
