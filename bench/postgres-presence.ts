// Time in the market with the journal in PostgreSQL (with a synchronous standby) and in SQLite: two bots, each with a
// paper exchange of its own and the same seed, beside each other in real time. Needs Debian's `postgresql`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { freePort } from './free-port.ts';
import type { BenchResult } from './measure.ts';
import { postgresPrograms, startCluster } from './postgres-cluster.ts';

/** Needs a server that not every machine has. */
export const onlyByName = true;

const WARM_UP_MS = 60_000;
const WATCHED_MS = 300_000;
/** Of the kernel's clock: what /proc counts in. */
const TICKS_PER_SECOND = 100;
const ROOT = path.resolve(import.meta.dirname, '..');

interface Bot {
  readonly name: string;
  readonly folder: string;
  readonly page: string;
  readonly process: ChildProcess;
}

export async function run(): Promise<BenchResult> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed: install the package `postgresql`.');
  const cluster = startCluster(programs, [await freePort(), await freePort()]);
  const bots: Bot[] = [];
  try {
    bots.push(await startBot('SQLite', null), await startBot('PostgreSQL', cluster.url(cluster.newDatabase())));
    await delay(WARM_UP_MS);
    const before = await Promise.all(bots.map(timesOf));
    const spent = bots.map(secondsOf);
    await delay(WATCHED_MS);
    const after = await Promise.all(bots.map(timesOf));
    const cores = bots.map((bot, index) => (secondsOf(bot) - (spent[index] ?? 0)) / (WATCHED_MS / 1_000));
    const shares = bots.map((_, index) => shareBetween(before[index] ?? [], after[index] ?? []));
    const [sqlite = 0, postgres = 0] = shares;
    return {
      title: `Time in the market by journal, ${WATCHED_MS / 60_000} minutes`,
      lines: [
        ...bots.map((bot, index) => {
          const cost = `${percent(cores[index] ?? 0)} of a core, ${residentMiB(bot).toFixed(0)} MiB`;
          return `${bot.name.padEnd(12)} ${percent(shares[index] ?? 0)} with both sides; the bot takes ${cost}`;
        }),
        `difference   ${((postgres - sqlite) * 100).toFixed(2)} points, must be ≥ −0.5`,
      ],
    };
  } finally {
    for (const bot of bots) bot.process.kill('SIGTERM');
    await Promise.all(bots.map(({ process: each }) => each.exitCode === null && once(each, 'exit')));
    for (const { folder } of bots) rmSync(folder, { recursive: true, force: true });
    cluster.end();
  }
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(2)} %`;

/** User and system time. */
function secondsOf({ process: { pid } }: Bot): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const residentMiB = ({ process: { pid } }: Bot): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

async function startBot(name: string, url: string | null): Promise<Bot> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-presence-'));
  mkdirSync(path.join(folder, 'config'));
  const settings = parse(readFileSync(path.join(ROOT, 'config/paper.yaml'), 'utf8'));
  settings.paper.port = await freePort();
  const port = await freePort();
  settings.web = { port };
  if (url !== null) {
    writeFileSync(path.join(folder, 'database-url'), `${url}\n`, { mode: 0o600 });
    settings.journal = { kind: 'postgres', url: { file: 'database-url' }, account: 'bench' };
  }
  writeFileSync(path.join(folder, 'config/paper.yaml'), stringify(settings));
  const args = ['run', path.join(folder, 'config/paper.yaml')];
  const main = [path.join(ROOT, 'src/bot/main.ts'), ...args];
  const started = spawn(process.execPath, main, { cwd: folder, stdio: 'ignore' });
  return { name, folder, page: `http://127.0.0.1:${port}`, process: started };
}

const share = z.object({ freshMs: z.number(), lost: z.array(z.object({ ms: z.number() })) });
const statusSchema = z.object({
  trader: z.object({ symbols: z.array(z.object({ presence: z.object({ sinceStart: z.object({ both: share }) }) })) }),
});
type Times = readonly z.output<typeof share>[];

async function timesOf({ page }: Bot): Promise<Times> {
  const status = statusSchema.parse(await (await fetch(`${page}/api/status`)).json());
  return status.trader.symbols.map(({ presence }) => presence.sinceStart.both);
}

function shareBetween(before: Times, after: Times): number {
  const sum = (times: Times, of: (each: Times[number]) => number): number =>
    times.reduce((all, each) => all + of(each), 0);
  const counted = ({ freshMs, lost }: Times[number]): number => lost.reduce((all, { ms }) => all + ms, freshMs);
  const fresh = sum(after, ({ freshMs }) => freshMs) - sum(before, ({ freshMs }) => freshMs);
  return fresh / (sum(after, counted) - sum(before, counted));
}
