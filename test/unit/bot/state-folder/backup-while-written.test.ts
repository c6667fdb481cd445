// A backup of a bot that goes on writing: what it holds must still fit together when it is restored.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { makeBackup } from '../../../../src/bot/state-folder/backup.ts';
import { restoreBackup } from '../../../../src/bot/state-folder/restore.ts';
import { testFolder } from '../test-folder.ts';
import { runOnce, settingsOf } from './state-folder-kit.ts';

const root = testFolder();

/** Runs `meanwhile` as soon as `act` removes its temporary copy of the journal. */
function afterTheCopy(meanwhile: () => void, act: () => void): void {
  const { rmSync } = fs;
  const restore = (): void => {
    fs.rmSync = rmSync;
    syncBuiltinESMExports();
  };
  fs.rmSync = (file, options) => {
    rmSync(file, options);
    if (!path.basename(String(file)).startsWith('.quotekeeper-backup-')) return;
    restore();
    meanwhile();
  };
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    restore();
  }
}

test('a witness written after the journal is copied is not in the backup: a restored bot would refuse it', () => {
  const inRoot = (name: string): string => path.join(root, name);
  const [own, restored, backup] = [inRoot('own'), inRoot('restored'), inRoot('a.backup')];
  fs.mkdirSync(own);
  runOnce(own);
  let hasWritten = false;
  afterTheCopy(
    () => {
      runOnce(own);
      hasWritten = true;
    },
    () => makeBackup(settingsOf(own), backup),
  );
  expect(hasWritten).toBe(true);
  restoreBackup(settingsOf(restored), backup, false);
  expect(() => runOnce(restored)).not.toThrow();
});
