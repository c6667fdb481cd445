// Starts the real program as a process and waits for what it says. Ends every process that a test left.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const QUOTEKEEPER = path.join(PROJECT_ROOT, 'quotekeeper');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Program {
  readonly pid: number;
  /** Everything written so far. */
  out(): string;
  err(): string;
  /** Resolves when standard output holds `text`; rejects with all output when the program ends before. */
  said(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Types into it; only where it was started for that. */
  type(text: string): void;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Another executable than ./quotekeeper. */
  readonly executable?: string;
  /** In a process group of its own, as a terminal starts it: a signal to `-pid` reaches all of it. */
  readonly ownGroup?: boolean;
  /** Whether something will be typed. */
  readonly typing?: boolean;
}

/** Compiled modules are kept between starts: to compile them takes a third of the time of a start. */
const INHERITED = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NODE_COMPILE_CACHE: path.join(PROJECT_ROOT, 'state/compile-cache'),
};

const running = new Set<ChildProcess>();

/** For `afterEach`. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

export function startProgram(args: readonly string[], options: StartOptions = {}): Program {
  const { cwd = PROJECT_ROOT, environment = {}, executable = QUOTEKEEPER, ownGroup = false, typing = false } = options;
  const env = { ...INHERITED, ...environment };
  const child = spawn(executable, args, {
    cwd,
    env,
    detached: ownGroup,
    stdio: [typing ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const text = { out: '', err: '' };
  const watchers = new Set<() => void>();
  const take = (stream: 'out' | 'err') => (chunk: Buffer) => {
    text[stream] += chunk.toString('utf8');
    for (const watch of watchers) watch();
  };
  child.stdout?.on('data', take('out'));
  child.stderr?.on('data', take('err'));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, ...text });
    });
  });
  return {
    pid: child.pid ?? 0,
    out: () => text.out,
    err: () => text.err,
    said: (wanted) => said(wanted, { text, watchers, ended }),
    signal: (name) => void child.kill(name),
    type: (text) => void child.stdin?.write(text),
    ended,
  };
}

interface Watching {
  readonly text: { readonly out: string; readonly err: string };
  readonly watchers: Set<() => void>;
  readonly ended: Promise<Ended>;
}

function said(wanted: string, { text, watchers, ended }: Watching): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (!text.out.includes(wanted)) return;
      watchers.delete(look);
      resolve();
    };
    watchers.add(look);
    look();
    void ended.then(({ code }) =>
      reject(new Error(`It ended with ${code} before it said "${wanted}": ${text.out}${text.err}`)),
    );
  });
}

/** Runs to the end. */
export const runProgram = (args: readonly string[], options: StartOptions = {}): Promise<Ended> =>
  startProgram(args, options).ended;
