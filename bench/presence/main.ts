// `npm run bench:presence`: the share of time in which the bot stands in the market, two-sided and fresh, by
// conditions, in virtual time. Exit code 1 where a limit was passed by the exchange's own books, 64 where the command
// can't be read.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programCommit } from '../../simulation/machine/program-commit.ts';
import { runInWorkers } from '../workers.ts';
import { type Command, readCommand, USAGE } from './command.ts';
import type { RunOrder } from './play-condition.ts';
import type { RunResult } from './result.ts';
import { type Row, summarize } from './summary.ts';
import { reasonLines, tableLines } from './table.ts';

/** What is kept of a campaign. */
interface Kept {
  readonly commit: string;
  readonly date: string;
  readonly minutes: number;
  readonly rows: readonly Row[];
}

const BEFORE = path.join(import.meta.dirname, 'before.json');

async function runAll({ orders, workers }: Command): Promise<RunResult[]> {
  const program = path.join(import.meta.dirname, 'worker.ts');
  const results = await runInWorkers<RunOrder, RunResult>(program, orders, workers);
  return results.toSorted((a, b) => a.seed - b.seed);
}

function readBefore(): Kept | null {
  return existsSync(BEFORE) ? (JSON.parse(readFileSync(BEFORE, 'utf8')) as Kept) : null;
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  const results = await runAll(command);
  const rows = summarize(results);
  const before = readBefore();
  if (before !== null) console.log(`Before: commit ${before.commit}, ${before.date}, ${before.minutes} minutes.`);
  for (const line of [...tableLines(rows, before?.rows ?? []), ...(command.reasons ? reasonLines(results) : [])])
    console.log(line);
  const breaches = results.flatMap(({ condition, seed, breaches: found }) =>
    found.map((words) => `BREACH ${condition} seed ${seed}: ${words}`),
  );
  for (const line of breaches) console.log(line);
  const { minutes, json, keep } = command;
  const kept: Kept = { commit: programCommit(), date: new Date().toISOString().slice(0, 10), minutes, rows };
  if (json !== null) writeFileSync(json, `${JSON.stringify({ ...kept, results })}\n`);
  if (keep) writeFileSync(BEFORE, `${JSON.stringify(kept, shortened, 2)}\n`);
  return breaches.length > 0 ? 1 : 0;
}

/** Four digits say more than these numbers are worth. */
const shortened = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

process.exitCode = await main();
