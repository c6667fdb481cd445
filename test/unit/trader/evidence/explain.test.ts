// Which of the things that may have happened explain a difference: by tables, and against trying every set.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Amount } from '../../../../src/ledger/amount.ts';
import {
  type Changes,
  explain,
  explainPart,
  type Possible,
  together,
} from '../../../../src/trader/durable/external-flow.ts';

const units = (by: number): Amount => BigInt(by) as Amount;
/** `A+3 B-1`: what the wallet gained and lost. */
const changes = (text: string): Changes =>
  new Map(
    text
      .split(' ')
      .filter((part) => part !== '')
      .map((part): [string, Amount] => [part.slice(0, 1), units(Number(part.slice(1)))]),
  );
/** Each text is one thing, with its readings after bars. */
const things = (...texts: readonly string[]): Possible<string>[] =>
  texts.map((what) => ({ what, readings: what.split('|').map(changes) }));
const found = (wanted: string, ...possible: readonly string[]): string[] | null =>
  explain(changes(wanted), things(...possible))?.map(({ what, reading }) => `${what} #${reading}`) ?? null;

describe('a difference is explained', () => {
  test.each<[string, string, string[], string[] | null]>([
    ['by nothing where nothing is wanted', '', ['A+1'], null],
    ['by nothing where what is wanted is nothing', 'A+0', ['A+0'], null],
    ['by nothing where nothing is possible', 'A+1', [], null],
    ['by the one thing that fits', 'A+1', ['A+2', 'A+1', 'A-1'], ['A+1 #0']],
    ['by one rather than by two', 'A+3', ['A+1', 'A+2', 'A+3'], ['A+3 #0']],
    ['by two', 'A+3', ['A+1', 'A+5', 'A+2'], ['A+1 #0', 'A+2 #0']],
    ['by none twice', 'A+4', ['A+2', 'A+1'], null],
    ['by none that moved something else as well', 'A+1', ['A+1 B-1'], null],
    ['in every asset', 'A+1 B-2', ['A+1 B-1', 'A+1 B-2'], ['A+1 B-2 #0']],
    ['by things of different assets together', 'A+1 B-2', ['A+1', 'B-2'], ['A+1 #0', 'B-2 #0']],
    ['by things that cancel each other in a third', 'A+1 B-2', ['A+1 C-7', 'B-2 C+7'], ['A+1 C-7 #0', 'B-2 C+7 #0']],
    ['in the reading that fits', 'A-3', ['A-2|A-3'], ['A-2|A-3 #1']],
    ['in different readings of two', 'A-5', ['A-2|A-3', 'A-2|A-9'], ['A-2|A-3 #1', 'A-2|A-9 #0']],
    [
      'by four of six',
      'A+15',
      ['A+1', 'A+2', 'A+4', 'A+8', 'A+100', 'A+200'],
      ['A+1 #0', 'A+2 #0', 'A+4 #0', 'A+8 #0'],
    ],
    ['not by five of six', 'A+31', ['A+1', 'A+2', 'A+4', 'A+8', 'A+16', 'A+200'], null],
    [
      'by all five together',
      'A+31',
      ['A+1', 'A+2', 'A+4', 'A+8', 'A+16'],
      ['A+1 #0', 'A+2 #0', 'A+4 #0', 'A+8 #0', 'A+16 #0'],
    ],
    [
      'by all together in their second reading, or the only one that they have',
      'A+36',
      ['A+1|A+2', 'A+2|A+3', 'A+4|A+5', 'A+8|A+9', 'A+17'],
      ['A+1|A+2 #1', 'A+2|A+3 #1', 'A+4|A+5 #1', 'A+8|A+9 #1', 'A+17 #0'],
    ],
    ['not by all in mixed readings', 'A+32', ['A+1|A+2', 'A+2|A+9', 'A+4|A+9', 'A+8|A+9', 'A+16'], null],
  ])('%s', (_, wanted, possible, expected) => {
    expect(found(wanted, ...possible)).toEqual(expected);
  });

  test('as trying every set of four at the most would', () => {
    const thing = fc.record({ a: fc.integer({ min: -3, max: 3 }), b: fc.integer({ min: -3, max: 3 }) });
    const run = fc.property(fc.array(thing, { minLength: 1, maxLength: 7 }), thing, (list, want) => {
      const possible = list.map(({ a, b }, at) => ({ what: at, readings: [changes(`A${a} B${b}`)] }));
      const sets = Array.from({ length: 2 ** list.length }, (_, set) =>
        list.filter((_each, at) => (set >> at) % 2 === 1),
      );
      const fits = (set: typeof list): boolean =>
        set.reduce((sum, { a }) => sum + a, 0) === want.a && set.reduce((sum, { b }) => sum + b, 0) === want.b;
      const isWanted = want.a !== 0 || want.b !== 0;
      const sizes = sets
        .filter((set) => (set.length <= 4 || set.length === list.length) && fits(set))
        .map(({ length }) => length);
      const answer = explain(changes(`A${want.a} B${want.b}`), possible);
      expect(answer?.length ?? null).toBe(isWanted && sizes.length > 0 ? Math.min(...sizes) : null);
      if (answer) expect(fits(answer.flatMap(({ what }) => list[what] ?? []))).toBe(true);
    });
    fc.assert(run, { numRuns: 200 });
  });

  test('or given up where there are too many sets', () => {
    const many = Array.from({ length: 150 }, (_, at) => `A+${2 * at + 2}`);
    expect(found('A+1', ...many)).toBeNull();
  });
});

describe('of a difference that is explained in part', () => {
  const part = (wanted: string, ...possible: readonly string[]): string | null => {
    const explained = explainPart(changes(wanted), things(...possible));
    return explained && `${[...explained.part.keys()].join('')}: ${explained.found.map(({ what }) => what).join(', ')}`;
  };

  test.each<[string, string, string[], string | null]>([
    ['the asset that can be', 'A+1 B-2', ['A+1', 'B-3'], 'A: A+1'],
    ['as many as can be', 'A+1 B-2 C+3', ['A+1', 'B-2'], 'AB: A+1, B-2'],
    ['none where nothing can', 'A+1 B-2', ['A+2'], null],
    ['never all of it', 'A+1', ['A+1'], null],
    ['several only by what moved nothing else', 'A+1 B-2 C+3', ['A+1 B-2', 'A+1 B-2 C+9'], 'AB: A+1 B-2'],
    ['several not by what moved something else as well', 'A+1 B-2 C+3', ['A+1 B-2 D+1', 'D-1'], null],
    ['of four assets three', 'A+1 B+1 C+1 D+1', ['A+1', 'B+1', 'C+1'], 'ABC: A+1, B+1, C+1'],
    ['of five each alone', 'A+1 B+1 C+1 D+1 E+1', ['B+1', 'C+1'], 'B: B+1'],
  ])('%s', (_, wanted, possible, expected) => {
    expect(part(wanted, ...possible)).toBe(expected);
  });
});

test('two changes together are their sum, asset by asset', () => {
  expect(together(changes('A+1 B-2'), changes('B+5 C+7'))).toEqual(changes('A+1 B+3 C+7'));
});
