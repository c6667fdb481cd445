// A journal that was put back from a backup, over whole runs: seeds that broke once, and what the checks notice.
import { expect, test } from '@jest/globals';
import { playRestored, type RestoredOptions } from '../../../../simulation/restored/play-restored.ts';

const broken = async (seed: number, options: RestoredOptions = {}): Promise<readonly string[]> =>
  (await playRestored(String(seed), options)).broken;

test.each([
  ['a fence canceled what the journal does not know', 12],
  ['a fence did so before any list was read, and nothing told any more that the journal is old', 21],
  ['what filled first of an order was forgotten before it was taken over', 62],
  ['an order of just after the end was not asked about: the machine had slept', 79],
])('it broke once: %s (seed %d)', async (_what, seed) => {
  expect(await broken(seed)).toEqual([]);
});

test('it is noticed where a person is wrong, so that the bot’s own orders rest for good', async () => {
  const options = { plan: { faults: [] }, lie: 'not-mine' } as const;
  expect(await broken(2, options)).toContainEqual(expect.stringMatching(/^Order \S+ rests after the stop/));
});
