// The mutants still fit the program, and the tests that they are tried on.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Mutant } from '../../../simulation/mutants/mutant-row.ts';
import { MUTANTS } from '../../../simulation/mutants/mutants.ts';
import { type Mutated, patchSources } from '../../../simulation/patching/patch-sources.ts';
import { programSources } from '../../../simulation/patching/program-sources.ts';
import { leavesOf, treeOf } from '../../../simulation/patching/syntax.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const WRAP = ' /* on a line of its own */\n';

const elsewhere = (file: string): string => file.replace('src/', 'src/moved/away/');

/** As a formatter for very narrow screens would have it. */
function rewrapped(text: string): string {
  const ends = leavesOf(treeOf(text).root).filter((leaf) => /^[,([{]$/.test(leaf.text()));
  const at = [0, ...ends.map((leaf) => leaf.range().end.index), text.length];
  return at
    .slice(1)
    .map((end, index) => text.slice(at[index], end))
    .join(WRAP);
}

test('each once and in order, those of the specification first; what has a letter reads one of them otherwise', () => {
  const ids = MUTANTS.map(({ id }) => id);
  const plain = ids.filter((id) => /\d$/.test(id));
  const numbers = plain.map((id) => Number(id.slice(1)));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(plain).toContain(id.replace(/[bc]$/, ''));
});

const sources = programSources(ROOT);
const rows = MUTANTS.map((mutant) => [mutant.id, mutant] as const);
const changes = new Map<string, readonly Mutated[]>();

/** To look through all sources takes a while. */
function changesBy(mutant: Mutant): readonly Mutated[] {
  const made = changes.get(mutant.id) ?? patchSources(sources, mutant);
  changes.set(mutant.id, made);
  return made;
}

describe('the patches of each fit the present source exactly once', () => {
  test.each(rows)('%s', (_id, mutant) => {
    expect(mutant.patches.length).toBeGreaterThan(0);
    for (const { file, source } of changesBy(mutant)) expect(source).not.toBe(sources.get(file));
  });
});

describe('and fit it all the same in other folders, with other line breaks and comments', () => {
  test.each(rows)('%s', (_id, mutant) => {
    const expected = changesBy(mutant);
    const moved = new Map(expected.map(({ file }) => [elsewhere(file), rewrapped(sources.get(file) ?? '')]));
    const found = patchSources(moved, mutant);
    expect(found.map(({ file, source }) => ({ file, source: source.replaceAll(WRAP, '') }))).toEqual(
      expected.map(({ file, source }) => ({ file: elsewhere(file), source })),
    );
  });
});

test('those that no simulated run notices name a test of the harness that does', () => {
  const tested = MUTANTS.flatMap(({ id, noticed }) => (noticed.kind === 'test' ? [{ id, ...noticed }] : []));
  expect(tested.map(({ id, harness }) => `${id} ${harness}`)).toEqual([
    'm7b unit',
    'm14 unit',
    'm14b unit',
    'm16 process',
    'm17 process',
    'm17b unit',
    'm19 unit',
    'm22 contract',
    'm32 unit',
  ]);
  for (const { file, harness, name } of tested) {
    expect(file.startsWith(`test/${harness}/`) && existsSync(path.join(ROOT, file))).toBe(true);
    expect(name).not.toBe('');
  }
});
