// A start whose process dies while it moves aside the journal of a paper exchange that no longer exists.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { openSqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import {
  journalFor,
  journalPath,
  takeStateFolder,
  withWitness,
} from '../../../../src/bot/state-folder/state-folder.ts';
import { openTraderJournal, writeEvents } from '../../../../src/loop/trader-journal.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { stepsAtMost } from '../../steps-at-most.ts';
import { testFolder } from '../test-folder.ts';
import { cutOffAt } from './state-folder-kit.ts';

const folder = testFolder();

function runAt(paperInstance: string): void {
  const storage = withWitness(folder, openSqliteJournal(journalPath(folder)));
  const opened = openTraderJournal(storage, realClock);
  if (!opened.ok) throw opened.error;
  const { journal } = opened.value;
  const payload = { at: realClock.now(), epoch: journal.epoch, program: 'test', paperInstance };
  writeEvents(journal, [{ type: 'session-started', payload }]);
  journal.close();
}

/** A start with another exchange; `cutAt`: number of the rename after which nothing changes any more. */
function startAt(paperInstance: string, cutAt = Number.POSITIVE_INFINITY): string {
  try {
    return cutOffAt(cutAt, () => {
      const { storage } = journalFor(folder, takeStateFolder(folder), { paperInstance, clock: realClock });
      withWitness(folder, storage);
      storage.close();
      return 'started';
    });
  } catch (error) {
    return (error as Error).message;
  }
}

test('the next one starts fresh all the same', () => {
  const step = stepsAtMost(100);
  for (let cutAt = 1; ; cutAt += 1) {
    step();
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
    runAt('paper-1');
    if (startAt('paper-2', cutAt) === 'started') break;
    expect({ cutAt, next: startAt('paper-2') }).toEqual({ cutAt, next: 'started' });
  }
});
