// Runs a test on a program with one mutant in it: in a copy of the tree, because a test may start the program as
// processes of its own.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { patchSources } from '../patching/patch-sources.ts';
import { programSources } from '../patching/program-sources.ts';
import type { ByTest, Mutant } from './mutant-row.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What is not of the program, by its place in the root: packages are linked, the rest is left out. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', 'state', 'coverage']);

export interface TestResult {
  readonly passed: number;
  /** Names of the tests that failed, each with the first line of why. */
  readonly failed: readonly string[];
  /** Why the file could not be run at all; null where it was. */
  readonly fault: string | null;
}

export interface TreeCopy {
  /** Puts the mutant in. Throws where a patch does not fit, or a patched file can no longer be loaded. */
  mutate(mutant: Mutant): Promise<void>;
  test(tested: ByTest): Promise<TestResult>;
  remove(): void;
}

export function copyTree(): TreeCopy {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mutant-')));
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.has(path.relative(ROOT, source)),
  });
  symlinkSync(realpathSync(path.join(ROOT, 'node_modules')), path.join(folder, 'node_modules'));
  return {
    async mutate(mutant) {
      for (const { file, source } of patchSources(programSources(folder), mutant)) {
        writeFileSync(path.join(folder, file), source);
        // A program that does not even load would fail every test.
        const { code, err } = await node(folder, ['--input-type=module', '--eval', `await import('./${file}')`]);
        if (code !== 0) throw new Error(`With ${mutant.id} in it ${file} cannot be loaded: ${err.slice(-300)}`);
      }
    },
    test: (tested) => runTest(folder, tested),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The part of Jest's report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
  readonly numRuntimeErrorTestSuites: number;
}

async function runTest(folder: string, { file, name }: ByTest): Promise<TestResult> {
  const told = path.join(folder, 'report.json');
  const { err } = await node(folder, [
    'node_modules/jest/bin/jest.js',
    ...['--testMatch', '**/*.test.ts', '--runInBand', '--cacheDirectory', path.join(folder, 'state/jest')],
    ...['--json', '--outputFile', told, '--testNamePattern', `^${literally(name)}`, '--runTestsByPath', file],
  ]);
  let report: Report;
  try {
    report = JSON.parse(readFileSync(told, 'utf8')) as Report;
  } catch {
    return { passed: 0, failed: [], fault: `Jest made no report: ${err.slice(-300)}` };
  }
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results
    .filter(({ status }) => status === 'failed')
    .map(
      ({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${stripVTControlCharacters(why).split('\n', 1)[0]}`,
    );
  const fault = report.numRuntimeErrorTestSuites > 0 ? (report.testResults[0]?.message ?? 'It could not run.') : null;
  return { passed: report.numPassedTests, failed, fault };
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function node(cwd: string, args: readonly string[]): Promise<{ code: number | null; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, err }));
  });
}
