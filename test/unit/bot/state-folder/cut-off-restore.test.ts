// A restore whose process dies between any two of its steps.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { checkStart } from '../../../../src/bot/check/check-configuration.ts';
import { loadSettings } from '../../../../src/bot/settings/settings.ts';
import { makeBackup } from '../../../../src/bot/state-folder/backup.ts';
import { doubtOf } from '../../../../src/bot/state-folder/journal-witness.ts';
import { setKillLatch } from '../../../../src/bot/state-folder/kill-latch.ts';
import { restoreBackup } from '../../../../src/bot/state-folder/restore.ts';
import { writeRestored } from '../../../../src/bot/state-folder/restored-mark.ts';
import { journalFor, takeStateFolder, withWitness } from '../../../../src/bot/state-folder/state-folder.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { stepsAtMost } from '../../steps-at-most.ts';
import { testFolder } from '../test-folder.ts';
import { cutOffAt, runOnce, settingsOf } from './state-folder-kit.ts';

const folder = testFolder();

/** A folder of two sessions, and a backup made after the first, with a latch removed since. */
function stateWithBackup(name: string): { readonly state: string; readonly backup: string } {
  const state = path.join(folder, name);
  mkdirSync(state);
  runOnce(state);
  setKillLatch(state, 'cancel-all was called.', realClock.now());
  const backup = path.join(folder, `${name}.sqlar`);
  makeBackup(settingsOf(state), backup);
  for (const file of ['kill-latch.json', 'kill-latch.log']) rmSync(path.join(state, file));
  runOnce(state);
  return { state, backup };
}

/** Restores until rename number `step`, after which the process changes nothing more. False if it ended before. */
function isCutOff(state: string, backup: string, step: number): boolean {
  try {
    cutOffAt(step, () => restoreBackup(settingsOf(state), backup, true));
    return false;
  } catch {
    return true;
  }
}

/** Number of records that a start finds, and its doubt about the journal's age; or why it is refused. */
function started(state: string): { readonly records: number; readonly why: string | null } | string {
  try {
    const held = takeStateFolder(state);
    const { storage, known } = journalFor(state, held, { paperInstance: null, clock: realClock });
    const records = [...withWitness(state, storage).read()].length;
    const { why } = doubtOf(state, { known, paperInstance: null });
    storage.close();
    return { records, why };
  } catch (error) {
    return (error as Error).message;
  }
}

const recordsOf = (state: string): number => {
  const begun = started(state);
  return typeof begun === 'string' ? 0 : begun.records;
};

test('an interrupted one leaves the old journal or a start that is refused; repeating it completes it', () => {
  const whole = stateWithBackup('whole');
  const old = recordsOf(whole.state);
  restoreBackup(settingsOf(whole.state), whole.backup, true);
  const restored = started(whole.state);
  const fresh = recordsOf(whole.state);
  expect(restored).toMatchObject({ why: expect.stringContaining('was restored at') });
  expect(fresh).toBeLessThan(old);
  let refused = 0;
  let step = 1;
  const bound = stepsAtMost(100);
  for (; ; step += 1) {
    bound();
    const { state, backup } = stateWithBackup(`state-${step}`);
    if (!isCutOff(state, backup, step)) break;
    const begun = started(state);
    if (typeof begun === 'string') {
      refused += 1;
      expect(begun).toContain('was not finished: say it again, with --replace.');
    } else expect({ step, records: begun.records, why: begun.why }).toEqual({ step, records: old, why: null });
    restoreBackup(settingsOf(state), backup, true);
    expect(started(state)).toMatchObject({ records: fresh, why: expect.stringContaining('was restored at') });
    expect(readdirSync(state)).toContain('kill-latch.json');
    expect(readdirSync(state).filter((name) => name.startsWith('.restoring-'))).toEqual([]);
  }
  expect({ steps: step > 6, refused }).toEqual({ steps: true, refused: step - 2 });
});

test('a backup after an interrupted one is refused: it may lack the latch, or mix two times', () => {
  const { state } = stateWithBackup('state');
  writeRestored(state, { from: 'b.sqlar', madeAt: 'then', restoredAt: 'now', unfinished: true });
  const again = path.join(folder, 'again.sqlar');
  expect(() => makeBackup(settingsOf(state), again)).toThrow('was not finished');
  expect(readdirSync(folder)).not.toContain('again.sqlar');
});

test('`check` says that a start would be refused', async () => {
  const mark = { from: 'b.sqlar', madeAt: 'then', restoredAt: 'now', unfinished: true } as const;
  writeRestored(folder, mark);
  const settings = { ...(await loadSettings(['config/paper.yaml'])), stateFolder: folder };
  const { refusals } = await checkStart(settings, null);
  expect(refusals.map(({ message }) => message)).toContainEqual(expect.stringContaining('was not finished'));
});
