// One Jest process: it may run on without end, use up memory, or end by itself, and is told apart from its tests.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Message } from './message.ts';
import { ERRAND_VARIABLE, type Errand, ROOT } from './places.ts';

export interface JestRun extends Errand {
  /** Ends at the first file with a failure; otherwise each file tells what of the program it runs. */
  readonly isUntilFailure: boolean;
  /** What a test file may take, in milliseconds. */
  readonly boundMs: (test: string) => number;
  readonly take: (message: Message) => void;
}

export interface JestEnd {
  /** The file that ran when the process ended or was ended. */
  readonly during: string | null;
  readonly isTimedOut: boolean;
  readonly code: number | null;
  readonly words: string;
}

/** Jest itself has to start, and reads its packages from a disk that may be busy. */
const START_MS = 60_000;
const MEMORY_MB = 3_072;
/** A busy machine is slow, and no mutant; what has no end is ended by the bound of its file. */
const TEST_TIMEOUT_MS = 300_000;
const LONGEST_WORDS = 2_000;
const here = (name: string): string => path.join(import.meta.dirname, name);

export async function runJest(run: JestRun): Promise<JestEnd> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'test-mutants-'));
  const errand = path.join(folder, 'errand.json');
  writeFileSync(errand, JSON.stringify({ mutant: run.mutant, tests: run.tests } satisfies Errand));
  try {
    return await inProcess(run, errand);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inProcess(run: JestRun, errand: string): Promise<JestEnd> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(ROOT, 'node_modules/jest/bin/jest.js'), argumentsOf(run), {
      ...{ cwd: ROOT, silent: true, env: { ...process.env, [ERRAND_VARIABLE]: errand } },
      execArgv: [
        ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
        `--max-old-space-size=${MEMORY_MB}`,
      ],
    });
    let [during, isTimedOut, words]: [string | null, boolean, string] = [null, false, ''];
    const end = (): void => {
      isTimedOut = true;
      child.kill('SIGKILL');
    };
    let ending = setTimeout(end, START_MS);
    child.on('message', (message: Message) => {
      if (message.kind === 'started') {
        during = message.test;
        clearTimeout(ending);
        ending = setTimeout(end, run.boundMs(during));
      }
      if (message.kind === 'ended') during = null;
      run.take(message);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      words = `${words}${chunk.toString()}`.slice(-LONGEST_WORDS);
    });
    child.stdout?.resume();
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(ending);
      resolve({ during, isTimedOut, code, words: words.trim() });
    });
  });
}

const argumentsOf = ({ isUntilFailure, tests }: JestRun): string[] => [
  ...['--config', here('jest.config.mjs')],
  ...[
    '--runInBand',
    '--watchman=false',
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    '--reporters',
    here('telling-reporter.ts'),
  ],
  ...['--testSequencer', here('given-order.ts')],
  ...(isUntilFailure ? ['--bail'] : ['--env', here('reaching-environment.ts')]),
  ...['--runTestsByPath', ...tests],
];
