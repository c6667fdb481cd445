// The two sentences of docs/deploy.md that matter most. A newer program reads the journal of an older one and keeps
// every figure; an older program refuses the journal of a newer one, and changes nothing. The journal in older-journal/
// is one that a program of schema 12 wrote: a session that ended, and one that was killed with nine orders open. The
// figures beside it are what that program itself read in it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { writeBackup } from '../../src/bot/state-folder/backup-file.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../src/bot/state-folder/state-folder.ts';
import { canonicalText } from '../../src/journal/canonical.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { EVENT_SCHEMA, openTraderJournal, readTraderJournal } from '../../src/loop/trader-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { endProjects, newProject, type Project } from './bot-process.ts';

const OLDER = path.join(import.meta.dirname, 'older-journal');
const FIGURES = readFileSync(path.join(OLDER, 'schema-12-figures.txt'), 'utf8').trimEnd();
const NEWER = `A newer program wrote this journal (format 1, schema ${EVENT_SCHEMA + 1}; this one knows format 1,`;

afterEach(endProjects);

/** A project whose state folder holds the older program's journal. */
async function upgraded(): Promise<Project> {
  const project = await newProject();
  mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
  const bytes = gunzipSync(readFileSync(path.join(OLDER, 'schema-12.sqlite.gz')));
  writeFileSync(journalPath(project.stateFolder), bytes, { mode: 0o600 });
  return project;
}

/** Ledger, profit, tallies and open orders, in the words in which the older program was asked for them. */
function figuresOf({ stateFolder }: Project): string {
  const storage = openSqliteJournal(journalPath(stateFolder));
  try {
    const read = readTraderJournal(storage, realClock);
    if (!read.ok) throw read.error;
    const { books, markets, orders } = read.value;
    const open = [...orders.intents.values()].map(({ intentId, symbol, slot, price, quantity }) => {
      return { intentId, symbol, slot, price, quantity };
    });
    return canonicalText({
      ledger: books.ledger,
      pnl: new Map([...markets].map(([symbol, { pnl }]) => [symbol, pnl])),
      tallies: new Map([...markets].map(([symbol, { tally }]) => [symbol, tally])),
      open,
      nextIntentNumber: orders.nextIntentNumber,
    });
  } finally {
    storage.close();
  }
}

/** What a start does, and the upkeep of the first hours: a snapshot in the shape of today, older records retired. */
function live({ stateFolder }: Project): void {
  const storage = openSqliteJournal(journalPath(stateFolder));
  try {
    const pace = { everyMs: 0, everyRecords: 0, keepRecords: 0, stepRecords: 1_000 };
    const opened = openTraderJournal(storage, realClock, pace);
    if (!opened.ok) throw opened.error;
    for (let step = 0; step < 10; step += 1) opened.value.journal.tend();
  } finally {
    storage.close();
  }
}

/** An opening by a program that will be newer than this one. */
function openByNewerProgram({ stateFolder }: Project): void {
  const storage = openSqliteJournal(journalPath(stateFolder));
  try {
    const newer = { clock: realClock, schema: EVENT_SCHEMA + 1, initial: () => null, reduce: () => null };
    const opened = openJournal(storage, newer);
    if (!opened.ok) throw opened.error;
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

describe('an upgrade', () => {
  test('keeps every figure and every open order, before and after the newer program has written', async () => {
    const project = await upgraded();
    expect(figuresOf(project)).toBe(FIGURES);
    live(project);
    expect(figuresOf(project)).toBe(FIGURES);
    const storage = openSqliteJournal(journalPath(project.stateFolder));
    // All that the older program wrote has left the chain: what is read now is the snapshot.
    expect(storage.snapshots?.latest()?.schema).toBe(EVENT_SCHEMA);
    expect([...storage.read()].filter(({ type }) => type !== 'journal-snapshot')).toEqual([]);
    storage.close();
  });

  test('can be backed up by the newer program before its first start, and put back', async () => {
    const [project, other] = [await upgraded(), await newProject()];
    const file = path.join(project.folder, 'before.sqlar');
    const before = bytesIn(project);
    const { code, out } = await project.command('backup', '--to', file);
    expect([code, out]).toEqual([0, expect.stringContaining('; 9 orders were open in it.')]);
    expect(out).toContain('Not there, and so not in it: journal-witness.json, own-orders.log.');
    expect(out).toContain(`Keep these yourself, they are never in it: ${project.config}, keys`);
    expect(bytesIn(project)).toEqual(before);
    expect((await other.command('restore', '--from', file)).code).toBe(0);
    expect(figuresOf(other)).toBe(FIGURES);
  });
});

describe('going back without a backup', () => {
  test('is refused with a sentence, and nothing is changed', async () => {
    const project = await upgraded();
    openByNewerProgram(project);
    const before = bytesIn(project);
    const file = path.join(project.folder, 'newer.sqlar');
    expect(await project.bot().ended).toMatchObject({ code: 73, err: expect.stringContaining(NEWER) });
    const backup = project.command('backup', '--to', file);
    const trades = project.start(['export', 'trades', project.config]);
    for (const { code, err } of await Promise.all([backup, trades.ended]))
      expect([code, err]).toEqual([73, expect.stringContaining(NEWER)]);
    expect(existsSync(file)).toBe(false);
    const { 'configuration.json': _note, ...after } = bytesIn(project);
    expect(after).toEqual(before);
  });

  test('so is a backup of a newer program', async () => {
    const [project, other] = [await upgraded(), await newProject()];
    openByNewerProgram(project);
    const file = path.join(project.folder, 'newer.sqlar');
    const now = new Date(realClock.now()).toISOString();
    const bytes = readFileSync(journalPath(project.stateFolder));
    const journal = { epoch: 3, seq: 169, hash: '', endedAt: now, openOrders: 9 };
    const manifest = { format: 1, program: 'quotekeeper 9', madeAt: now, venue: 'paper', journal } as const;
    writeBackup(file, manifest, [{ name: 'journal.sqlite', bytes, changedAt: realClock.now() }]);
    const refused = await other.command('restore', '--from', file);
    expect(refused).toMatchObject({ code: 73, err: expect.stringContaining(NEWER) });
    expect(refused.err).toContain('Nothing was changed.');
    expect(readdirSync(other.stateFolder)).toEqual([]);
  });
});
