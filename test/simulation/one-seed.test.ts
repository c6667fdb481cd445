// The simulator at work, in seconds: what the bot survives is shown by many seeds, the corpus and mutants.
import { expect, test } from '@jest/globals';
import { simulate } from '../../simulation/machine/simulate.ts';
import { drawPlan } from '../../simulation/plan/plan.ts';

const HOURS = 0.05;

test('one seed is one run, twice, and breaks nothing', async () => {
  const plan = drawPlan('10', { hours: HOURS });
  const [first, second] = [await simulate(plan), await simulate(plan)];
  expect(first.violations).toEqual([]);
  expect(second.traceHash).toBe(first.traceHash);
  const other = await simulate({ ...plan, takersPerSecond: plan.takersPerSecond + 0.01 });
  expect(other.traceHash).not.toBe(first.traceHash);
});
