// The exchange is kept in its file, also where the file could not be written for a while.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { holdStateFile, keepState } from '../../../src/paper/server/start.ts';
import { PaperStateError } from '../../../src/paper/server/state-file.ts';
import { addKey } from '../../../src/paper/state/settings.ts';
import { SmallExchange } from './small-exchange.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keeper-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what could not be written is not taken for written', async () => {
  const stateFile = path.join(folder, 'state.json');
  const { state } = new SmallExchange();
  const log = pino({ level: 'silent' });
  const keeper = await keepState(() => state, { stateFile, log });
  const key = { apiKey: 'made-meanwhile', secret: 'its-secret', permissions: [], ipWhitelist: null };
  addKey(state, 'alice', key);
  renameSync(folder, `${folder}-away`);
  await keeper.store();
  renameSync(`${folder}-away`, folder);
  await keeper.store();
  const kept = readFileSync(stateFile, 'utf8');
  await keeper.close(true);
  expect(kept).toContain('made-meanwhile');
});

// The lock of a state file, as others may have left it: it keeps everybody else out, or is not had at all.

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let stateFile: string;
let lockFile: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  stateFile = path.join(folder, 'exchange.json');
  lockFile = `${stateFile}.lock`;
});

afterEach(() => rmSync(path.dirname(stateFile), { recursive: true }));

/** What becomes of holding it in another process; root may write everywhere, so it becomes nobody for this. */
function heldElsewhere(): string {
  const program = `
    import { holdStateFile } from ${JSON.stringify(path.resolve('src/paper/server/start.ts'))};
    if (${isRoot}) { process.setgid(${NOBODY}); process.setuid(${NOBODY}); }
    try { holdStateFile(${JSON.stringify(stateFile)}); console.log('held'); }
    catch (error) { console.log(error.name, error.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
}

test('is not had where its file may only be read: it would keep nobody out', () => {
  writeFileSync(lockFile, '');
  chmodSync(lockFile, 0o444);
  expect(heldElsewhere()).toBe(
    `PaperStateError The state file ${stateFile} can't be held: ${lockFile} can't be written, or is no lock.`,
  );
});

test('is not another exchange’s where its file is none', () => {
  writeFileSync(lockFile, 'x'.repeat(2_000));
  expect(() => holdStateFile(stateFile)).toThrow(PaperStateError);
  expect(() => holdStateFile(stateFile)).toThrow(`${lockFile} can't be written, or is no lock.`);
});

test('is its owner’s alone, keeps everybody out until it is let go, and stays empty', () => {
  const release = holdStateFile(stateFile);
  expect(statSync(lockFile).mode & 0o777).toBe(0o600);
  if (isRoot) chownSync(lockFile, NOBODY, NOBODY);
  // The first refusal must not end the lock for the second, which another process asks for.
  expect(() => holdStateFile(stateFile)).toThrow('in use by another exchange');
  expect(heldElsewhere()).toContain('in use by another exchange');
  release();
  expect(heldElsewhere()).toBe('held');
  expect(statSync(lockFile).size).toBe(0);
});
