// The journal's own calls of the system, one by one: each sync fails once and then succeeds (F93), each finds the
// process killed in it (F90), each write finds the disk full (F92). Needs strace, which puts itself between process and
// system; without it nothing here runs, and that is said.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { CHILD, headOf, lastAcked, newFolder, removeFolders, start, type Watched } from './journal-processes.ts';
import { absent, findTool } from './tools.ts';

afterAll(removeFolders);

const SKIPPED = 'the journal whose system calls fail it one by one';

/** There, and allowed: a container may forbid to trace. */
function canTrace(): boolean {
  const strace = findTool('strace', SKIPPED);
  if (strace === null) return false;
  const { status, stderr } = spawnSync(strace, ['-qq', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (status !== 0)
    absent(`strace may not trace here (${stderr.trim()})`, {
      skipped: SKIPPED,
      remedy: 'allow ptrace (docker run --cap-add=SYS_PTRACE)',
    });
  return status === 0;
}

const traced = canTrace() ? describe : describe.skip;

/** Appends so many times under an injection, as strace spells it; none for ''. */
async function write(path: string, injection: string, turns = 12): Promise<Watched & { readonly calls: string }> {
  const trace = `${path}.trace`;
  const inject = injection === '' ? [] : ['-e', `inject=${injection}`];
  const watch = ['-f', '-qq', '-o', trace, '-e', 'trace=fsync,fdatasync,pwrite64', ...inject];
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', CHILD, 'write', path, String(turns)];
  const child = start('strace', [...watch, ...command]);
  child.child.stdin?.end();
  await child.ended();
  return { ...child, calls: readFileSync(trace, 'utf8') };
}

const newPath = (): string => join(newFolder(), 'journal.db');
const countOf = (calls: string, name: string): number =>
  calls.split('\n').filter((line) => line.includes(`${name}(`)).length;

/**
 * Calls with this name in an undisturbed run, and how many of them come before the first append that is acknowledged.
 */
async function calmRun(): Promise<{ syncs: number; writes: number }> {
  const { calls, lines } = await write(newPath(), '');
  expect(lines.at(-1)).toBe('done');
  return { syncs: countOf(calls, 'fsync') + countOf(calls, 'fdatasync'), writes: countOf(calls, 'pwrite64') };
}

/** Appends that were acknowledged after one had failed: none may be. */
function ackedAfterError(lines: readonly string[]): string[] {
  const failed = lines.findIndex((line) => line.startsWith('error'));
  return failed < 0 ? [] : lines.slice(failed).filter((line) => line.startsWith('acked'));
}

traced('a journal whose system fails it', () => {
  test('at any sync, once, acknowledges nothing more and keeps what it acknowledged', async () => {
    const { syncs } = await calmRun();
    expect(syncs).toBeGreaterThan(15);
    let failedAppends = 0;
    for (let k = 1; k <= syncs; k += 1) {
      const path = newPath();
      const { lines, calls } = await write(path, `fsync,fdatasync:error=EIO:when=${k}`);
      const said = lines.join('\n');
      if (calls.includes('INJECTED') && said.includes('error ')) {
        failedAppends += said.includes('refused JournalError') ? 1 : 0;
        expect([k, said]).toEqual([k, expect.stringMatching(/error (failed|unreachable) The journal/)]);
        expect([k, ackedAfterError(lines)]).toEqual([k, []]);
      }
      expect([k, headOf(path).seq >= lastAcked(lines)]).toEqual([k, true]);
    }
    expect(failedAppends).toBeGreaterThanOrEqual(12);
  });

  test('by a full disk at any write: it says so, and keeps what it acknowledged', async () => {
    const { writes } = await calmRun();
    let said = 0;
    for (let k = 4; k <= writes; k += 3) {
      const path = newPath();
      const { lines } = await write(path, `pwrite64:error=ENOSPC:when=${k}`);
      if (lines.some((line) => line.startsWith('error full'))) said += 1;
      expect([k, ackedAfterError(lines)]).toEqual([k, []]);
      expect([k, headOf(path).seq >= lastAcked(lines)]).toEqual([k, true]);
    }
    expect(said).toBeGreaterThan(5);
  });
});
