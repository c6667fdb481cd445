// A process that holds the state folder and does not answer: named by its pid, with real processes and real locks.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { identityOf } from '../../../../src/bot/base/process-identity.ts';
import { configurationNoteFile } from '../../../../src/bot/state-folder/configuration-note.ts';
import { leaseFile } from '../../../../src/bot/state-folder/lease-file.ts';
import { silentHolder } from '../../../../src/bot/state-folder/running-bot.ts';
import { openSqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../../../src/bot/state-folder/state-folder.ts';
import type { ProcessIdentity } from '../../../../src/ports/lease.ts';

const NOW = 1_700_000_000_000;
let folder = '';
let frozen = { pid: 0, end: (): void => {} };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'holder-')));
  const child = spawn('sleep', ['60']);
  child.kill('SIGSTOP');
  frozen = { pid: child.pid ?? 0, end: () => child.kill('SIGKILL') };
});
afterEach(() => {
  frozen.end();
  rmSync(folder, { recursive: true, force: true });
});

const holder = (): string | null => silentHolder({ stateFolder: folder, files: ['config/live.yaml'], now: NOW });

function recordBy(process: ProcessIdentity): void {
  writeFileSync(configurationNoteFile(folder), JSON.stringify({ files: ['config/live.yaml'], process }));
}

function leaseBy(process: ProcessIdentity, cycles: number): void {
  writeFileSync(leaseFile(folder), JSON.stringify({ seq: 9, cycles, at: NOW - 12_300, process, ended: false }));
}

test('one that was frozen is named, with what to do and its last sign of life', () => {
  leaseBy(identityOf(frozen.pid), 4);
  expect(holder()).toBe(
    `Process ${frozen.pid} has ${folder} and does not answer: it is starting, was stopped (frozen), or hangs. ` +
      'Its last sign of life was 12.3 s ago. If it stays so: `quotekeeper cancel-all config/live.yaml`, ' +
      `then end it with \`kill -KILL ${frozen.pid}\`. \`pm2 list\` may still call it online.`,
  );
});

test('one whose loop continues must never be killed, whatever else of it does not answer', () => {
  writeFileSync(
    leaseFile(folder),
    JSON.stringify({ seq: 9, cycles: 4, at: NOW - 2_000, process: identityOf(frozen.pid), ended: false }),
  );
  expect(holder()).toBe(
    `Process ${frozen.pid} has ${folder} and works: its last sign of life was 2.0 s ago. It does not answer at its ` +
      `socket: its log says why; \`kill -TERM ${frozen.pid}\` stops it clean.`,
  );
});

test('one that was frozen while starting, with its predecessor’s lease, is identified by its note', () => {
  leaseBy({ pid: spawnSync('true').pid, startedAt: '1', bootId: null }, 4);
  recordBy(identityOf(frozen.pid));
  expect(holder()).toContain(`Process ${frozen.pid} has ${folder}`);
  expect(holder()).not.toContain('sign of life');
});

test('a journal held by an unknown process says so without a number', () => {
  const held = openSqliteJournal(journalPath(folder));
  try {
    expect(holder()).toContain(`A process has ${folder} and does not answer`);
  } finally {
    held.close();
  }
});

test('without a process there is no advice', () => {
  const gone = { pid: spawnSync('true').pid, startedAt: '1', bootId: null };
  leaseBy(gone, 4);
  recordBy(gone);
  expect(holder()).toBeNull();
});
