// The recorded mutants still fit the program.
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { MUTANTS } from '../../../simulation/mutants/mutants.ts';
import { patchedSources, programSources } from '../../../simulation/mutants/patched-sources.ts';

const sources = programSources(path.resolve(import.meta.dirname, '../../..'));

test.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s changes the program', (_id, mutant) => {
  const changed = patchedSources(sources, mutant);
  expect(changed.size).toBeGreaterThan(0);
  for (const [file, text] of changed) expect(text).not.toBe(sources.get(file));
});

test('each has a name of its own', () => {
  expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
});

test('a text that stands nowhere, or twice, is refused', () => {
  const twice = new Map([['src/a.ts', 'one two one']]);
  for (const find of ['three', 'one'])
    expect(() => patchedSources(twice, { id: 'm1', patches: [{ find, put: '' }] })).toThrow('exactly once');
  expect(patchedSources(twice, { id: 'm1', patches: [{ find: 'two', put: '2' }] })).toEqual(
    new Map([['src/a.ts', 'one 2 one']]),
  );
});
