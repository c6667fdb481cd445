// The paper exchange as a separate process: a Ctrl-C goes to the whole process group, but must leave it running until
// the bot has canceled and verified.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { realClock } from '../../ports/clock.ts';
import { makeFolder } from '../base/durable-file.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { readStateFile } from '../base/private-file.ts';
import { MODULE_ENDING } from '../base/program.ts';
import { refusing } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';

export interface PaperProcess {
  readonly instanceId: string;
  readonly url: string;
  /** Whether it was running already. */
  readonly found: boolean;
  /** Its warnings about its market. */
  readonly warnings: readonly string[];
  /** Whether its recording has ended; false if it does not answer. */
  hasEnded(): Promise<boolean>;
  /** Stops it if a bot started it; resolves when it has saved its state. */
  stop(): Promise<void>;
}

const MAIN = path.join(import.meta.dirname, `../main${MODULE_ENDING}`);
/** As in the start script: a custom strategy may be in a folder whose package.json does not declare modules. */
const WITHOUT_WARNINGS = ['ExperimentalWarning', 'MODULE_TYPELESS_PACKAGE_JSON'].map(
  (name) => `--disable-warning=${name}`,
);
const PID_FILE = 'exchange.pid';
const LOG_FILE = 'exchange.log';
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;

const healthSchema = z.object({
  ok: z.boolean(),
  instanceId: z.string().nullable(),
  ended: z.boolean().default(false),
  warnings: z.array(z.string()).default([]),
});

/** Finds the running exchange of this state folder, or starts it. Throws `StartError` if it does not come up. */
export async function ensurePaperProcess(settings: Settings): Promise<PaperProcess> {
  const { baseUrl } = settings.venue;
  const running = await findPaperProcess(settings);
  if (running !== null) return running;
  const child = start(settings);
  const deadline = realClock.monotonic() + START_WITHIN_MS;
  while (realClock.monotonic() < deadline) {
    const started = await processAt(settings, false);
    if (started !== null) return started;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await sleep(LOOK_EVERY_MS);
  }
  await end(child.pid);
  const code = exitCodeOf(child);
  // The sentence about an unreadable recording is complete by itself.
  const before = code === EXIT.unreadableData ? '' : `The paper exchange did not come up at ${baseUrl}: `;
  throw new StartError(code, `${before}${lastLine(settings)}`);
}

/**
 * Its own exit code if that is more precise: 65 for an unreadable recording, 78 for a key file that others can read.
 */
function exitCodeOf({ exitCode }: ChildProcess): ExitCode {
  return Object.values(EXIT).find((code) => code !== EXIT.done && code === exitCode) ?? EXIT.unavailable;
}

/** The exchange of this configuration if it is running, else `null`. */
export const findPaperProcess = (settings: Settings): Promise<PaperProcess | null> => processAt(settings, true);

async function processAt(settings: Settings, found: boolean): Promise<PaperProcess | null> {
  const { baseUrl } = settings.venue;
  const { instanceId = null, warnings = [] } = (await healthOf(baseUrl)) ?? {};
  if (!instanceId) return null;
  const hasEnded = async (): Promise<boolean> => (await healthOf(baseUrl))?.ended ?? false;
  return { instanceId, url: baseUrl, found, warnings, hasEnded, stop: () => stop(settings) };
}

/** The health of the paper exchange that answers at the address, or `null`. */
async function healthOf(baseUrl: string): Promise<z.output<typeof healthSchema> | null> {
  try {
    // The bot needs got in any case; the built-in fetch takes 80 ms to load.
    const { default: got } = await import('got');
    const options = { timeout: { request: 2_000 }, retry: { limit: 0 }, followRedirect: false };
    return healthSchema.parse(await got(`${baseUrl}/paper/health`, options).json());
  } catch {
    return null;
  }
}

function start(settings: Settings): ChildProcess {
  const { stateFolder, overrides } = settings;
  const { tapeTrades = [], tapeBooks = [], loop = false } = overrides;
  const unusable = (code: string): string => `The state folder ${stateFolder} cannot be used (${code}).`;
  return refusing(EXIT.stateUnusable, unusable, () => {
    makeFolder(stateFolder);
    const file = path.join(stateFolder, LOG_FILE);
    rmSync(file, { force: true });
    // Appends: after a truncation it continues at the new end.
    const log = openSync(file, 'a', 0o600);
    const tape = [...option('--tape-trades', tapeTrades), ...option('--tape-books', tapeBooks)];
    const node = [...WITHOUT_WARNINGS, '--disable-sigusr1'];
    const args = [...node, MAIN, 'exchange', ...settings.files, '--of-bot', ...tape, ...(loop ? ['--loop'] : [])];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    if (child.pid === undefined) throw new StartError(EXIT.unavailable, 'The paper exchange could not be started.');
    return child;
  });
}

const option = (name: string, values: readonly string[]): string[] => (values.length > 0 ? [name, ...values] : []);

/**
 * Written by the exchange itself once it listens: after a bot is killed right after starting one, the next bot does not
 * see that yet and starts another, and must not record the one that finds the port taken.
 */
export function writePaperPid(settings: Settings): void {
  writeFileSync(pidFile(settings), `${process.pid}\n`, { mode: 0o600 });
}

async function stop(settings: Settings): Promise<void> {
  const pid = ownPid(settings);
  if (pid !== null) await end(pid);
  rmSync(pidFile(settings), { force: true });
}

async function end(pid: number | undefined): Promise<void> {
  if (pid === undefined || !isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = realClock.monotonic() + STOP_WITHIN_MS;
  while (isAlive(pid) && realClock.monotonic() < deadline) await sleep(LOOK_EVERY_MS);
}

/** The process that some bot of this state folder started; never an exchange started by a person. */
function ownPid(settings: Settings): number | null {
  try {
    const pid = Number(readStateFile('number of a process', pidFile(settings)));
    return Number.isSafeInteger(pid) && pid > 1 && isExchange(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Another process may have got the pid and must not be signaled. If the system does not tell, the file is trusted. */
function isExchange(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('exchange');
  } catch {
    return process.platform !== 'linux';
  }
}

const pidFile = ({ stateFolder }: Settings): string => path.join(stateFolder, PID_FILE);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function lastLine({ stateFolder }: Settings): string {
  const file = path.join(stateFolder, LOG_FILE);
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    // The last sentence, not the stack frames below it.
    return lines.findLast((line) => /^\S/.test(line)) ?? `see ${file}.`;
  } catch {
    return `see ${file}.`;
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
