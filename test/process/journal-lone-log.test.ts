// A write-ahead log whose journal is not there: a start that is refused must leave it as it is, it may hold the last
// records there are.
import { copyFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { journalPath, takeStateFolder, withWitness } from '../../src/bot/state-folder/state-folder.ts';
import { openTraderJournal } from '../../src/loop/trader-journal.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { newFolder, removeFolders } from './journal-processes.ts';

afterAll(removeFolders);

const NOW = 1_700_000_000_000;
const clock: Clock = { now: () => NOW, monotonic: () => 0 };

/** The folder of a bot that was killed: its log holds all that it wrote since its start. */
function killed(): string {
  const [folder, dead] = [newFolder(), newFolder()];
  const storage = withWitness(folder, takeStateFolder(folder));
  const opened = openTraderJournal(storage, clock);
  if (!opened.ok) throw opened.error;
  for (let n = 0; n < 20; n += 1)
    opened.value.journal.append([{ type: 'symbol-halted', payload: { symbol: `S${n}`, reason: 'a test', at: NOW } }]);
  for (const ending of ['', '-wal']) copyFileSync(`${journalPath(folder)}${ending}`, `${journalPath(dead)}${ending}`);
  copyFileSync(`${folder}/journal-witness.json`, `${dead}/journal-witness.json`);
  storage.close();
  return dead;
}

test('a journal that was moved away without its log: the start is refused, and the log is as it was', () => {
  const folder = killed();
  const journal = journalPath(folder);
  const before = readFileSync(`${journal}-wal`);
  expect(before.length).toBeGreaterThan(10_000);
  renameSync(journal, `${journal}.away`);
  let refused: unknown = null;
  try {
    const held = takeStateFolder(folder);
    try {
      withWitness(folder, held);
    } finally {
      held.close();
    }
  } catch (error) {
    refused = error;
  }
  expect(refused).not.toBeNull();
  expect(existsSync(`${journal}-wal`) ? statSync(`${journal}-wal`).size : 'deleted').toBe(before.length);
});
