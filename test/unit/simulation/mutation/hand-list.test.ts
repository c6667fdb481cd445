// Mutants that a person wrote down: what is read, and what is refused with its place.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findHandAgain, readHandList } from '../../../../simulation/mutation/hand-list.ts';
import { spliced } from '../../../../simulation/mutation/random-mutant.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'hand-list-'));
const file = path.join(root, 'list.json');
const SOURCE = 'const a = 1;\nconst b = a + 1;\nif (a < b) stop();\n';
beforeAll(() => {
  mkdirSync(path.join(root, 'src/loop'), { recursive: true });
  writeFileSync(path.join(root, 'src/loop/x.ts'), SOURCE);
});
afterAll(() => rmSync(root, { recursive: true }));

const ROW = { id: 'h1', file: 'src/loop/x.ts', from: 'a < b', to: 'a > b || b > 7', sentence: 'It stops too late.' };
function read(...rows: readonly object[]): ReturnType<typeof readHandList> {
  writeFileSync(file, JSON.stringify(rows));
  return readHandList(file, root);
}

test('one that is read has its place, and stands in its source as it was written', () => {
  const list = read(ROW, { ...ROW, id: 'h2', from: 'stop()', to: '' });
  const [mutant] = list.ok ? list.value : [];
  expect(mutant).toEqual({
    ...{ file: 'src/loop/x.ts', line: 3, column: 5, start: 34, end: 39, mutator: 'by hand' },
    ...{ original: 'a < b', replacement: 'a > b || b > 7', hand: { id: 'h1', sentence: 'It stops too late.' } },
  });
  expect(mutant && spliced(SOURCE, mutant)).toBe('const a = 1;\nconst b = a + 1;\nif (a > b || b > 7) stop();\n');
  expect(list.ok && list.value).toHaveLength(2);
});

test('one of before is found where its text stands now, and not where that is gone', () => {
  const list = read(ROW);
  const mutant = (list.ok && list.value[0]) || null;
  expect(mutant && findHandAgain({ ...mutant, start: 0, end: 5 }, root)).toEqual(mutant);
  expect(mutant && findHandAgain({ ...mutant, original: 'gone' }, root)).toBeNull();
});

describe('refused with its place is', () => {
  const row = (more: Partial<typeof ROW>): object => ({ ...ROW, ...more });
  test.each<[string, readonly object[], string]>([
    [
      'a text that is not there',
      [ROW, row({ id: 'h2', from: 'no' })],
      '1.from: its text does not stand in src/loop/x.ts',
    ],
    [
      'one that is there twice',
      [row({ from: '1;' })],
      '0.from: its text stands 2 times in src/loop/x.ts, in lines 1, 2 (h1).',
    ],
    ['a file that is not', [row({ file: 'src/loop/y.ts' })], '0.file: there is no src/loop/y.ts (h1).'],
    [
      'the judge itself',
      [row({ file: 'simulation/machine/world.ts' })],
      '0.file: a source of the program was expected',
    ],
    ['what lies elsewhere', [row({ file: '../x.ts' })], '0.file: a source of the program was expected'],
    ['no change', [row({ to: 'a < b' })], '0.to: it changes nothing in src/loop/x.ts (h1).'],
    ['a name that is taken', [ROW, ROW], '1.id: h1 stands there twice.'],
    ['no sentence', [row({ sentence: '' })], '0.sentence: '],
    ['a word too much', [{ ...ROW, seed: 3 }], '0: '],
    ['an empty list', [], ': '],
  ])('%s', (_what, rows, words) => {
    expect(read(...rows)).toEqual({ ok: false, error: expect.stringContaining(`--list ${file}: ${words}`) });
  });

  test.each([
    ['no JSON', '{', 'a list of mutants was expected; SyntaxError'],
    ['no list', '{}', 'Invalid input: expected array'],
  ])('a file with %s', (_what, content, words) => {
    writeFileSync(file, content);
    expect(readHandList(file, root)).toEqual({ ok: false, error: expect.stringContaining(words) });
  });
});
