// The mutants still fit the program, the tests that they are tried on, and what docs/reliability.md says of them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Mutant, mutated, patched } from '../../../src/sim/mutant-row.ts';
import { MUTANTS } from '../../../src/sim/mutants.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

test('m1 to m56, each once and in order; what has a letter reads one of them otherwise', () => {
  const ids = MUTANTS.map(({ id }) => id);
  const plain = Array.from({ length: 56 }, (_, index) => `m${index + 1}`);
  expect(ids.filter((id) => /\d$/.test(id))).toEqual(plain);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(plain).toContain(id.replace(/[bc]$/, ''));
});

describe('the patches of each stand in the present source exactly once', () => {
  test.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s', (_id, mutant) => {
    expect(mutant.patches.length).toBeGreaterThan(0);
    for (const { file } of mutant.patches) expect(mutated(mutant, file, read(file))).not.toBe(read(file));
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

const cell = ({ noticed }: Mutant): string => {
  if (noticed.kind === 'test') return `${noticed.file}: ${noticed.name}`;
  const { profile, seed, invariant } = noticed;
  const under = noticed.under?.length === 0 ? 'no fault' : (noticed.under?.join(', ') ?? 'what it draws');
  return `${invariant}, seed ${seed}${profile === 'default' ? '' : ` of ${profile}`} under ${under}`;
};

test('docs/reliability.md has a row for each; if not, this is what belongs there', () => {
  const section =
    read('docs/reliability.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Mutants\n')) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| m'));
  expect(rows).toEqual(MUTANTS.map((mutant) => `| ${mutant.id} | ${mutant.sentence} | ${cell(mutant)} |`));
});

test('a text that stands twice, or not at all, can not be patched', () => {
  expect(patched('a b a', { from: 'a', to: 'c' })).toBeNull();
  expect(patched('a b', { from: 'd', to: 'c' })).toBeNull();
  expect(patched('a b', { from: 'b', to: 'c' })).toBe('a c');
  const mutant = { id: 'm1', patches: [{ file: 'x.ts', from: 'd', to: 'c' }] } as const;
  expect(() => mutated(mutant, 'x.ts', 'a b')).toThrow('The patch of m1 does not fit x.ts: d');
  expect(mutated(mutant, 'y.ts', 'a b')).toBe('a b');
});
