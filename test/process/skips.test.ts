// A test that needs a tool says so where the tool is not there, also where it is all that its file has; in CI it fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from './start-program.ts';
import { findTool } from './tools.ts';

const bin = mkdtempSync(path.join(tmpdir(), 'quotekeeper-no-tools-'));
// Two: what Jest prints of a file differs where it runs several.
const FILES = ['test/process/alertmanager.test.ts', 'test/process/prometheus-rules.test.ts'];

beforeAll(() => symlinkSync('/bin/sh', path.join(bin, 'sh')));
afterAll(() => rmSync(bin, { recursive: true, force: true }));

test('a missing tool is named by Jest, with what is skipped and the package', () => {
  // On a machine that has a shell and nothing else.
  const options = { cwd: PROJECT_ROOT, env: { PATH: bin, HOME: bin }, encoding: 'utf8', timeout: 500_000 } as const;
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', ...FILES];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(/^Skipped: .*\. promtool is not .* `prometheus`, or set CI/m),
  ]);
  expect(stdout + stderr).toMatch(/^Skipped: .*\. amtool is not .* `prometheus-alertmanager`, or set CI/m);
});

test('in CI it is a failure', () => {
  const { CI, PATH } = process.env;
  Object.assign(process.env, { CI: 'true', PATH: bin });
  try {
    expect(() => findTool('promtool', 'the rules')).toThrow(
      'promtool is not installed, and CI must not skip the rules',
    );
  } finally {
    Object.assign(process.env, { PATH, ...(CI !== undefined && { CI }) });
    if (CI === undefined) delete process.env.CI;
  }
});
