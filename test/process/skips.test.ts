// A test that needs a tool says so where the tool is not there, also where it is all that its file has; in CI it fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from './start-program.ts';

const bin = mkdtempSync(path.join(tmpdir(), 'quotekeeper-no-tools-'));
// Two: what Jest prints of a file differs where it runs several.
const FILES = ['test/process/alertmanager.test.ts', 'test/process/prometheus-rules.test.ts'];

beforeAll(() => symlinkSync('/bin/sh', path.join(bin, 'sh')));
afterAll(() => rmSync(bin, { recursive: true, force: true }));

/** Runs them by Jest on a machine that has a shell and nothing else. */
function runWithout(ci: string): { readonly status: number | null; readonly said: string } {
  const env = { PATH: bin, HOME: bin, CI: ci };
  const ran = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--runInBand', ...FILES], {
    cwd: PROJECT_ROOT,
    env,
    encoding: 'utf8',
    timeout: 500_000,
  });
  return { status: ran.status, said: ran.stdout + ran.stderr };
}

test('a missing tool is named, with what is skipped and the package', () => {
  const { status, said } = runWithout('');
  expect([status, said]).toEqual([
    0,
    expect.stringMatching(/^Skipped: .*\. promtool is not .* `prometheus`, or set CI/m),
  ]);
  expect(said).toMatch(/^Skipped: .*\. amtool is not .* `prometheus-alertmanager`, or set CI/m);
});

test('in CI it is a failure', () => {
  const { status, said } = runWithout('true');
  expect([status, said]).toEqual([1, expect.stringContaining('promtool is not installed, and CI must not skip')]);
  expect(said).toContain('Test Suites: 2 failed');
});
