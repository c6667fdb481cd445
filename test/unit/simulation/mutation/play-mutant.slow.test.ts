// Mutants that are known to be bad, in real processes on real seeds.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Seeds } from '../../../../simulation/mutation/mutant-worker.ts';
import type { Outcome } from '../../../../simulation/mutation/outcome.ts';
import { playMutant, playUnmutated } from '../../../../simulation/mutation/play-mutant.ts';
import type { RandomMutant } from '../../../../simulation/mutation/random-mutant.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const SEEDS: Seeds = { from: 0, to: 0, hours: 0.2, profile: 'default' };
/** Of a seed that is known to have no end. */
const HANG_MS = 6_000;
/** In real time, of three processes at most; a busy machine is slow. */
const PATIENCE_MS = 120_000;

function planted(file: string, original: string, replacement: string): RandomMutant {
  const start = readFileSync(path.join(ROOT, file), 'utf8').indexOf(original);
  const place = { file, line: 1, column: 1, start, end: start + original.length };
  return { ...place, mutator: 'planted', original, replacement };
}

const unmutated = playUnmutated(SEEDS);
const play = async (mutant: RandomMutant, boundMs: number): Promise<Outcome> =>
  playMutant(mutant, { seeds: SEEDS, unmutated: await unmutated, boundMs });

test(
  'the program as it is breaks nothing; what runs in processes of their own is not loaded',
  async () => {
    const { played, loaded, longestMs } = await unmutated;
    expect(played).toMatchObject([{ seed: 0, broken: [], traceHash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(loaded).toContain('src/ledger/amount.ts');
    expect(loaded).not.toContain('src/client/transport/got-transport.ts');
    expect(longestMs).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

describe('a mutant', () => {
  const AMOUNT = 'src/ledger/amount.ts';
  const SUM = 'amount(a + b)';
  test.each<[string, RandomMutant, Outcome['kind'], object]>([
    [
      'that a check notices',
      planted('src/client/wire/request-message.ts', 'value === undefined', 'value !== undefined'),
      'noticed',
      // Which check is the first to notice depends on what the seed draws.
      { seed: 0, invariant: expect.stringMatching(/^[A-Z]\d+$/) },
    ],
    [
      'that throws',
      planted(AMOUNT, SUM, "JSON.parse('no')"),
      'threw',
      { seed: 0, words: expect.stringContaining('SyntaxError') },
    ],
    [
      'that ends the process',
      planted(AMOUNT, SUM, 'process.exit(3)'),
      'threw',
      { seed: 0, words: expect.stringContaining('code 3') },
    ],
    ['that has no end', planted(AMOUNT, SUM, '(() => { for (;;); })()'), 'hang', { seed: 0 }],
    [
      'that does not load',
      planted('src/trader/orders/closing.ts', 'export function', 'export nothing function'),
      'does-not-load',
      { words: expect.stringContaining('SyntaxError') },
    ],
    ['that changes nothing', planted(AMOUNT, SUM, 'amount(b + a)'), 'nothing-changed', {}],
    [
      'that changes a word for people, which is as good a word',
      planted('src/trader/observe/observe.ts', 'Ready: clock known', 'Ready: time known'),
      'not-noticed',
      { seed: 0 },
    ],
    [
      'of a place that no seed runs',
      planted('src/trader/observe/resume.ts', "price === null ? '' :", "price === null ? 'x' :"),
      'not-run',
      {},
    ],
    [
      'of a file that no seed loads',
      planted('src/client/transport/got-transport.ts', 'export', 'nothing'),
      'file-not-loaded',
      {},
    ],
  ])(
    '%s',
    async (_what, mutant, kind, more) => {
      const outcome = await play(mutant, kind === 'hang' ? HANG_MS : PATIENCE_MS);
      expect(outcome).toMatchObject({ kind, ...more });
    },
    PATIENCE_MS,
  );

  test(
    'of a file that was edited since is refused',
    async () => {
      const mutant = { ...planted(AMOUNT, SUM, SUM), original: 'amount(a - b)' };
      await expect(play(mutant, PATIENCE_MS)).rejects.toThrow(
        'src/ledger/amount.ts:1 is no longer what the mutant was made of',
      );
    },
    PATIENCE_MS,
  );
});
