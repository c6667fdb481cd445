// `npm run sim:restored -- --seeds 0..9`: runs whose journal is put back from a backup. Exit code 1 where anything
// breaks, 64 where the command can't be read.
import { PROFILE_USAGE, readArguments, readFaults, readProfile, readSeeds } from '../plan/arguments.ts';
import type { PlanChanges } from '../plan/plan.ts';
import { playRestored, type RestoredResult } from './play-restored.ts';

const USAGE = `npm run sim:restored -- --seeds FROM..TO ${PROFILE_USAGE} [--faults F01,F24 | none] [--trace]`;

interface Command {
  readonly seeds: { readonly from: number; readonly to: number };
  readonly plan: Omit<PlanChanges, 'hours'>;
  readonly trace: boolean;
}

/** The command, or a sentence about what is wrong with it. */
function readCommand(args: readonly string[]): Command | string {
  const read = readArguments({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '0..9' },
      profile: { type: 'string', default: 'default' },
      faults: { type: 'string' },
      trace: { type: 'boolean', default: false },
    },
  });
  if (!read.ok) return read.error;
  const { values } = read.value;
  const profile = readProfile(values.profile);
  if (!profile.ok) return profile.error;
  const faults = readFaults(values.faults);
  if (!faults.ok) return faults.error;
  const seeds = readSeeds(values.seeds);
  if (!seeds.ok) return seeds.error;
  return { seeds: seeds.value, plan: { profile: profile.value, ...faults.value }, trace: values.trace };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function lineOf(seed: number, { evidence, answer, lost, isAskedAgain, broken }: RestoredResult): string {
  const course = answer === null ? 'nothing told that the journal is old' : `told by ${evidence}, answered ${answer}`;
  const again = isAskedAgain ? ', asked again' : '';
  const orders = `${lost} own ${lost === 1 ? 'order' : 'orders'} lost`;
  return [`${broken.length === 0 ? '✓' : '✗'} seed ${seed}: ${orders}, ${course}${again}`, ...broken].join('\n    ');
}

const command = readCommand(process.argv.slice(2));
if (typeof command === 'string') {
  process.stderr.write(`${command}\n${USAGE}\n`);
  process.exitCode = 64;
} else {
  let failed = 0;
  const { from, to } = command.seeds;
  for (let seed = from; seed <= to; seed += 1) {
    const result = await playRestored(String(seed), { plan: command.plan, ...(command.trace && { print: say }) });
    say(lineOf(seed, result));
    if (result.broken.length > 0) failed += 1;
  }
  say(failed === 0 ? '✓ Nothing is broken.' : `✗ ${failed} of ${to - from + 1} seeds broke.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
