// `npm run sim -- --seed N`: a single run. Exit code 1 for a violation, 64 for an invalid command.
import { createHash } from 'node:crypto';
import { realClock } from '../../src/ports/clock.ts';
import { programCommit } from '../machine/program-commit.ts';
import { type SimulationResult, simulate } from '../machine/simulate.ts';
import { PROFILE_USAGE, readArguments, readFaults, readProfile } from '../plan/arguments.ts';
import { drawPlan, MOST_HOURS, ownHours, type Plan, type PlanChanges, planLine, planned } from '../plan/plan.ts';
import { reproCommand, reproFlags } from '../plan/repro-command.ts';
import { shrink } from '../plan/shrink.ts';
import { readChoice } from '../plan/venue-choices.ts';

const USAGE =
  `npm run sim -- --seed N ${PROFILE_USAGE} [--hours H] [--faults F01,F24 | none] [--quirk ` +
  `name=value]… [--sparse] [--first-kinds] [--trace] [--counts] [--shrink]`;

interface Command {
  readonly seed: string;
  readonly changes: PlanChanges;
  readonly trace: boolean;
  readonly counts: boolean;
  readonly shrink: boolean;
}

/** The command, or a sentence on what is wrong with it. */
function readCommand(args: readonly string[]): Command | string {
  const read = readArguments({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      hours: { type: 'string' },
      profile: { type: 'string', default: 'default' },
      faults: { type: 'string' },
      quirk: { type: 'string', multiple: true, default: [] },
      sparse: { type: 'boolean', default: false },
      'first-kinds': { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      counts: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
    },
  });
  if (!read.ok) return read.error;
  const { values } = read.value;
  const hours = values.hours === undefined ? undefined : Number(values.hours);
  if (hours !== undefined && !(hours > 0 && hours <= MOST_HOURS))
    return `--hours ${values.hours}: a number above 0, at most ${MOST_HOURS}.`;
  const profile = readProfile(values.profile);
  if (!profile.ok) return profile.error;
  const faults = readFaults(values.faults);
  if (!faults.ok) return faults.error;
  const choices = values.quirk.map(readChoice);
  const refused = choices.find((choice) => !choice.ok);
  if (refused !== undefined && !refused.ok) return refused.error;
  const quirks = Object.fromEntries(choices.flatMap((choice) => (choice.ok ? [choice.value] : [])));
  return {
    seed: values.seed,
    changes: {
      profile: profile.value,
      ...(hours === undefined ? {} : { hours }),
      ...faults.value,
      quirks,
      sparse: values.sparse,
      firstKinds: values['first-kinds'],
    },
    trace: values.trace,
    counts: values.counts,
    shrink: values.shrink,
  };
}

function report(plan: Plan, result: SimulationResult, tookMs: number): void {
  const { violations, virtualMs, records, processes, traceHash } = result;
  const speed = `${(virtualMs / tookMs).toFixed(0)} × real time`;
  const course =
    `${records} records, ${processes} lives, trace ${traceHash.slice(0, 16)}, ${(tookMs / 1_000).toFixed(1)} s ` +
    `(${speed})`;
  console.log(
    violations.length === 0
      ? `✓ seed ${plan.seed}: ${course}`
      : `✗ seed ${plan.seed}: ${violations.length} invariants broken; ${course}`,
  );
  for (const { invariant, sentence, at } of violations)
    console.log(`  ${(at / 1_000).toFixed(1)} s ${invariant}: ${sentence}`);
}

function whereabouts(plan: Plan): string {
  const hash = createHash('sha256').update(planText(plan)).digest('hex').slice(0, 16);
  return (
    `commit ${programCommit()}, node ${process.version}, configuration ${hash}, faults ` +
    `${planned(plan).join(',') || 'none'}`
  );
}

const planText = (plan: Plan): string =>
  JSON.stringify(plan, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  const plan = drawPlan(command.seed, command.changes);
  console.log(planLine(plan));
  const from = realClock.monotonic();
  const result = await simulate(plan, command.trace ? { print: (line) => console.log(line) } : {});
  report(plan, result, realClock.monotonic() - from);
  if (command.counts) for (const [name, count] of [...result.counters].sort()) console.log(`  ${count} ${name}`);
  const [first] = result.violations;
  if (first === undefined) return 0;
  console.log(`  ${whereabouts(plan)}`);
  console.log(`  again: ${replay(plan)}`);
  if (command.shrink)
    console.log(`  smaller: ${replay(await shrink(plan, first.invariant, (line) => console.log(`  … ${line}`)))}`);
  return 1;
}

/** The command that repeats exactly this run. */
function replay(plan: Plan): string {
  const asked = reproFlags({
    profile: plan.profile,
    faults: planned(plan),
    quirks: plan.askedQuirks,
    firstKinds: plan.firstKinds,
  });
  return reproCommand({ seed: plan.seed, hours: ownHours(plan), sparse: plan.sparse, asked });
}

process.exitCode = await main();
