// A second restore before any start: the first one's files are from its backup, not newer.
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeBackup } from '../../../../src/bot/state-folder/backup.ts';
import { readWitness, witnessFile } from '../../../../src/bot/state-folder/journal-witness.ts';
import { ownOrdersFile, readOwnOrders, writeOwnOrders } from '../../../../src/bot/state-folder/own-orders-file.ts';
import { restoreBackup } from '../../../../src/bot/state-folder/restore.ts';
import { forgetRestored, whyOwnOrdersAreOld } from '../../../../src/bot/state-folder/restored-mark.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { noOrders } from '../../../../src/watchdog/own-orders.ts';
import { testFolder } from '../test-folder.ts';
import { runOnce, settingsOf } from './state-folder-kit.ts';

const folder = testFolder();

/** A bot runs with one open order with this id. */
function runWith(stateFolder: string, id: string): void {
  runOnce(stateFolder);
  const own = writeOwnOrders(ownOrdersFile(stateFolder), noOrders(null), realClock);
  own.note([{ kind: 'named', intentId: id, orderId: orderId(id) }], true);
  own.close();
}

const namesIn = (stateFolder: string): readonly string[] => [
  ...readOwnOrders(ownOrdersFile(stateFolder)).orders.open.keys(),
];

/** Backups of two days from a lost machine; the new machine's folder is empty. */
function twoBackups(): { readonly state: string; readonly monday: string; readonly tuesday: string } {
  const lost = path.join(folder, 'lost');
  mkdirSync(lost);
  const [monday, tuesday] = ['monday', 'tuesday'].map((day, index) => {
    runWith(lost, `1-${index + 1}-1`);
    const file = path.join(folder, `${day}.sqlar`);
    makeBackup(settingsOf(lost), file);
    // In another millisecond.
    for (const from = Date.now(); Date.now() === from; );
    return file;
  }) as [string, string];
  return { state: path.join(folder, 'state'), monday, tuesday };
}

describe('the file of own orders', () => {
  test('of the first backup gives way to a later one’s', () => {
    const { state, monday, tuesday } = twoBackups();
    restoreBackup(settingsOf(state), monday, false);
    expect(namesIn(state)).toEqual(['1-1-1']);
    const { kept, movedTo } = restoreBackup(settingsOf(state), tuesday, true);
    expect({ names: namesIn(state), kept }).toEqual({ names: ['1-2-1'], kept: [] });
    expect(readdirSync(movedTo ?? '')).toContain('own-orders.log');
  });

  test('of a later backup stays if an earlier one is restored, and is still marked as a backup’s', () => {
    const { state, monday, tuesday } = twoBackups();
    restoreBackup(settingsOf(state), tuesday, false);
    expect(restoreBackup(settingsOf(state), monday, true).kept).toEqual(['own-orders.log']);
    expect(restoreBackup(settingsOf(state), tuesday, true).kept).toEqual(['own-orders.log']);
    expect(namesIn(state)).toEqual(['1-2-1']);
    expect(whyOwnOrdersAreOld(state)).toContain('does not name');
  });

  test('of a bot that has run here since stays', () => {
    const { state, monday, tuesday } = twoBackups();
    restoreBackup(settingsOf(state), monday, false);
    runWith(state, '1-3-1');
    forgetRestored(state);
    expect(restoreBackup(settingsOf(state), tuesday, true).kept).toEqual(['own-orders.log']);
    expect({ names: namesIn(state), why: whyOwnOrdersAreOld(state) }).toEqual({ names: ['1-3-1'], why: null });
  });
});

test('a witness that is a link to another place stays there', () => {
  const { state, monday, tuesday } = twoBackups();
  const elsewhere = path.join(folder, 'elsewhere.json');
  mkdirSync(state);
  symlinkSync(elsewhere, witnessFile(state));
  restoreBackup(settingsOf(state), tuesday, true);
  const ofTuesday = readWitness(elsewhere);
  const { movedTo } = restoreBackup(settingsOf(state), monday, true);
  expect(lstatSync(witnessFile(state)).isSymbolicLink()).toBe(true);
  expect(readWitness(path.join(movedTo ?? '', 'journal-witness.json'))).toEqual(ofTuesday);
  runOnce(state);
  expect(readWitness(elsewhere)?.epoch).toBe(2);
  expect(JSON.parse(readFileSync(witnessFile(state), 'utf8'))).toEqual(readWitness(elsewhere));
});
