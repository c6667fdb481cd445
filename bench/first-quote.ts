// P11: from a fresh clone to the first quote. Downloads every package, so it runs only when it is asked for by name.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { type BenchResult, median } from './measure.ts';

/** Read by main.ts. */
export const onlyByName = true;

const STARTS = 5;
const INSTALL_MOST_S = 60;
const START_MOST_S = 5;
const GIVE_UP_MS = 60_000;

/** Clones HEAD, installs with an empty cache, starts five times from an empty state. Throws where a step fails. */
export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'first-quote-'));
  try {
    const clone = path.join(folder, 'quotekeeper');
    const root = path.resolve(import.meta.dirname, '..');
    command('git', ['clone', '--quiet', '--no-hardlinks', root, clone], folder);
    const installS = seconds(() => command('npm', ['ci', '--cache', path.join(folder, 'cache')], clone));
    await moveToFreePorts(path.join(clone, 'config/paper.yaml'));
    const starts: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      starts.push(await secondsToFirstQuote(clone));
      rmSync(path.join(clone, 'state'), { recursive: true, force: true });
    }
    return { title: 'P11 fresh clone to first quote', lines: linesOf(installS, starts) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(installS: number, starts: readonly number[]): string[] {
  const spread = `${Math.min(...starts).toFixed(2)}–${Math.max(...starts).toFixed(2)} s`;
  return [
    `npm ci, empty cache           ${installS.toFixed(1).padStart(6)} s   must be ≤ ${INSTALL_MOST_S} s`,
    `npm start to the first quote  ${median(starts).toFixed(2).padStart(6)} s   must be ≤ ${START_MOST_S} s  ` +
      `(${spread})`,
  ];
}

function command(name: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(name, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args[0]} ended with ${status}: ${stderr.slice(-1_000)}`);
}

function seconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1_000;
}

/** The only change to the clone: somebody may use the ports of the configuration. */
async function moveToFreePorts(file: string): Promise<void> {
  const [exchange, page] = [await freePort(), await freePort()];
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.replace('port: 8788', `port: ${exchange}`)}\nweb: { port: ${page} }\n`);
}

/** Until the exchange has accepted an order; then Ctrl-C, as a person would. */
async function secondsToFirstQuote(clone: string): Promise<number> {
  const start = performance.now();
  const npm = spawn('npm', ['start'], { cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(npm, 'close');
  const given = delay(GIVE_UP_MS, 'given up' as const, { ref: false });
  const came = await Promise.race([firstQuote(npm), ended.then(() => 'ended' as const), given]);
  const took = (performance.now() - start) / 1_000;
  if (npm.pid !== undefined && came !== 'ended') process.kill(-npm.pid, 'SIGINT');
  await ended;
  if (came !== 'quoted') throw new Error(`npm start brought no quote: ${came} after ${took.toFixed(1)} s.`);
  return took;
}

function firstQuote({ stdout }: ChildProcess): Promise<'quoted'> {
  let text = '';
  return new Promise((resolve) => {
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('"op":"accepted"')) resolve('quoted');
    });
  });
}
