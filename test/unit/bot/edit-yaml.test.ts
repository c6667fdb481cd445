// One value changes in the text of a YAML file, wherever it is; every other character stays as it is.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { editedYaml, runPath, writtenAt, type YamlPath } from '../../../src/bot/settings/edit-yaml.ts';
import { LIVE, PAPER } from './settings-project.ts';

describe('one value', () => {
  test.each<[string, string, YamlPath, string]>([
    ['at the top', 'a: 1 # one\nb: 2\n', ['a'], 'a: 7 # one\nb: 2\n'],
    ['deep in blocks', 'a:\n  b:\n    c: 1\n', ['a', 'b', 'c'], 'a:\n  b:\n    c: 7\n'],
    ['within braces', 'a:\n  b: { c: 1, d: 2 } # x\n', ['a', 'b', 'd'], 'a:\n  b: { c: 1, d: 7 } # x\n'],
    ['in a list', 'r:\n  - s: X\n    i: { t: 1 }\n', ['r', 0, 'i', 't'], 'r:\n  - s: X\n    i: { t: 7 }\n'],
    ['new in a block', 'a:\n  b: 1\n  c: 2\nz: 9\n', ['a', 'd'], 'a:\n  b: 1\n  c: 2\n  d: 7\nz: 9\n'],
    ['new and deep', 'a:\n  b: 1\nz: 9\n', ['a', 'd', 'e'], 'a:\n  b: 1\n  d: { e: 7 }\nz: 9\n'],
    ['new at the top', 'a: 1\nr:\n  - s: 1\n', ['b', 'c'], 'a: 1\nr:\n  - s: 1\nb: { c: 7 }\n'],
  ])('%s', (_what, before, path, after) => {
    expect(editedYaml(before, path, '7')).toBe(after);
  });

  test.each<[string, string, YamlPath]>([
    ['a section', 'a:\n  b: 1\n', ['a']],
    ['a plain value in between', 'a: 1\n', ['a', 'b']],
    ['an item that is not there', 'a:\n  - 1\n', ['a', 3]],
  ])('not in place of %s', (_what, text, path) => {
    expect(editedYaml(text, path, '7')).toBeNull();
  });
});

test('a value as written, and the run of a symbol', () => {
  const text = 'runs:\n  - symbol: A/B\n  - symbol: C/D\n    tick: 0.10 # x\n';
  expect(writtenAt(text, ['runs', 1, 'tick'])).toEqual({ at: text.indexOf('0.10'), written: '0.10' });
  expect(writtenAt(text, ['runs', 0, 'tick'])).toBeNull();
  expect([runPath(text, 'C/D'), runPath(text, 'E/F'), runPath('a: 1\n', 'A/B')]).toEqual([['runs', 1], null, null]);
});

test('changes what it should and nothing else, anywhere in the real configurations', () => {
  const paths = (node: unknown, at: YamlPath = []): YamlPath[] => {
    if (typeof node !== 'object' || node === null) return [at];
    return Object.entries(node).flatMap(([key, value]) =>
      paths(value, [...at, Array.isArray(node) ? Number(key) : key]),
    );
  };
  const cases = [PAPER, LIVE].flatMap((text) => paths(parse(text)).map((path): [string, YamlPath] => [text, path]));
  fc.assert(
    fc.property(fc.constantFrom(...cases), fc.boolean(), ([text, path], isNew) => {
      const place = isNew ? [...path.slice(0, -1), typeof path.at(-1) === 'number' ? 0 : 'fresh'] : path;
      const after = editedYaml(text, place, '4711');
      const wanted: unknown = parse(text);
      let here = wanted as Record<string | number, unknown>;
      for (const step of place.slice(0, -1)) here = here[step] as Record<string | number, unknown>;
      here[place.at(-1) ?? ''] = 4711;
      expect(parse(after ?? '')).toEqual(wanted);
      const lines = (all: string): number => all.split('\n').length;
      expect([0, 1]).toContain(lines(after ?? '') - lines(text));
    }),
    { numRuns: 200 },
  );
});
