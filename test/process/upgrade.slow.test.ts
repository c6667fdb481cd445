// A program refuses the journal of a newer one, as docs/journal.md says, and changes nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { writeBackup } from '../../src/bot/state-folder/backup-file.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../src/bot/state-folder/state-folder.ts';
import { EVENT_SCHEMA, openTraderJournal } from '../../src/loop/trader-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { endProjects, newProject, type Project } from './bot-process.ts';

const NEWER = `A newer program wrote this journal (format 1, schema ${EVENT_SCHEMA + 1}; this one knows format 1,`;

afterEach(endProjects);

/** A project whose state folder holds a journal that a newer program has opened after this one. */
async function openedByNewer(): Promise<Project> {
  const project = await newProject();
  mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
  const storage = openSqliteJournal(journalPath(project.stateFolder));
  try {
    const opened = openTraderJournal(storage, realClock);
    if (!opened.ok) throw opened.error;
    const versions = { format: 1, schema: EVENT_SCHEMA + 1 };
    opened.value.journal.append([{ type: 'journal-opened', payload: versions }]);
    return project;
  } finally {
    storage.close();
  }
}

/** Files of the bot with their bytes; the paper exchange, which goes on, and the log are none. */
const bytesIn = ({ stateFolder }: Project): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(stateFolder)
      .filter((name) => !/^(?:paper-|exchange|.*\.log$|.*-(?:wal|shm)$)/.test(name))
      .map((name) => [name, sha256(readFileSync(path.join(stateFolder, name)))]),
  );
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('going back without a backup', () => {
  test('is refused with a sentence, and nothing is changed', async () => {
    const project = await openedByNewer();
    const before = bytesIn(project);
    const file = path.join(project.folder, 'newer.sqlar');
    expect(await project.bot().ended).toMatchObject({ code: 73, err: expect.stringContaining(NEWER) });
    const backup = project.command('backup', '--to', file);
    const trades = project.ask('export', 'trades', project.file);
    for (const { code, err } of await Promise.all([backup, trades]))
      expect([code, err]).toEqual([73, expect.stringContaining(NEWER)]);
    expect(existsSync(file)).toBe(false);
    const { 'configuration.json': _note, ...after } = bytesIn(project);
    expect(after).toEqual(before);
  });

  test('so is a backup of a newer program', async () => {
    const [project, other] = [await openedByNewer(), await newProject()];
    const file = path.join(project.folder, 'newer.sqlar');
    const now = new Date(realClock.now()).toISOString();
    const bytes = readFileSync(journalPath(project.stateFolder));
    const journal = { epoch: 1, seq: 2, hash: '', endedAt: now, openOrders: 0 };
    const manifest = { format: 1, program: 'quotekeeper 9', madeAt: now, venue: 'paper', journal } as const;
    writeBackup(file, manifest, [{ name: 'journal.sqlite', bytes, changedAt: realClock.now() }]);
    const refused = await other.command('restore', '--from', file);
    expect(refused).toMatchObject({ code: 73, err: expect.stringContaining(NEWER) });
    expect(refused.err).toContain('Nothing was changed.');
    expect(readdirSync(other.stateFolder)).toEqual([]);
  });
});
