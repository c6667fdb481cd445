// `npm run test:fleet -- --seeds 0..199`: two hosts of one account on a real PostgreSQL, under faults that the seed
// draws. Exit code 1 if anything is broken, 64 for an invalid command, 69 where PostgreSQL is missing.
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeTemplate, postgresPrograms } from '../../bench/postgres-cluster.ts';
import { readArguments, readPart, readSeeds } from '../../simulation/plan/arguments.ts';
import type { Given } from './host.ts';
import type { Takeover } from './judge.ts';
import { faultText } from './plan.ts';
import type { Outcome } from './schedule.ts';

const USAGE = 'npm run test:fleet -- --seeds FROM..TO [--part K/N] [--jobs N]';
/** Debian's package `faketime`. */
const CLOCK_LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';
const STRING = { type: 'string' } as const;
const STARTS_AT_ONCE = 2;
const MOST_SENTENCES = 4;

function readCommand(args: readonly string[]): { seeds: readonly number[]; jobs: number } | string {
  const read = readArguments({
    args: [...args],
    options: { seeds: { ...STRING, default: '0..9' }, part: STRING, jobs: { ...STRING, default: '1' } },
  });
  if (!read.ok) return read.error;
  const { seeds, part, jobs } = read.value.values;
  if (!/^[1-6]$/.test(jobs)) return `--jobs ${jobs}: one to six schedules at once.`;
  const [range, chosen] = [readSeeds(seeds), readPart(part)];
  if (!range.ok) return range.error;
  if (!chosen.ok) return chosen.error;
  const { from, to } = range.value;
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return { seeds: chosen.value(all), jobs: Number(jobs) };
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

/** Each thread plays one schedule at a time. */
async function play(seeds: readonly number[], players: readonly Worker[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...seeds];
  const playNext = async (player: Worker): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      player.postMessage(seed);
      const [outcome] = (await once(player, 'message')) as [Outcome | Error];
      if (outcome instanceof Error) throw outcome;
      tell(seed, outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(players.map(playNext));
  return outcomes;
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  const { seeds, jobs } = command;
  const bin = postgresPrograms();
  if (bin === null) {
    console.error('PostgreSQL is not installed: install the package `postgresql`.');
    return 69;
  }
  const clockLibrary = globSync(CLOCK_LIBRARY)[0] ?? null;
  if (clockLibrary === null) console.log('No clock is set: install the package `faketime`.');
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-template-'));
  chmodSync(folder, 0o755);
  const template = path.join(folder, 'server');
  const turns = new Int32Array(new SharedArrayBuffer(4)).fill(STARTS_AT_ONCE);
  const workerData: Given = { bin, template, clockLibrary, turns: turns.buffer };
  const players = Array.from(
    { length: Math.min(jobs, seeds.length) },
    () => new Worker(new URL('./player.ts', import.meta.url), { workerData }),
  );
  const endAll = async (): Promise<void> => {
    // One that failed has ended by itself.
    const running = players.filter(({ threadId }) => threadId > 0);
    for (const player of running) player.postMessage(null);
    await Promise.all(running.map((player) => once(player, 'exit')));
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void endAll().finally(() => process.exit(130)));
  try {
    // While the threads load.
    makeTemplate(bin, template);
    const outcomes = await play(seeds, players);
    summarize(outcomes);
    return outcomes.some(({ broken }) => broken.length > 0) ? 1 : 0;
  } finally {
    await endAll();
  }
}

process.exit(await main());
