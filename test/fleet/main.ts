// `npm run test:fleet -- --seeds 0..199`: two hosts of one account on a real PostgreSQL, under faults that the seed
// draws. Exit code 1 if anything is broken, 64 for an invalid command, 69 where PostgreSQL is missing.
import { globSync } from 'node:fs';
import { postgresPrograms } from '../../bench/postgres-cluster.ts';
import { readArguments, readPart, readSeeds } from '../../simulation/plan/arguments.ts';
import { endProjects } from '../process/bot-process.ts';
import { type Database, startDatabase } from './database.ts';
import type { Takeover } from './judge.ts';
import { faultText } from './plan.ts';
import { type Outcome, playSchedule } from './schedule.ts';

const USAGE = 'npm run test:fleet -- --seeds FROM..TO [--part K/N]';
/** Debian's package `faketime`. */
const CLOCK_LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';
const MOST_SENTENCES = 4;
/** So many fit on the small disk. */
const SCHEDULES_PER_DATABASE = 8;

function readCommand(args: readonly string[]): readonly number[] | string {
  const read = readArguments({
    args: [...args],
    options: { seeds: { type: 'string', default: '0..9' }, part: { type: 'string' } },
  });
  if (!read.ok) return read.error;
  const { seeds, part } = read.value.values;
  const [range, chosen] = [readSeeds(seeds), readPart(part)];
  if (!range.ok) return range.error;
  if (!chosen.ok) return chosen.error;
  const { from, to } = range.value;
  return chosen.value(Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function takeoverText({ from, to, tookMs, excuse }: Takeover): string {
  const took = tookMs === null ? 'nothing placed' : seconds(tookMs);
  return `${from}→${to} ${took}${excuse === null ? '' : ` (not judged: ${excuse})`}`;
}

function tell(seed: number, { faults, takeovers, broken, creates, epochs, rearmed, folder }: Outcome): void {
  const drawn = faults.map(faultText).join('; ');
  const taken = takeovers.map(takeoverText).join(', ') || 'no takeover';
  const again = rearmed === 0 ? '' : `, re-armed ${rearmed} times`;
  console.log(
    `${broken.length > 0 ? '✗' : '✓'} seed ${seed}: ${drawn} | ${taken}${again} | ${epochs} epochs, ${creates} creates`,
  );
  for (const sentence of broken.slice(0, MOST_SENTENCES)) console.log(`✗ seed ${seed} ${sentence} Faults: ${drawn}.`);
  if (folder !== null) console.log(`✗ seed ${seed} has ${broken.length} sentences, all in ${folder}.`);
}

function summarize(outcomes: readonly Outcome[]): void {
  const takeovers = outcomes.flatMap((outcome) => outcome.takeovers);
  const measured = takeovers.filter(({ excuse, tookMs }) => excuse === null && tookMs !== null);
  const times = measured.map(({ tookMs }) => tookMs ?? 0).sort((one, other) => one - other);
  const at = (share: number): string =>
    seconds(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  const bound = Math.max(0, ...measured.map(({ boundMs }) => boundMs));
  const broken = outcomes.filter((outcome) => outcome.broken.length > 0).length;
  const took = times.length === 0 ? '' : ` (p50 ${at(0.5)}, p99 ${at(0.99)}, bound ${seconds(bound)})`;
  const judged = `${takeovers.length} takeovers, ${times.length} held to the bound${took}`;
  console.log(`${outcomes.length} seeds, ${broken} broken; ${judged}.`);
}

let database: Database | null = null;

async function play(seeds: readonly number[], bin: string): Promise<Outcome[]> {
  const clockLibrary = globSync(CLOCK_LIBRARY)[0] ?? null;
  if (clockLibrary === null) console.log('No clock is set: install the package `faketime`.');
  const outcomes: Outcome[] = [];
  let played = 0;
  for (const seed of seeds) {
    database ??= await startDatabase(bin);
    if (!database.isSmall && outcomes.length === 0)
      console.log('No disk is filled: that needs root, and the right to mount.');
    const outcome = await playSchedule(seed, database, clockLibrary);
    tell(seed, outcome);
    outcomes.push(outcome);
    played += 1;
    const isSpent = outcome.faults.some(({ kind }) => kind === 'promote' || kind === 'full-disk');
    if (!isSpent && outcome.broken.length === 0 && played < SCHEDULES_PER_DATABASE) continue;
    database.end();
    database = null;
    played = 0;
  }
  return outcomes;
}

async function endAll(): Promise<void> {
  await endProjects().catch(() => undefined);
  database?.end();
  database = null;
}

async function main(): Promise<number> {
  const seeds = readCommand(process.argv.slice(2));
  if (typeof seeds === 'string') {
    console.error(`${seeds}\n${USAGE}`);
    return 64;
  }
  const bin = postgresPrograms();
  if (bin === null) {
    console.error('PostgreSQL is not installed: install the package `postgresql`.');
    return 69;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void endAll().finally(() => process.exit(130)));
  try {
    const outcomes = await play(seeds, bin);
    summarize(outcomes);
    return outcomes.some(({ broken }) => broken.length > 0) ? 1 : 0;
  } finally {
    await endAll();
  }
}

process.exit(await main());
