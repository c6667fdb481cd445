// How long the program takes to find out what became of a create whose answer was lost: adopted by a match, or proved
// absent. Virtual time, calm but for the lost answers; what limits it is the pace of the lane and the lag that is
// assumed of the lists.
import type { FaultId } from '../simulation/faults/fault-kinds.ts';
import { simulate } from '../simulation/machine/simulate.ts';
import { drawPlan, type Plan } from '../simulation/plan/plan.ts';
import { SECOND } from '../src/domain/time.ts';
import type { Resolution } from '../src/trader/state/state.ts';
import type { BenchResult } from './measure.ts';

const SEEDS = 6;
const HOURS = 0.5;
const PACES = [
  { name: 'one request per 2.5 s', requestsPerSecond: 0.4 },
  { name: 'ten requests per second', requestsPerSecond: 10 },
] as const;
const LAG_BOUNDS_MS = [SECOND, 5 * SECOND, 20 * SECOND];
/** Accepted, and the answer lost; refused for its age on arrival, and the answer lost. */
const CASES: readonly { readonly name: string; readonly fault: FaultId; readonly by: Resolution['by'] }[] = [
  { name: 'match', fault: 'F01', by: 'match' },
  { name: 'proof of absence', fault: 'F10', by: 'absence' },
];
const SHARE_LOST = 0.2;

async function seconds(fault: FaultId, by: Resolution['by'], change: Partial<Plan>): Promise<number[]> {
  const found: number[] = [];
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const drawn = drawPlan(`resolution-${seed}`, { hours: HOURS, faults: [fault] });
    const plan: Plan = {
      ...drawn,
      faults: [{ id: fault, magnitude: SHARE_LOST }],
      quirks: {},
      deadlineMs: 2 * SECOND,
      venueInternalLagMs: 2 * SECOND,
      ...change,
    };
    const { resolutions, violations } = await simulate(plan);
    if (violations.length > 0) throw new Error(`${violations[0]?.invariant}: ${violations[0]?.sentence}`);
    found.push(...resolutions.filter((each) => each.by === by).map((each) => each.seconds));
  }
  return found.toSorted((a, b) => a - b);
}

const quantile = (sorted: readonly number[], ratio: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(ratio * sorted.length) - 1)] ?? Number.NaN;

export async function run(): Promise<BenchResult> {
  const lines: string[] = [];
  for (const { name, fault, by } of CASES) {
    for (const { name: pace, requestsPerSecond } of PACES) {
      for (const readLagBoundMs of LAG_BOUNDS_MS) {
        const found = await seconds(fault, by, { requestsPerSecond, readLagBoundMs, spareLagMs: readLagBoundMs });
        const times = `median ${quantile(found, 0.5).toFixed(1)} s, p99 ${quantile(found, 0.99).toFixed(1)} s`;
        lines.push(`${name}, ${pace}, lag bound ${readLagBoundMs / SECOND} s: ${times}, of ${found.length}`);
      }
    }
  }
  return { title: 'Resolution of unknown creates (virtual time, W 2.5 s, Lm 2 s, deadline 2 s)', lines };
}
