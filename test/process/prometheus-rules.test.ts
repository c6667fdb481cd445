// The alert rules as Prometheus itself reads them, and what they do with numbers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { findTool } from './tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const promtool = findTool('promtool', 'the alert rules as Prometheus reads them');
const withTool = promtool === null ? test.skip : test;

function run(...args: string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: root, encoding: 'utf8', timeout: 300_000 });
  return { status, said: stdout + stderr };
}

withTool('promtool accepts the rules', () => {
  const { status, said } = run('check', 'rules', 'config/prometheus-alerts.yaml');
  expect([status, said]).toEqual([0, expect.stringMatching(/SUCCESS: \d{2} rules found/)]);
});

withTool.each([
  ['the alerts fire when they should and not before', 'prometheus-alerts.yaml'],
  ['what is recorded is what it says; what needs a person outlasts the process', 'prometheus-recorded.yaml'],
])('%s', (_name, file) => {
  const { status, said } = run('test', 'rules', `test/process/${file}`);
  expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
