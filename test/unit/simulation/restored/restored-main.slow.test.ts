// The command that plays runs on a journal from a backup: what it says, and its exit codes.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(import.meta.dirname, '../../../..');
const PROGRAM = path.join(ROOT, 'simulation/restored/restored-main.ts');

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { cwd: ROOT, encoding: 'utf8' });
  return { status, out: stdout.trimEnd().split('\n'), err: stderr.trimEnd().split('\n') };
}

test.each([
  [['--seeds', 'x'], /^--seeds x: two whole numbers with two points between/],
  [['--profile', 'loose'], /^--profile loose: known are default, tight/],
  [['--faults', 'F999'], /F999/],
  [['--hours', '1'], /--hours/],
])('%j is refused with 64, a sentence and the usage', (args, sentence) => {
  const { status, out, err } = run(...args);
  expect({ status, out }).toEqual({ status: 64, out: [''] });
  expect(err).toEqual([expect.stringMatching(sentence), expect.stringMatching(/^npm run sim:restored -- --seeds /)]);
});

test('a seed is a line with what was lost and how it was told, and nothing broken is said last', () => {
  const { status, out, err } = run('--seeds', '2..2', '--faults', 'none');
  expect({ status, err }).toEqual({ status: 0, err: [''] });
  expect(out).toEqual([
    expect.stringMatching(/^✓ seed 2: \d+ own orders? lost, (?:told by \S.*, answered \S+|nothing told)/),
    '✓ Nothing is broken.',
  ]);
});
