// P9: how fast the simulator plays an hour with every check on, at one request per 2.5 seconds and scope, and at ten a
// second.
import { simulate } from '../simulation/machine/simulate.ts';
import { drawPlan, type Plan } from '../simulation/plan/plan.ts';
import { type BenchResult, median } from './measure.ts';

const ROUNDS = 5;
const HOURS = 1;
const SLOW_PER_SECOND = 0.4;
const FAST_PER_SECOND = 10;
/** Lost, late and garbled answers, and lists that trail: what most seeds have some of. */
const FAULTS = ['F01', 'F04', 'F09', 'F26', 'F41'] as const;

/** Virtual time per CPU time of this process (user and system): other work on the machine does not count. */
async function speeds(requestsPerSecond: number, rounds: number): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const plan: Plan = { ...drawPlan(`bench-${round}`, { hours: HOURS, faults: FAULTS }), requestsPerSecond };
    const before = process.cpuUsage();
    const { virtualMs, violations } = await simulate(plan);
    const { user, system } = process.cpuUsage(before);
    if (violations.length > 0) throw new Error(`${violations[0]?.invariant}: ${violations[0]?.sentence}`);
    if (round > 0) found.push((virtualMs * 1_000) / (user + system));
  }
  return found;
}

function line(name: string, found: readonly number[]): string {
  const spread = `${Math.min(...found).toFixed(0)}–${Math.max(...found).toFixed(0)}`;
  return `${name.padEnd(38)} ${median(found).toFixed(0).padStart(6)} × real time  (${spread})`;
}

export async function run(): Promise<BenchResult> {
  return {
    title: 'P9 simulator',
    lines: [
      line('one request per 2.5 s and scope', await speeds(SLOW_PER_SECOND, ROUNDS)),
      line('ten requests per second and scope', await speeds(FAST_PER_SECOND, 1)),
    ],
  };
}
