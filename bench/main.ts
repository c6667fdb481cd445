// `npm run bench` runs every benchmark of this folder that does not want to be named,
// `npm run bench -- matching engine` those named, each in a process of its own so that none inherits what the compiler
// learned from another.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { BenchResult } from './measure.ts';

interface Bench {
  run(): Promise<BenchResult>;
}

const isBench = (module: object): module is Bench => 'run' in module && typeof module.run === 'function';

async function runHere(name: string): Promise<void> {
  const module: object = await import(`./${name}.ts`);
  if (!isBench(module)) throw new Error(`bench/${name}.ts exports no function run().`);
  const { title, lines } = await module.run();
  console.log([title, ...lines.map((line) => `  ${line}`), ''].join('\n'));
}

/** Files that hold a benchmark and don't want to be named; the others are parts of one. */
function allNames(): string[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts'));
  const textOf = (file: string): string => readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
  const benches = files.filter((file) => EXPORTS_RUN.test(textOf(file)) && !ONLY_BY_NAME.test(textOf(file)));
  return benches.map((file) => file.slice(0, -'.ts'.length)).sort();
}

function runApart(name: string): boolean {
  const main = `${import.meta.dirname}/main.ts`;
  return spawnSync(process.execPath, ['--expose-gc', main, '--here', name], { stdio: 'inherit' }).status === 0;
}

const EXPORTS_RUN = /^export (?:async function|function|const) run\b/m;
const ONLY_BY_NAME = /^export const onlyByName = true;$/m;
const [first, ...rest] = process.argv.slice(2);

if (first === '--here' && rest[0] !== undefined) {
  await runHere(rest[0]);
} else {
  const names = first === undefined ? allNames() : [first, ...rest];
  const failed = names.filter((name) => !runApart(name));
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(', ')}.`);
    process.exitCode = 1;
  }
}
