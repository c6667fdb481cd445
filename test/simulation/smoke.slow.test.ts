// A few simulated runs: the many seeds, the corpus and the mutants are steps of their own (docs/testing.md).
import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../simulation/machine/simulate.ts';
import { drawPlan, type Plan } from '../../simulation/plan/plan.ts';

const HOURS = 0.5;
const LONG_MS = 300_000;

const invariantsOf = async (plan: Plan): Promise<string[]> =>
  (await simulate(plan)).violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`);

describe('nothing is broken', () => {
  test.each([
    ['without a fault', '7', []],
    ['when answers to creates are lost, late and garbled', '11', ['F01', 'F04', 'F05', 'F09']],
    ['when lists trail and rows come late', '12', ['F12', 'F26', 'F41', 'F56']],
    ['when the process crashes and the power goes', '13', ['F01', 'F90', 'F91', 'F93']],
    ['when the owner trades by hand', '14', ['F39', 'F55', 'F58']],
  ] as const)(
    '%s',
    async (_name, seed, faults) => {
      expect(await invariantsOf(drawPlan(seed, { hours: HOURS, faults }))).toEqual([]);
    },
    LONG_MS,
  );
});

describe('what the bot is told wrongly shows', () => {
  test(
    'lists that trail by a minute while it believes in a second: orders are closed that are live',
    async () => {
      const plan = drawPlan('6', { hours: HOURS, faults: ['F01'], quirks: { openOrdersLagMs: 60_000 } });
      const misled = { ...plan, readLagBoundMs: 1_000, foreignOrders: 'ignore' } as const;
      const broken = await invariantsOf(misled);
      expect(broken.some((line) => /^(R1|S5|L4):/.test(line))).toBe(true);
    },
    LONG_MS,
  );
});
