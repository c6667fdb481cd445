// The mutants still fit the program: a patch that no longer applies would be a mutant that nobody tries.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MUTANTS, patched, SIM_MUTANTS } from '../../../src/sim/mutants.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('m1 to m25, each once', () => {
  expect(MUTANTS.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => `m${index + 1}`));
});

describe('the patches of each stand in the present source exactly once', () => {
  test.each(SIM_MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s', (_id, { patches, killedBy }) => {
    expect(patches.length).toBeGreaterThan(0);
    expect(killedBy).not.toBeNull();
    const sources = new Map<string, string>();
    for (const patch of patches) {
      const before = sources.get(patch.file) ?? readFileSync(path.join(ROOT, patch.file), 'utf8');
      const after = patched(before, patch);
      expect([patch.from, after === null]).toEqual([patch.from, false]);
      sources.set(patch.file, after ?? before);
    }
  });
});

test('those that the simulator can not try name their harness', () => {
  const others = MUTANTS.filter(({ harness }) => harness !== 'sim');
  expect(others.map(({ id, harness }) => `${id} ${harness}`)).toEqual([
    'm14 unit',
    'm16 process',
    'm17 process',
    'm19 unit',
    'm22 contract',
  ]);
  for (const { elsewhere } of others) expect(elsewhere).not.toBeNull();
});

test('a text that stands twice, or not at all, can not be patched', () => {
  expect(patched('a b a', { from: 'a', to: 'c' })).toBeNull();
  expect(patched('a b', { from: 'd', to: 'c' })).toBeNull();
  expect(patched('a b', { from: 'b', to: 'c' })).toBe('a c');
});
