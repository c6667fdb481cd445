// A sample is drawn by its seed alone, and a mutant of before is found in a source that changed around it.
import { describe, expect, test } from '@jest/globals';
import { drawSample, findAgain } from '../../../../simulation/mutation/choose-mutants.ts';
import type { RandomMutant } from '../../../../simulation/mutation/random-mutant.ts';

const mutant = (start: number, more: Partial<RandomMutant> = {}): RandomMutant => ({
  ...{ file: 'src/trader/x.ts', line: 1, column: 1, start, end: start + 1 },
  ...{ mutator: 'BooleanLiteral', original: 'true', replacement: 'false' },
  ...more,
});
const LIST = Array.from({ length: 1_000 }, (_, index) => mutant(index));

describe('a sample', () => {
  test('of the same seed is the same, of another seed another', () => {
    expect(drawSample(LIST, 40, '1')).toEqual(drawSample(LIST, 40, '1'));
    expect(drawSample(LIST, 40, '2')).not.toEqual(drawSample(LIST, 40, '1'));
  });

  test('has each at most once, from all of the list', () => {
    const places = drawSample(LIST, 200, '1').map(({ start }) => start);
    expect(new Set(places).size).toBe(200);
    expect(Math.min(...places)).toBeLessThan(50);
    expect(Math.max(...places)).toBeGreaterThan(950);
  });

  test('begins with every smaller one', () => {
    expect(drawSample(LIST, 40, '1').slice(0, 10)).toEqual(drawSample(LIST, 10, '1'));
  });

  test('of more than there are is all of them', () => {
    const drawn = drawSample(LIST.slice(0, 3), 5, '1');
    expect(drawn.toSorted((a, b) => a.start - b.start)).toEqual(LIST.slice(0, 3));
  });
});

describe('a mutant of before', () => {
  test.each([
    ['where it was', [mutant(5), mutant(90)], 5],
    ['moved by what stands above it', [mutant(30), mutant(90)], 30],
    ['with another change of the same place', [mutant(5, { replacement: 'null' }), mutant(8)], 8],
    ['of another file', [mutant(5, { file: 'src/trader/y.ts' }), mutant(700)], 700],
  ])('%s', (_what, listed, start) => {
    expect(findAgain(listed, mutant(5))?.start).toBe(start);
  });

  test('whose text is gone is not found', () => {
    expect(findAgain([mutant(5, { original: '!0' })], mutant(5))).toBeNull();
  });
});
