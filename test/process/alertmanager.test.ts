// The example for Alertmanager as its own tool reads it, and that it speaks of alerts that there are.
import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { alertRules, ROOT, readText } from '../unit/bot/dashboards/read-files.ts';
import { findTool } from './tools.ts';

const CONFIG = 'config/alertmanager.example.yaml';
const amtool = findTool('amtool', 'the example for Alertmanager as it reads it');
const withTool = amtool === null ? test.skip : test;

function run(...args: string[]): { readonly status: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(amtool ?? '', args, { cwd: ROOT, encoding: 'utf8', timeout: 300_000 });
  return { status, out: stdout, err: stderr };
}

withTool('amtool accepts it', () => {
  const { status, out, err } = run('check-config', CONFIG);
  expect([status, out + err]).toEqual([0, expect.stringMatching(/SUCCESS[\s\S]*2 receivers/)]);
});

withTool('every alert goes where its severity belongs', () => {
  const severities = new Set(alertRules().map(({ labels }) => labels.severity));
  const receivers = [...severities].map((severity) => {
    const { status, out } = run('config', 'routes', 'test', `--config.file=${CONFIG}`, `severity=${severity}`);
    return [severity, status, out.trim()];
  });
  expect(receivers.sort()).toEqual([
    ['critical', 0, 'page'],
    ['warning', 0, 'warn'],
  ]);
});

test('what it inhibits is an alert that there is', () => {
  const named = [...readText(CONFIG).matchAll(/alertname !?=~? "Quotekeeper(?:\(([^)]+)\)|(\w+))"/g)];
  const names = named.flatMap(([, several, one]) => (several ?? one ?? '').split('|'));
  const known = new Set(alertRules().map(({ alert }) => alert.replace('Quotekeeper', '')));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
