// docs/risk.md is the gate as it is: every rule, every code, every limit of the configuration, and tests that are
// there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../src/bot/metrics/metrics.ts';
import { HALT_CODES } from '../../src/quoting/block.ts';
import { DENY_CODES } from '../../src/quoting/risk/risk-context.ts';
import { limitsSchema, messageRateSchema } from '../../src/quoting/risk/risk-limits.ts';
import { statusFixture } from '../browser/status-fixture.ts';
import { samplesOf } from './bot/metrics-samples.ts';

const root = path.resolve(import.meta.dirname, '../..');
const document = readFileSync(path.join(root, 'docs/risk.md'), 'utf8');

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const rows = document
  .split('\n')
  .filter((line) => /^\| (?:\d+|–) \|/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  .map(([number = '', rule = '', keys = '', codes = '', happens = '', tested = '']) => ({
    number,
    rule,
    keys: quoted(keys.replaceAll('k`', '`limits.')),
    codes: quoted(codes),
    happens,
    tests: quoted(tested),
  }));

test('all eighteen rules of the design stand in it, in their order', () => {
  const numbers = rows.map(({ number }) => number).filter((number) => number !== '–');
  expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => `${index + 1}`));
  for (const { rule } of rows) expect(rule).not.toBe('');
});

/** What is denied: by the gate, or before it because it can't be a quote. */
const DENIED = [...DENY_CODES, 'strategy-quote'];

test('every code of the gate stands in it once, and no other', () => {
  expect(rows.flatMap(({ codes }) => codes).sort()).toEqual(DENIED.toSorted());
});

test('a rule that halts says so, and no other does', () => {
  const halting = rows.filter(({ happens }) => /\bhalts\b/.test(happens)).flatMap(({ codes }) => codes);
  // The reference halts by way of `price`.
  expect(halting.filter((code) => code !== 'reference').sort()).toEqual([...HALT_CODES].sort());
});

test('every limit that can be configured belongs to a rule', () => {
  const named = new Set(rows.flatMap(({ keys }) => keys));
  const limits = Object.keys(limitsSchema.shape).map((key) => `limits.${key}`);
  const rates = Object.keys(messageRateSchema.unwrap().shape).map((key) => `messageRate.${key}`);
  expect([...limits, ...rates].filter((key) => !named.has(key))).toEqual([]);
  const configuration = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8');
  const isThere = (key: string): boolean =>
    [key, key.split('.').at(-1)].some((name) => configuration.includes(`| \`${name}\` |`));
  expect([...named].filter((key) => !isThere(key))).toEqual([]);
});

test('the tests are there, and one of each rule speaks of its codes', () => {
  for (const { number, codes, tests } of rows) {
    expect([number, tests.length]).not.toEqual([number, 0]);
    expect(tests.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const texts = tests.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
    expect([number, codes.filter((code) => !texts.includes(`'${code}'`))]).toEqual([number, []]);
  }
});

test('every code has a counter from the start', async () => {
  const metrics = createMetrics();
  metrics.update(statusFixture());
  const found = samplesOf(await metrics.text());
  metrics.close();
  const lacking = (metric: string, codes: readonly string[]): string[] =>
    codes.filter((code) => !found.has(`quotekeeper_${metric}{symbol="BTC/INR",code="${code}"}`));
  expect(lacking('denied_total', DENIED)).toEqual([]);
  expect(lacking('halts_total', HALT_CODES)).toEqual([]);
  expect(lacking('halt_state', HALT_CODES)).toEqual([]);
});
