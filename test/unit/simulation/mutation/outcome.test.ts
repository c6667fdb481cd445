// How mutants that were played are told: a line each, and the tables.
import { expect, test } from '@jest/globals';
import { lineOf, type Outcome, type PlayedMutant } from '../../../../simulation/mutation/outcome.ts';
import { outcomeTables } from '../../../../simulation/mutation/outcome-table.ts';

const played = (
  file: string,
  mutator: string,
  outcome: Outcome,
  profile: PlayedMutant['profile'] = 'default',
): PlayedMutant => ({
  mutant: {
    ...{ file, line: 7, column: 3, start: 90, end: 99, mutator },
    ...{ original: 'one of\n  many lines', replacement: 'another' },
  },
  outcome,
  profile,
});
const COLUMNS =
  'mutants | noticed | hang | threw | does not load | ' +
  'changed, not noticed | nothing changed | not run | file not loaded';
const NOTICED: Outcome = { kind: 'noticed', seed: 3, invariant: 'M1', sentence: 'The sum is wrong.' };

test.each<[Outcome, string]>([
  [NOTICED, '✓ src/loop/x.ts:7 Regex: one of many lines → another — M1 in seed 3: The sum is wrong.'],
  [{ kind: 'hang', seed: 4 }, '✓ src/loop/x.ts:7 Regex: one of many lines → another — hang in seed 4'],
  [{ kind: 'hang', seed: null }, '✓ src/loop/x.ts:7 Regex: one of many lines → another — hang'],
  [
    { kind: 'threw', seed: 0, words: 'No\norder.' },
    '✓ src/loop/x.ts:7 Regex: one of many lines → another — threw in seed 0: No order.',
  ],
  [
    { kind: 'does-not-load', words: 'No.' },
    '✓ src/loop/x.ts:7 Regex: one of many lines → another — does not load: No.',
  ],
  [
    { kind: 'not-noticed', seed: 5 },
    '✗ src/loop/x.ts:7 Regex: one of many lines → another — not noticed, though all is not the same in seed 5',
  ],
  [
    { kind: 'nothing-changed' },
    '✗ src/loop/x.ts:7 Regex: one of many lines → another — ' +
      'not noticed: every message, record and notice is the same',
  ],
  [{ kind: 'not-run' }, '✗ src/loop/x.ts:7 Regex: one of many lines → another — not noticed: no seed runs its place'],
  [
    { kind: 'file-not-loaded' },
    '– src/loop/x.ts:7 Regex: one of many lines → another — file not loaded by the simulator',
  ],
])('a line of %o', (outcome, line) => {
  expect(lineOf(played('src/loop/x.ts', 'Regex', outcome))).toBe(line);
});

test('a seed of another profile is told with its name, and a mutant by hand with its own', () => {
  const each = played('src/loop/x.ts', 'by hand', NOTICED, 'tight');
  const mutant = { ...each.mutant, hand: { id: 'h1', sentence: 'What is wrong.' } };
  expect(lineOf({ ...each, mutant })).toBe(
    '✓ src/loop/x.ts:7 h1: one of many lines → another — M1 in seed 3 of tight: The sum is wrong.',
  );
});

test('long code is cut', () => {
  const line = lineOf({
    ...played('src/loop/x.ts', 'Regex', { kind: 'not-noticed', seed: 5 }),
    mutant: { ...played('src/loop/x.ts', 'Regex', NOTICED).mutant, original: 'a'.repeat(500) },
  });
  expect(line).toContain(`Regex: ${'a'.repeat(59)}… → another`);
});

test('the tables count each kind in a column of its own, by folder and by mutator, and which check noticed', () => {
  const all = [
    played('src/trader/orders/x.ts', 'Regex', NOTICED),
    played('src/trader/y.ts', 'Regex', { kind: 'not-noticed', seed: 5 }, null),
    played('src/loop/x.ts', 'BooleanLiteral', { kind: 'threw', seed: 0, words: '' }),
    played('src/client/x.ts', 'Regex', { kind: 'file-not-loaded' }, null),
    played('src/client/x.ts', 'Regex', { kind: 'nothing-changed' }, null),
    played('src/client/x.ts', 'Regex', { kind: 'not-run' }, null),
    played('src/trader/y.ts', 'Regex', NOTICED, 'tight'),
  ];
  expect(outcomeTables(all)).toEqual([
    `| folder | ${COLUMNS} |`,
    '|---|---|---|---|---|---|---|---|---|---|',
    '| src/client | 3 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1 |',
    '| src/loop | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |',
    '| src/trader | 3 | 2 | 0 | 0 | 0 | 1 | 0 | 0 | 0 |',
    '| all | 7 | 2 | 0 | 1 | 0 | 1 | 1 | 1 | 1 |',
    '',
    `| mutator | ${COLUMNS} |`,
    '|---|---|---|---|---|---|---|---|---|---|',
    '| BooleanLiteral | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |',
    '| Regex | 6 | 2 | 0 | 0 | 0 | 1 | 1 | 1 | 1 |',
    '| all | 7 | 2 | 0 | 1 | 0 | 1 | 1 | 1 | 1 |',
    '',
    '| noticed by | mutants | default | tight |',
    '|---|---|---|---|',
    '| M1 | 2 | 1 | 1 |',
    '| all | 2 | 1 | 1 |',
    '',
    'Noticed by a check: 2 of 7 (29 %); by a check, a hang, a throw, or not loading: 3 of 7 (43 %), ' +
      'and of those that changed what happened 3 of 4 (75 %).',
  ]);
});
