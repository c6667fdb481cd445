// Where lives end: a crash point counts once a life ended there, not where one was to.
import { expect, test } from '@jest/globals';
import type { SimulationOptions } from '../../../simulation/machine/run.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan, type Plan } from '../../../simulation/plan/plan.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';

const LONG_MS = 300_000;

/** Crashes all the time. */
const crashing = (seed: string, perHour: number): Plan => ({
  ...drawPlan(seed, { hours: 1, faults: ['F90'] }),
  faults: [{ id: 'F90', magnitude: perHour }],
  quickUpkeep: false,
});

async function crashesOf(plan: Plan, options: SimulationOptions = {}): Promise<ReadonlyMap<string, number>> {
  const { counters } = await simulate(plan, options);
  return new Map([...counters].filter(([name]) => name.startsWith('crash ')));
}

const silent = (settings: TraderSettings): TraderSettings => ({
  ...settings,
  runs: settings.runs.map((run) => ({ ...run, limits: { ...run.limits, maxOrderNotional: decimal(1) } })),
});

test(
  'a bot that places nothing passes none of the points of a create',
  async () => {
    const crashes = await crashesOf(crashing('3', 40), { trader: silent });
    expect([...crashes.keys()]).toEqual(['crash now']);
  },
  LONG_MS,
);

test(
  'one that quotes passes all of them, the answer that no record tells of as well',
  async () => {
    const crashes = await crashesOf(crashing('8', 60));
    const around = ['before-durable', 'after-durable', 'before-send', 'after-send', 'after-answer', 'power'];
    expect(around.filter((point) => !crashes.has(`crash ${point}`))).toEqual([]);
  },
  LONG_MS,
);
