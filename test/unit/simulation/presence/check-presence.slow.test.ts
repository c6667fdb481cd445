// What L7 is for: a bot that leaves a side empty although nothing keeps it from quoting is seen, and the side is named.
import { expect, test } from '@jest/globals';
import { simulate } from '../../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';

const LONG_MS = 300_000;

/** Says three levels, and lists the prices of two. */
const outermostWanted = (run: RunSettings): RunSettings => ({
  ...run,
  params: { ...(run.params as object), levels: 3, bidHalfSpreadsBps: [90, 130], askHalfSpreadsBps: [90, 130] },
});

test(
  'a symbol that is quoted on one side only breaks L7, and the other one does not',
  async () => {
    const { violations } = await simulate(drawPlan('7', { hours: 0.5, faults: [] }), {
      trader: (settings) => ({
        ...settings,
        runs: settings.runs.map((run) =>
          run.instrument.base === 'ETH'
            ? { ...run, params: { ...(run.params as object), askSizes: [], askHalfSpreadsBps: [] } }
            : run,
        ),
      }),
    });
    expect(violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`)).toEqual([
      expect.stringMatching(
        /^L7: ETH\/INR was quoted on both sides near the price for \d % of \d+ s, .*, sell for \d+ s/,
      ),
    ]);
  },
  LONG_MS,
);

test(
  'a level that is never placed breaks L7 although its side is quoted, and is named',
  async () => {
    const { violations } = await simulate(drawPlan('7', { hours: 0.5, faults: [] }), {
      trader: (settings) => ({ ...settings, runs: settings.runs.map(outermostWanted) }),
    });
    expect(violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`)).toEqual([
      expect.stringMatching(
        /^L7: Level buy:2 of BTC\/INR was quoted near the price for \d % of \d+ s, and \d+ % of \d+ s is /,
      ),
    ]);
  },
  LONG_MS,
);
