// A thread that plays schedules one after another, with a database and ports of its own: seeds come in, outcomes go
// out; null, or a failure, ends it and everything that it has started.
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { endProjects } from '../process/bot-process.ts';
import { type Database, startDatabase } from './database.ts';
import type { Given } from './host.ts';
import { type Outcome, playSchedule } from './schedule.ts';

/** So many fit on the small disk. */
const SCHEDULES_PER_DATABASE = 8;
const SPENT: ReadonlySet<string> = new Set(['promote', 'failover', 'full-disk']);

const { bin, template, clockLibrary } = workerData as Given;
let database: Database | null = null;
let played = 0;

async function play(seed: number): Promise<Outcome> {
  database ??= await startDatabase(bin, template);
  if (!database.isSmall && threadId === 1) console.log('No disk is filled: that needs root, and the right to mount.');
  const outcome = await playSchedule(seed, database, clockLibrary);
  played += 1;
  const isSpent = outcome.faults.some(({ kind }) => SPENT.has(kind));
  if (isSpent || outcome.broken.length > 0 || played === SCHEDULES_PER_DATABASE) endDatabase();
  return outcome;
}

function endDatabase(): void {
  database?.end();
  [database, played] = [null, 0];
}

parentPort?.on('message', async (seed: number | null) => {
  try {
    if (seed !== null) return parentPort?.postMessage(await play(seed));
  } catch (error) {
    parentPort?.postMessage(error);
  }
  await endProjects().catch(() => undefined);
  endDatabase();
  process.exit();
});
