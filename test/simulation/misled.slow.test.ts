// A bot that is told wrongly how far lists trail: the judge notices.
import { expect, test } from '@jest/globals';
import { simulate } from '../../simulation/machine/simulate.ts';
import { drawPlan } from '../../simulation/plan/plan.ts';

test('lists that trail by a minute while it believes in a second: orders are closed that are live', async () => {
  const plan = drawPlan('6', { hours: 0.5, faults: ['F01'], quirks: { openOrdersLagMs: 60_000 } });
  const { violations } = await simulate({ ...plan, readLagBoundMs: 1_000, foreignOrders: 'ignore' });
  expect(violations.map(({ invariant }) => invariant)).toContain('L4');
});
