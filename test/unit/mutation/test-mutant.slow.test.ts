// Mutants that are known to be bad, shown to real tests in real Jest processes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { RandomMutant } from '../../../simulation/mutation/random-mutant.ts';
import { hasRun } from '../../../simulation/mutation/stretches.ts';
import { testsOf } from '../../mutation/direct-tests.ts';
import { contextOf, readJudged, verdictOn } from '../../mutation/judged.ts';
import type { Message } from '../../mutation/message.ts';
import type { Outcome } from '../../mutation/outcome.ts';
import { ROOT } from '../../mutation/places.ts';
import type { Reach } from '../../mutation/reach.ts';
import { runJest } from '../../mutation/run-jest.ts';
import { testMutant } from '../../mutation/test-mutant.ts';

const FILE = 'src/ledger/amount.ts';
const TEST = 'test/unit/ledger/amount.test.ts';
const PATIENCE_MS = 120_000;

function planted(file: string, original: string, replacement: string): RandomMutant {
  const start = readFileSync(path.join(ROOT, file), 'utf8').indexOf(original);
  const place = { file, line: 1, column: 1, start, end: start + original.length };
  return { ...place, mutator: 'planted', original, replacement };
}

const reach = (more: Partial<Reach>): Reach => ({
  ...{ ms: 100, failure: null, loaded: { [FILE]: 'hash' }, stretches: {} },
  ...more,
});

describe('a mutant', () => {
  const TOO_MANY = 'decimals > AMOUNT_DECIMALS';
  test.each<[string, RandomMutant, object]>([
    ['that changes a bound is killed', planted(FILE, TOO_MANY, 'false'), { kind: 'killed', test: TEST }],
    ['that does not load is killed', planted(FILE, 'export const', 'export nothing'), { kind: 'killed', test: TEST }],
    [
      'that ends the process is killed',
      planted(FILE, TOO_MANY, 'process.kill(process.pid, "SIGKILL")'),
      { kind: 'killed', test: TEST, words: 'the process ended with code null' },
    ],
    [
      'that changes nothing survives',
      planted(FILE, TOO_MANY, 'AMOUNT_DECIMALS < decimals'),
      { kind: 'survived', tests: 1, of: 1 },
    ],
  ])(
    '%s',
    async (_what, mutant, outcome) => {
      const found: Outcome = await testMutant(mutant, new Map([[TEST, reach({})]]), 1_000);
      expect(found).toMatchObject(outcome);
    },
    PATIENCE_MS,
  );

  test(
    'that has no end is ended',
    async () => {
      const mutant = planted(FILE, TOO_MANY, '(() => { for (;;); })()');
      const run = { mutant, tests: [TEST], isUntilFailure: true, boundMs: () => 3_000, take: () => {} };
      expect(await runJest(run)).toMatchObject({ isTimedOut: true, during: TEST });
    },
    PATIENCE_MS,
  );
});

test(
  'a test file tells what it loads, and what of it does not run',
  async () => {
    const told: Message[] = [];
    const take = (message: Message): void => void told.push(message);
    await runJest({ mutant: null, tests: [TEST], isUntilFailure: false, boundMs: () => PATIENCE_MS, take });
    expect(told.map(({ kind }) => kind)).toEqual(['started', 'reached', 'ended']);
    const reached = told.find(({ kind }) => kind === 'reached');
    expect(reached).toMatchObject({ test: TEST, loaded: expect.arrayContaining([FILE, TEST]) });
    expect(reached).not.toMatchObject({ loaded: expect.arrayContaining(['test/mutation/mutant-transform.ts']) });
  },
  PATIENCE_MS,
);

describe('which tests are chosen', () => {
  const at = (start: number): RandomMutant => ({ ...planted(FILE, 'a', 'b'), start });

  test('the own one first, then what loads little and is quick', () => {
    const many = { [FILE]: '', 'src/a.ts': '', 'src/b.ts': '' };
    const reaches = new Map([
      ['test/unit/slow.test.ts', reach({ ms: 900 })],
      ['test/unit/wide.test.ts', reach({ ms: 200, loaded: many })],
      ['test/unit/quick.test.ts', reach({ ms: 500 })],
      [TEST, reach({ ms: 5_000, loaded: many })],
    ]);
    expect(testsOf(at(3), reaches, 90_000)).toEqual({
      isLoaded: true,
      count: 4,
      tests: [TEST, 'test/unit/quick.test.ts', 'test/unit/wide.test.ts', 'test/unit/slow.test.ts'],
    });
  });

  test('as many as fit into the time, one at least', () => {
    const reaches = new Map(['a', 'b', 'c'].map((name) => [`test/unit/${name}.test.ts`, reach({})]));
    expect(testsOf(at(3), reaches, 200)).toMatchObject({ tests: { length: 2 }, count: 3 });
    expect(testsOf(at(3), reaches, 1)).toMatchObject({ tests: { length: 1 }, count: 3 });
  });

  test('none that fails anyway, does not load the file, or does not run the place', () => {
    expect(testsOf(at(3), new Map([[TEST, reach({ failure: 'red' })]]), 1_000)).toEqual({
      isLoaded: false,
      count: 0,
      tests: [],
    });
    expect(testsOf(at(3), new Map([[TEST, reach({ loaded: {} })]]), 1_000)).toEqual({
      isLoaded: false,
      count: 0,
      tests: [],
    });
    const stretches = { [FILE]: [[2, 5, 0] as const].map((each): [number, number, 0] => [...each]) };
    expect(testsOf(at(3), new Map([[TEST, reach({ stretches })]]), 1_000)).toEqual({
      isLoaded: true,
      count: 0,
      tests: [],
    });
    expect(testsOf(at(5), new Map([[TEST, reach({ stretches })]]), 1_000)).toEqual({
      isLoaded: true,
      count: 1,
      tests: [TEST],
    });
  });

  test('the innermost stretch around a place counts', () => {
    const stretches = [
      [10, 90, 0],
      [20, 40, 1],
      [30, 35, 0],
    ] as const;
    expect([9, 10, 20, 30, 35, 40, 90].map((place) => hasRun(stretches, place, true))).toEqual([
      ...[true, false, true, false, true, false, true],
    ]);
  });
});

describe('what a person judged', () => {
  const mutant = planted(FILE, 'amount(a + b)', 'amount(b + a)');
  const judged = {
    ...{ file: FILE, mutator: 'planted', original: 'amount(a + b)', replacement: 'amount(b + a)' },
    ...({ context: contextOf(mutant), verdict: 'equivalent', why: 'A sum has no order.' } as const),
  };

  test('is found by its text, wherever it stands', () => {
    expect(contextOf(mutant)).toContain('amount(a + b)');
    expect(verdictOn(mutant, [judged])).toBe('equivalent');
  });

  test.each(['file', 'mutator', 'original', 'replacement', 'context'])('with another %s is another one', (field) => {
    expect(verdictOn(mutant, [{ ...judged, [field]: 'x' }])).toBeNull();
  });

  test('can be read, and no test is owed for it', () => {
    expect(readJudged().filter(({ verdict }) => verdict === 'owed')).toEqual([]);
  });
});
