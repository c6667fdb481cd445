// The command line of random mutants, and the file that a later run plays again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { PlayedMutant } from '../../../../simulation/mutation/outcome.ts';
import { readCommand } from '../../../../simulation/mutation/sample-command.ts';
import { writeSample } from '../../../../simulation/mutation/sample-file.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'sample-'));
const file = path.join(folder, 'sample.json');
const SEEDS = { from: 0, to: 19, hours: 0.5 } as const;
afterAll(() => rmSync(folder, { recursive: true }));

test('a sample plays the seeds 0 to 19 for half an hour each, on one core', () => {
  expect(readCommand(['--sample', '40', '--seed', '7'])).toEqual({
    ok: true,
    value: {
      chosen: { kind: 'sample', count: 40, seed: '7' },
      seeds: SEEDS,
      profiles: ['default'],
      workers: 1,
      json: null,
    },
  });
  expect(readCommand(['--sample', '1', '--profiles', 'default,tight'])).toMatchObject({
    value: { profiles: ['default', 'tight'] },
  });
});

describe('what cannot be read is a sentence', () => {
  test.each([
    [['--sample', '0'], '--sample 0: a whole number above 0.'],
    [['--sample', 'x'], '--sample x: a whole number above 0.'],
    [['--sample', '3', '--again', 'f'], '--sample and --again: one of them.'],
    [['--list', 'f', '--again', 'f'], '--again and --list: one of them.'],
    [['--sample', '3', '--seeds', '5..2'], '--seeds 5..2: no seed lies between; the lower one comes first.'],
    [['--sample', '3', '--seeds', '5'], '--seeds 5: two whole numbers with two points between.'],
    [['--sample', '3', '--hours', '0'], '--hours 0: a number above 0, at most 720.'],
    [['--sample', '3', '--workers', '0.5'], '--workers 0.5: a whole number above 0.'],
    [
      ['--sample', '3', '--profiles', 'default,x'],
      '--profiles default,x: known are default, tight, fractional, busy, strategies, not "x".',
    ],
    [['--sample', '3', '--profiles', 'tight,tight'], '--profiles tight,tight: tight stands there twice.'],
  ])('%j', (args, sentence) => {
    expect(readCommand(args)).toEqual({ ok: false, error: sentence });
  });
});

describe('played again', () => {
  const mutant = (line: number): PlayedMutant['mutant'] => ({
    ...{ file: 'src/loop/x.ts', line, column: 1, start: line, end: line + 4 },
    ...{ mutator: 'BooleanLiteral', original: 'true', replacement: 'false' },
  });
  const again = (): unknown => readCommand(['--again', file]);

  test('is what was not noticed', () => {
    const played: PlayedMutant[] = [
      { mutant: mutant(1), outcome: { kind: 'noticed', seed: 0, invariant: 'S1', sentence: 'Twice.' }, profile: null },
      { mutant: mutant(2), outcome: { kind: 'not-noticed', seed: 5 }, profile: null },
      { mutant: mutant(5), outcome: { kind: 'nothing-changed' }, profile: null },
      { mutant: mutant(6), outcome: { kind: 'not-run' }, profile: null },
      { mutant: mutant(3), outcome: { kind: 'file-not-loaded' }, profile: null },
      { mutant: mutant(4), outcome: { kind: 'threw', seed: null, words: '' }, profile: null },
    ];
    writeSample(file, { commit: 'abc', seeds: SEEDS, asked: 'sample 4 by seed 0', played });
    expect(again()).toMatchObject({
      ok: true,
      value: { chosen: { kind: 'again', mutants: [mutant(2), mutant(5), mutant(6)] } },
    });
  });

  test.each([
    ['no JSON', 'x', 'a file that --json wrote was expected; SyntaxError'],
    ['something else', '{"played": [{"mutant": 3}]}', 'played.0.mutant: Invalid input'],
  ])('a file with %s is refused', (_what, content, words) => {
    writeFileSync(file, content);
    expect(again()).toEqual({ ok: false, error: expect.stringContaining(words) });
    expect(again()).toEqual({ ok: false, error: expect.stringContaining(`--again ${file}`) });
  });

  test('a file that is not there is refused', () => {
    const read = readCommand(['--again', path.join(folder, 'none')]);
    expect(read).toEqual({ ok: false, error: expect.stringContaining('ENOENT') });
  });
});
