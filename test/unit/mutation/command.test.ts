// The command line of the mutants that unit tests are tried on, and what is told of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { RandomMutant } from '../../../simulation/mutation/random-mutant.ts';
import { writeSample } from '../../../simulation/mutation/sample-file.ts';
import { readCommand } from '../../mutation/command.ts';
import type { Verdict } from '../../mutation/judged.ts';
import { lineOf, type Outcome, type TestedMutant } from '../../mutation/outcome.ts';
import { outcomeTables } from '../../mutation/outcome-table.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'test-mutants-'));
const file = path.join(folder, 'sample.json');
afterAll(() => rmSync(folder, { recursive: true }));

const mutant = (name: string, mutator = 'Regex'): RandomMutant => ({
  ...{ file: name, line: 7, column: 3, start: 90, end: 99, mutator },
  ...{ original: 'one of\n  many lines', replacement: 'another' },
});

test('a sample is drawn from all seven folders and shown to the tests that run in their own process', () => {
  expect(readCommand(['--sample', '60', '--seed', '2'])).toEqual({
    ok: true,
    value: {
      chosen: { kind: 'sample', count: 60, seed: '2' },
      within: [
        ...['src/trader', 'src/client', 'src/quoting', 'src/ledger'],
        ...['src/loop', 'src/watchdog', 'src/journal'],
      ],
      tests: ['test/unit', 'test/scenario', 'test/contract'],
      withinMs: Number.POSITIVE_INFINITY,
      json: null,
    },
  });
  expect(readCommand(['--sample', '1', '--seconds', '60'])).toMatchObject({ value: { withinMs: 60_000 } });
});

describe('what cannot be read is a sentence', () => {
  test.each([
    [['--sample', '0'], '--sample 0: a whole number above 0.'],
    [[], '--sample : a whole number above 0.'],
    [['--sample', '3', '--again', 'f'], '--sample and --again: one of them.'],
    [['--list', 'none.json'], expect.stringContaining('--list none.json: a list of mutants was expected')],
    [['--sample', '3', '--within', 'src/no'], 'src/no: a file or folder, from the root of the tree, was expected.'],
    [['--sample', '3', '--seconds', '0'], '--seconds 0: a number above 0.'],
    [['--sample', '3', '--tests', 'no'], 'no: a file or folder, from the root of the tree, was expected.'],
  ])('%j', (args, sentence) => {
    expect(readCommand(args)).toEqual({ ok: false, error: sentence });
  });
});

test('a list by hand is read as it is for the simulator', () => {
  const row = { id: 'h1', file: 'src/ledger/amount.ts', from: 'amount(a + b)', to: 'amount(a)', sentence: 'No sum.' };
  writeFileSync(file, JSON.stringify([row]));
  expect(readCommand(['--list', file])).toMatchObject({
    value: { chosen: { kind: 'list', mutants: [{ original: row.from, hand: { id: 'h1', sentence: 'No sum.' } }] } },
  });
});

test('again are those of a file that no test noticed', () => {
  const outcomes: Outcome[] = [
    { kind: 'killed', test: 't', words: 'w' },
    { kind: 'survived', tests: 2, of: 2 },
    { kind: 'hang', test: null },
    { kind: 'not-run' },
    { kind: 'not-loaded' },
  ];
  const played = outcomes.map((outcome, place) => ({ mutant: mutant(`src/loop/${place}.ts`), outcome }));
  writeSample(file, { commit: 'abc', asked: 'sample 5 by seed 0', played });
  const mutants = [1, 3, 4].map((place) => mutant(`src/loop/${place}.ts`));
  expect(readCommand(['--again', file])).toMatchObject({ ok: true, value: { chosen: { kind: 'again', mutants } } });
});

const tested = (name: string, outcome: Outcome, verdict: Verdict | null = null): TestedMutant => ({
  mutant: mutant(name),
  outcome,
  verdict,
});

test.each<[Outcome, Verdict | null, string]>([
  [{ kind: 'killed', test: 't.test.ts', words: 'is\nred' }, 'owed', '✓ — t.test.ts: is red'],
  [{ kind: 'hang', test: 't.test.ts' }, null, '✓ — hang in t.test.ts'],
  [{ kind: 'hang', test: null }, null, '✓ — hang in no test'],
  [{ kind: 'survived', tests: 1, of: 4 }, null, '✗ — survived 1 of 4 test files'],
  [{ kind: 'survived', tests: 2, of: 2 }, 'equivalent', '– — survived 2 of 2 test files; equivalent'],
  [{ kind: 'not-run' }, 'owed', '– — no test runs it; owed'],
  [{ kind: 'not-loaded' }, null, '✗ — no test loads its file'],
])('a line of %o, judged %s', (outcome, verdict, line) => {
  expect(lineOf(tested('src/loop/x.ts', outcome, verdict))).toBe(
    line.replace('—', 'src/loop/x.ts:7:3 Regex: one of many lines → another —'),
  );
});

test('what was judged equivalent or words counts in a column of its own, and what was killed as killed', () => {
  const all = [
    tested('src/trader/orders/x.ts', { kind: 'killed', test: 't', words: '' }, 'equivalent'),
    tested('src/trader/y.ts', { kind: 'survived', tests: 3, of: 3 }, 'equivalent'),
    tested('src/trader/y.ts', { kind: 'not-run' }, 'words'),
    tested('src/trader/y.ts', { kind: 'survived', tests: 3, of: 3 }, 'owed'),
    tested('src/loop/x.ts', { kind: 'hang', test: 't' }),
  ];
  expect(outcomeTables(all)).toEqual([
    '| folder | mutants | killed | hang | survived | not run | not loaded | equivalent | words for people |',
    '|---|---|---|---|---|---|---|---|---|',
    '| src/loop | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |',
    '| src/trader | 4 | 1 | 0 | 1 | 0 | 0 | 1 | 1 |',
    '| all | 5 | 1 | 1 | 1 | 0 | 0 | 1 | 1 |',
    '',
    '| mutator | mutants | killed | hang | survived | not run | not loaded | equivalent | words for people |',
    '|---|---|---|---|---|---|---|---|---|',
    '| Regex | 5 | 1 | 1 | 1 | 0 | 0 | 1 | 1 |',
    '| all | 5 | 1 | 1 | 1 | 0 | 0 | 1 | 1 |',
    '',
    'Killed: 2 of 5 (40 %); without equivalents 2 of 4 (50 %); without words for people either 2 of 3 (67 %).',
  ]);
});
