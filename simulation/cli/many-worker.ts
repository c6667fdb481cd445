// One worker of `npm run sim:many`: takes seeds from its parent, one at a time, and sends back each result.
import { realClock } from '../../src/ports/clock.ts';
import { simulate } from '../machine/simulate.ts';
import { drawPlan, type PlanChanges, planned } from '../plan/plan.ts';
import { reproFlags } from '../plan/repro-command.ts';
import { isRunTwice, type SeedResult } from './campaign.ts';

/** One seed to run; options from a corpus replace the seed's draws. */
export interface SeedOrder extends PlanChanges {
  readonly seed: number;
  readonly hours: number;
}

async function run({ seed, ...changes }: SeedOrder): Promise<Omit<SeedResult, 'commit'>> {
  const { hours } = changes;
  const plan = drawPlan(String(seed), changes);
  const from = realClock.monotonic();
  const first = await simulate(plan);
  const second = isRunTwice(seed) ? await simulate(plan) : null;
  return {
    seed: plan.seed,
    hours,
    sparse: plan.sparse,
    asked: reproFlags(changes),
    // Days with the bot down hold no events, so they don't count as work.
    virtualMs: Math.max(0, first.virtualMs - plan.absentMs),
    tookMs: realClock.monotonic() - from,
    faults: planned(plan),
    violations: first.violations,
    counters: Object.fromEntries(first.counters),
    traceHash: first.traceHash,
    again: second?.traceHash ?? null,
  };
}

// Ctrl-C reaches every process of a terminal: the parent lets the seed in progress finish.
process.on('SIGINT', () => {});
// Without a parent the results have no reader.
process.on('disconnect', () => process.exit());
process.on('message', (order: SeedOrder) => {
  void run(order).then((result) => process.send?.(result));
});
