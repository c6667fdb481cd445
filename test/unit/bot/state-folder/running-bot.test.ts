// Which bot is meant without a configuration: with real state folders and real processes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { StartError } from '../../../../src/bot/base/exit-codes.ts';
import {
  configurationNoteFile,
  readConfigurationNote,
  recordConfiguration,
} from '../../../../src/bot/state-folder/configuration-note.ts';
import { onlyRunningBot } from '../../../../src/bot/state-folder/running-bot.ts';
import { openSqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../../../src/bot/state-folder/state-folder.ts';
import { testFolder } from '../test-folder.ts';

const root = testFolder();

function stateFolder(name: string): string {
  const folder = path.join(root, 'state', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A bot that this live process records as its own. */
function runningBot(name: string): string {
  const folder = stateFolder(name);
  recordConfiguration(folder, [path.join(root, `config/${name}.yaml`)]);
  return folder;
}

function endedBot(name: string): string {
  const folder = runningBot(name);
  const { pid } = spawnSync('true');
  const text = JSON.stringify({ ...readConfigurationNote(folder), process: { pid, startedAt: '1', bootId: null } });
  writeFileSync(configurationNoteFile(folder), text);
  return folder;
}

function refused(pm2Configuration?: string): string {
  try {
    onlyRunningBot([root], { command: 'cancel-all', pm2Configuration });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    expect(error.code).toBe(64);
    return error.message;
  }
  throw new Error('It was not refused.');
}

describe('without a configuration', () => {
  test('the only running bot is chosen, whatever else was there before', () => {
    endedBot('paper');
    const live = runningBot('live');
    expect(onlyRunningBot([root, root], { command: 'status' })).toEqual({
      stateFolder: live,
      files: [path.join(root, 'config/live.yaml')],
      isRunning: true,
    });
  });

  test('none is guessed if no bot is running: those found are named', () => {
    const folder = endedBot('live');
    const said = refused();
    expect(said).toContain('No configuration is named, and no bot runs');
    expect(said).toContain(`${folder}: no bot runs, configuration ${root}/config/live.yaml`);
    expect(said).toContain(`quotekeeper cancel-all ${root}/config/live.yaml`);
  });

  test('the value of pm2’s variable is named, and not used', () => {
    endedBot('paper');
    const said = refused('config/live.yaml');
    expect(said).toContain('QUOTEKEEPER_CONFIG is set, but it is for pm2 only: no command goes by it.');
    expect(said).toContain('Name the configuration: quotekeeper cancel-all config/live.yaml');
  });

  test('none is guessed if two bots are running', () => {
    runningBot('live');
    runningBot('paper');
    expect(refused()).toContain('2 bots run');
  });

  test('none is guessed if there is nothing at all', () => {
    expect(refused()).toContain(`There is no state of a bot in ${root}/state.`);
  });

  test('a bot that holds its journal and left no note counts as running', () => {
    runningBot('live');
    const folder = stateFolder('old');
    const held = openSqliteJournal(journalPath(folder));
    try {
      expect(refused()).toContain(`${folder}: a bot runs, its configuration is not known`);
    } finally {
      held.close();
    }
  });
});
