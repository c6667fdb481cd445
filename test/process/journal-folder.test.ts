// What a start makes of the journal that it finds: damaged, from an old copy, lost, of another time; and what it
// advises.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import { witnessFile } from '../../src/bot/state-folder/journal-witness.ts';
import { journalFor, journalPath, takeStateFolder, withWitness } from '../../src/bot/state-folder/state-folder.ts';
import type { JournalEvent } from '../../src/journal/chain.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { EVENT_SCHEMA, openTraderJournal } from '../../src/loop/trader-journal.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { newFolder, removeFolders } from './journal-processes.ts';

afterAll(removeFolders);

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const clockAt = (now: number): Clock => ({ now: () => now, monotonic: () => now - NOW });
const halt = (symbol: string): JournalEvent => ({
  type: 'symbol-halted',
  payload: { symbol, reason: 'a test', at: NOW },
});

interface Life {
  readonly at?: number;
  readonly halts?: number;
  readonly instance?: string | null;
}

/** One life of a bot on the folder, as far as its journal goes: so many facts, then a clean end. */
function live(
  folder: string,
  { at = NOW, halts = 3, instance = null }: Life = {},
): { epoch: number; putAside: string | null } {
  const held = takeStateFolder(folder);
  try {
    const found = journalFor(folder, held, { paperInstance: instance, clock: clockAt(at) });
    const storage = withWitness(folder, found.storage);
    try {
      const opened = openTraderJournal(storage, clockAt(at));
      if (!opened.ok) throw opened.error;
      const { journal } = opened.value;
      const started = { at, epoch: journal.epoch, program: 'test', paperInstance: instance };
      journal.append([{ type: 'session-started', payload: started }]);
      for (let n = 0; n < halts; n += 1) journal.append([halt(`S${n}`)]);
      return { epoch: journal.epoch, putAside: found.putAside };
    } finally {
      storage.close();
    }
  } finally {
    // Closed already, unless the start was refused.
    try {
      held.close();
    } catch {}
  }
}

interface Refused {
  readonly code: number;
  readonly message: string;
}

function refusal(folder: string, life: Life = {}): Refused {
  try {
    live(folder, life);
  } catch (error) {
    const { code, message } = error as Refused;
    return { code, message };
  }
  throw new Error('It was not refused.');
}

function lived(lives: readonly Life[] = [{}]): string {
  const folder = newFolder();
  for (const life of lives) live(folder, life);
  return folder;
}

describe('the witness', () => {
  test('says after each life how far the journal had come, and only its owner reads it', () => {
    const folder = lived();
    const { epoch, seq, hash } = JSON.parse(readFileSync(witnessFile(folder), 'utf8'));
    expect([epoch, seq]).toEqual([1, 5]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect((statSync(witnessFile(folder)).mode & 0o777).toString(8)).toBe('600');
    expect(live(folder).epoch).toBe(2);
    expect(JSON.parse(readFileSync(witnessFile(folder), 'utf8'))).toMatchObject({ epoch: 2, seq: 10 });
  });

  test('is written at the start of a life, and then once a minute', () => {
    const folder = newFolder();
    const storage = withWitness(folder, takeStateFolder(folder));
    let now = NOW;
    const opened = openTraderJournal(storage, { now: () => now, monotonic: () => 0 });
    if (!opened.ok) throw opened.error;
    const noted = (): number => JSON.parse(readFileSync(witnessFile(folder), 'utf8')).seq;
    const seen = [noted()];
    for (const passed of [1, 59_999, 60_000, 60_001, 119_999, 120_000]) {
      now = NOW + passed;
      opened.value.journal.append([halt('S')]);
      seen.push(noted());
    }
    expect(seen).toEqual([1, 1, 1, 4, 4, 4, 7]);
    storage.close();
  });

  test('of a journal that was never witnessed begins with it', () => {
    const folder = lived();
    rmSync(witnessFile(folder));
    expect(live(folder).epoch).toBe(2);
    expect(existsSync(witnessFile(folder))).toBe(true);
  });

  test('contradicts yesterday’s copy of the journal (F96)', () => {
    const folder = lived();
    const backup = join(newFolder(), 'backup.sqlite');
    copyFileSync(journalPath(folder), backup);
    live(folder);
    live(folder);
    copyFileSync(backup, journalPath(folder));
    const { code, message } = refusal(folder);
    expect(code).toBe(73);
    expect(message.split('\n')).toEqual([
      `The journal ends with record 5 of opening 1, and ${witnessFile(folder)} saw record 15 of opening 3 ` +
        'written: an old copy was put back, or the file was lost.',
      'Nothing was changed. Put back the newest journal there is.',
      expect.stringMatching(
        /^To begin afresh: move .*journal\.sqlite\* and .*journal-witness\.json out of the folder, cancel what rests/,
      ),
    ]);
  });

  test('contradicts a journal that was lost, and one that went on from an old copy elsewhere', () => {
    const folder = lived();
    const backup = join(newFolder(), 'backup.sqlite');
    copyFileSync(journalPath(folder), backup);
    live(folder);
    renameSync(journalPath(folder), join(newFolder(), 'lost.sqlite'));
    expect(refusal(folder).message).toContain('The journal is empty, and');
    const other = newFolder();
    copyFileSync(backup, journalPath(other));
    live(other, { at: NOW + 1, halts: 9 });
    copyFileSync(journalPath(other), journalPath(folder));
    expect(refusal(folder).message).toContain('The journal holds another record 10, and');
  });

  test('lets a person begin afresh as the advice says', () => {
    const folder = lived([{}, {}]);
    renameSync(journalPath(folder), join(newFolder(), 'lost.sqlite'));
    refusal(folder);
    rmSync(journalPath(folder));
    rmSync(witnessFile(folder));
    expect(live(folder).epoch).toBe(1);
  });

  test('may lie in another folder, behind a link that stays', () => {
    const [folder, elsewhere] = [newFolder(), join(newFolder(), 'witness.json')];
    symlinkSync(elsewhere, witnessFile(folder));
    live(folder);
    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toMatchObject({ epoch: 1, seq: 5 });
    const whole = newFolder();
    copyFileSync(journalPath(folder), journalPath(whole));
    live(folder);
    copyFileSync(journalPath(whole), journalPath(folder));
    expect(refusal(folder).code).toBe(73);
  });

  test.each(['', '{}', '{"epoch":1,"seq":0,"hash":""}', 'null', '\0\0\0'])(
    'that says %j is no witness, and refuses',
    (text) => {
      const folder = lived();
      writeFileSync(witnessFile(folder), text);
      expect(refusal(folder)).toMatchObject({
        code: 74,
        message: expect.stringContaining(
          "journal-witness.json, which says how far the journal had come, can't be read",
        ),
      });
    },
  );

  test('leaves with the journal of a paper exchange that is gone', () => {
    const folder = lived([{ instance: 'one' }, { instance: 'one' }]);
    const { epoch, putAside } = live(folder, { instance: 'two' });
    expect(epoch).toBe(1);
    expect(existsSync(putAside ?? '')).toBe(true);
    expect(JSON.parse(readFileSync(`${putAside}-witness.json`, 'utf8'))).toMatchObject({ epoch: 2 });
    expect(JSON.parse(readFileSync(witnessFile(folder), 'utf8'))).toMatchObject({ epoch: 1 });
  });
});

describe('a journal that is refused', () => {
  function changed(folder: string, statement: string): void {
    const database = new DatabaseSync(journalPath(folder));
    database.exec(statement);
    database.close();
  }

  test.each<[string, string, string]>([
    [
      'with a record changed',
      "UPDATE journal SET payload = '{}' WHERE seq = 3",
      'Record 3 has been changed: its hash is not that of its content.',
    ],
    ['without a record', 'DELETE FROM journal WHERE seq = 3', 'Record 3 is missing: number 4 stands in its place.'],
    [
      'without its beginning',
      'DELETE FROM journal WHERE seq < 4',
      'Record 1 is missing: number 4 stands in its place.',
    ],
    [
      'with a snapshot that nobody took',
      "INSERT INTO snapshot VALUES (3, 2, '{}')",
      'The snapshot of record 3 is not the one that was written.',
    ],
  ])('%s is named with its number, the file and the ways out', (_, statement, sentence) => {
    const folder = lived();
    changed(folder, statement);
    const before = readFileSync(journalPath(folder));
    const { code, message } = refusal(folder);
    expect(code).toBe(74);
    expect(message.split('\n')).toEqual([
      `The journal is damaged. ${sentence}`,
      `Nothing was changed. The file is ${journalPath(folder)}: put back a copy that is whole and the newest there is.`,
      expect.stringMatching(/^To begin afresh: /),
    ]);
    expect(readFileSync(journalPath(folder)).equals(before)).toBe(true);
  });

  test('later than now says both times, and what to do where the clock was wrong then (F103)', () => {
    const folder = lived([{ at: NOW + MINUTE + 1 }]);
    const { code, message } = refusal(folder);
    expect(code).toBe(73);
    expect(message.split('\n')).toEqual([
      "The journal's last record is of 2023-11-14 22:14:20 UTC and it is 2023-11-14 22:13:20 UTC: set the " +
        'clock, then start.',
      expect.stringMatching(
        /^If the clock was wrong when .*journal\.sqlite was written and is right now: wait until then\.$/,
      ),
      expect.stringMatching(/^To begin afresh: /),
    ]);
    expect(live(folder, { at: NOW + MINUTE }).epoch).toBe(2);
  });

  test.each([
    ['A newer', 1],
    ['An older', -1],
  ])('of another schema is left to the program that wrote it: %s (F102)', (which, by) => {
    const folder = newFolder();
    const held = takeStateFolder(folder);
    const options = { clock: clockAt(NOW), schema: EVENT_SCHEMA + by, initial: () => null, reduce: () => null };
    expect(openJournal(held, options).ok).toBe(true);
    held.close();
    expect(refusal(folder)).toEqual({
      code: 73,
      message:
        `${which} program wrote this journal (format 1, schema ${EVENT_SCHEMA + by}; this one knows format 1, schema ` +
        `${EVENT_SCHEMA}). Start that one.`,
    });
  });

  test('in place of which there is garbage, or nothing that may be written', () => {
    const folder = lived();
    writeFileSync(journalPath(folder), 'garbage, and enough of it to look like a file of records'.repeat(100));
    expect(refusal(folder)).toMatchObject({ code: 73, message: expect.stringContaining('is not a journal') });
    if (process.getuid?.() === 0) return;
    const closed = lived();
    chmodSync(closed, 0o500);
    expect(refusal(closed).code).toBe(73);
    chmodSync(closed, 0o700);
  });
});
