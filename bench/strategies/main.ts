// `npm run bench:strategies`: what strategies earn in a thin market with informed takers, in virtual time, paired by
// seed. Exit code 64 where the command can't be read.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { programCommit } from '../../simulation/machine/program-commit.ts';
import { readArguments } from '../../simulation/plan/arguments.ts';
import { MINUTE } from '../../src/domain/time.ts';
import { runInWorkers } from '../workers.ts';
import { CONTESTANTS } from './contestants.ts';
import type { RunOrder, RunResult } from './play-run.ts';
import { tableLines } from './table.ts';

const USAGE =
  'npm run bench:strategies -- [--seeds FROM..TO] [--only NAME]… [--minutes N] [--workers 1|2] [--json FILE]';

interface Command {
  readonly orders: readonly RunOrder[];
  readonly workers: number;
  readonly json: string | null;
}

function readCommand(args: readonly string[]): Command | string {
  const read = readArguments({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '0..19' },
      only: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '360' },
      workers: { type: 'string', default: '2' },
      json: { type: 'string' },
    },
  });
  if (!read.ok) return read.error;
  const { seeds, only, minutes: text, workers: count, json } = read.value.values;
  const range = /^(\d+)\.\.(\d+)$/.exec(seeds);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (range === null || from > to)
    return `--seeds ${seeds}: two whole numbers with two points between, the lower first.`;
  const names = CONTESTANTS.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) return `--only ${unknown}: one of ${names.join(', ')}.`;
  const [minutes, workers] = [Number(text), Number(count)];
  if (!(minutes >= 10 && minutes <= 1_440)) return `--minutes ${text}: a number from 10 to 1440.`;
  if (workers !== 1 && workers !== 2) return `--workers ${count}: 1 or 2.`;
  const chosen = names.filter((name) => only.length === 0 || only.includes(name));
  const orders = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((seed) =>
    chosen.map((contestant) => ({ contestant, seed, durationMs: minutes * MINUTE })),
  );
  return { orders, workers, json: json ?? null };
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  const program = path.join(import.meta.dirname, 'worker.ts');
  const results = await runInWorkers<RunOrder, RunResult>(program, command.orders, command.workers);
  for (const line of tableLines(results)) console.log(line);
  if (command.json !== null)
    writeFileSync(command.json, `${JSON.stringify({ commit: programCommit(), results }, null, 1)}\n`);
  return 0;
}

process.exitCode = await main();
