// State folders of bots that end at once, and processes that die between two steps.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { openSqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath, withWitness } from '../../../../src/bot/state-folder/state-folder.ts';
import { openTraderJournal } from '../../../../src/loop/trader-journal.ts';
import { realClock } from '../../../../src/ports/clock.ts';

export const settingsOf = (stateFolder: string) =>
  ({ stateFolder, mode: 'live', venue: { baseUrl: 'https://x.example' } }) as never;

/** Opens and closes the journal, like a bot that ends at once: adds one record. */
export function runOnce(stateFolder: string): void {
  const storage = withWitness(stateFolder, openSqliteJournal(journalPath(stateFolder)));
  const opened = openTraderJournal(storage, realClock);
  if (!opened.ok) throw opened.error;
  storage.close();
}

/** Acts until rename number `step`, from which on the process changes nothing more, as if it had died. */
export function cutOffAt<T>(step: number, act: () => T): T {
  const { renameSync, rmSync } = fs;
  let count = 0;
  fs.renameSync = (from, to) => {
    count += 1;
    if (count >= step) throw new Error('Killed.');
    renameSync(from, to);
  };
  fs.rmSync = (file, options) => {
    if (count >= step) throw new Error('Killed.');
    rmSync(file, options);
  };
  syncBuiltinESMExports();
  try {
    return act();
  } finally {
    Object.assign(fs, { renameSync, rmSync });
    syncBuiltinESMExports();
  }
}
