// `npm run sim:many -- --seeds 0..999`: many seeds on every core. Results are kept in a progress file, so that an
// interrupted campaign resumes where it left off. Exit code 1 for any violation, 64 for an invalid command, 75 if fewer
// seeds were played than requested.
import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { programCommit } from '../machine/program-commit.ts';
import { PROFILE_USAGE, readArguments, readFaults, readPart, readProfile, readSeeds } from '../plan/arguments.ts';
import { MOST_HOURS } from '../plan/plan.ts';
import { reproFlags } from '../plan/repro-command.ts';
import { type SeedResult, summarize, summaryLines, type Verdict, verdictOf } from './campaign.ts';
import type { SeedOrder } from './many-worker.ts';

const USAGE =
  `npm run sim:many -- --seeds FROM..TO ${PROFILE_USAGE} [--hours H] [--faults F01,F24 | none] [--sparse] ` +
  '[--workers N] [--progress FILE] [--corpus FILE] [--part K/N] [--strict]';
const TOLD_EVERY = 100;
const EXIT_CODES: Readonly<Record<Verdict, number>> = { clean: 0, failed: 1, unfinished: 75 };
const PROGRAM = programCommit();

interface Command {
  readonly orders: readonly SeedOrder[];
  readonly workers: number;
  readonly progress: string | null;
  readonly strict: boolean;
}

function readCommand(args: readonly string[]): Command | string {
  const read = readArguments({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '0..99' },
      profile: { type: 'string', default: 'default' },
      hours: { type: 'string', default: '1' },
      faults: { type: 'string' },
      sparse: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      progress: { type: 'string' },
      corpus: { type: 'string' },
      part: { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
  });
  if (!read.ok) return read.error;
  const { values } = read.value;
  const [hours, workers] = [Number(values.hours), Number(values.workers)];
  if (!(hours > 0 && hours <= MOST_HOURS)) return `--hours ${values.hours}: a number above 0, at most ${MOST_HOURS}.`;
  if (!(Number.isInteger(workers) && workers > 0)) return `--workers ${values.workers}: a whole number above 0.`;
  const profile = readProfile(values.profile);
  if (!profile.ok) return profile.error;
  const faults = readFaults(values.faults);
  if (!faults.ok) return faults.error;
  const part = readPart(values.part);
  if (!part.ok) return part.error;
  const range = readSeeds(values.seeds);
  if (!range.ok) return range.error;
  const drawn = seedsOf(range.value).map((seed) => ({
    seed,
    hours,
    profile: profile.value,
    sparse: values.sparse,
    ...faults.value,
  }));
  const kept = values.corpus === undefined ? [] : (JSON.parse(readFileSync(values.corpus, 'utf8')) as SeedOrder[]);
  // A kept seed within the range runs once.
  const all = [...kept, ...drawn];
  const orders = part.value([...new Map(all.map((order) => [nameOfOrder(order), order])).values()]);
  return { orders, workers, progress: values.progress ?? null, strict: values.strict };
}

const seedsOf = ({ from, to }: { readonly from: number; readonly to: number }): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

interface Named {
  readonly seed: number | string;
  readonly hours: number;
  readonly sparse?: boolean;
  readonly asked: string;
}

/** A kept seed with its own faults is a different run from the drawn seed. */
const nameOf = ({ seed, hours, sparse = false, asked }: Named): string =>
  `${seed} ${hours}${sparse ? ' sparse' : ''}${asked}`;
const nameOfOrder = (order: SeedOrder): string => nameOf({ ...order, asked: reproFlags(order) });

/**
 * The seeds of this campaign that an earlier run of the same program has done: another program's results prove nothing.
 */
function doneBefore({ progress, orders }: Command): SeedResult[] {
  if (progress === null || !existsSync(progress)) return [];
  const lines = readFileSync(progress, 'utf8').split('\n');
  const results = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as SeedResult);
  const wanted = new Set(orders.map(nameOfOrder));
  const ours = results.filter((result) => result.commit === PROGRAM && wanted.has(nameOf(result)));
  return [...new Map(ours.map((result) => [nameOf(result), result])).values()];
}

function keep({ progress }: Command, result: SeedResult): void {
  if (progress === null) return;
  mkdirSync(path.dirname(progress), { recursive: true });
  appendFileSync(progress, `${JSON.stringify(result)}\n`);
}

async function campaign(command: Command): Promise<SeedResult[]> {
  const results = doneBefore(command);
  const done = new Set(results.map(nameOf));
  const open = command.orders.filter((order) => !done.has(nameOfOrder(order)));
  const take = (result: SeedResult): void => {
    results.push(result);
    keep(command, result);
    for (const { invariant, sentence, at } of result.violations) {
      console.log(`✗ seed ${result.seed} ${(at / 1_000).toFixed(0)} s ${invariant}: ${sentence}`);
    }
    if (results.length % TOLD_EVERY === 0) console.log(`… ${results.length} seeds`);
  };
  let stopping = false;
  process.once('SIGINT', () => {
    stopping = true;
    console.log('Interrupted: the seeds under way are finished.');
  });
  const next = (): SeedOrder | undefined => (stopping ? undefined : open.shift());
  await Promise.all(Array.from({ length: command.workers }, () => work(next, take)));
  return results;
}

/** One child process until no seed is left; a child that dies is a failure of its own. */
function work(next: () => SeedOrder | undefined, take: (result: SeedResult) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(path.join(import.meta.dirname, 'many-worker.ts'));
    let order: SeedOrder | undefined;
    const give = (): void => {
      order = next();
      if (order === undefined) child.disconnect();
      else child.send(order);
    };
    child.on('message', (result: Omit<SeedResult, 'commit'>) => {
      take({ ...result, commit: PROGRAM });
      give();
    });
    child.on('exit', (code) => {
      if (code === 0 && order === undefined) resolve();
      else reject(new Error(`The worker ended with code ${code} at seed ${order?.seed}.`));
    });
    give();
  });
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  if (command.orders.length === 0) {
    console.log('Nothing to play lies in this part.');
    return EXIT_CODES.clean;
  }
  const summary = summarize(await campaign(command), command.orders.length);
  for (const line of summaryLines(summary, command.strict)) console.log(line);
  return EXIT_CODES[verdictOf(summary, command.strict)];
}

process.exitCode = await main();
