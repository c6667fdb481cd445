// Checks the model of lease and takeover (model/standby.pml) by Spin: the protocol must keep every property,
// and each mutant, a mistake that `-D` plants in it, must break the one named here. Run: `npm run model`; more faults:
// `npm run model -- -DFAULTS=3`.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const MODEL = path.resolve(import.meta.dirname, '../model/standby.pml');
const run = promisify(execFile);
const MEMORY_MB = 3500;
const TIMEOUT_MS = 300_000;

/** By mutant, the property that it breaks first: the letter in the comment of the assertion that fails. */
const MUTANTS: Readonly<Record<string, string>> = {
  NO_FENCE: 'd',
  FENCES_LATE: 'e',
  LOCAL_CLOCK_DRIFTS: 'e',
  COUNTS_FROM_ANSWER: 'e',
  TAKES_A_VALID_LEASE: 'e',
  IGNORES_UNKNOWN: 'a',
  FOLDS_BEFORE_TAKING: 'a',
  SIGNED_AGAIN: 'd',
  SETTLES_BY_READING: 'a',
  WATCHDOG_FORGETS_EXPIRY: 'd',
  WATCHDOG_WITHOUT_FENCE: 'd',
  WATCHDOG_STAYS_DOWN: 'c',
};
/** What the model must be able to reach, or its properties hold for nothing: the assertion that it can't must fail. */
const SHOWN = ['SHOWS_LATE_CREATE', 'SHOWS_SUCCESSOR', 'SHOWS_FLAT'];

interface Verdict {
  /** The source line of the assertion that failed; null if none did. */
  readonly failed: string | null;
  /** Steps of the trail; the shortest one if breadth first. */
  readonly steps: number;
  readonly told: string;
}

/** Generates, compiles and runs Spin's verifier in a folder of its own. Throws if the search was not completed. */
async function verify(defines: readonly string[], order: 'depth-first' | 'breadth-first'): Promise<Verdict> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'quotekeeper-model-'));
  const limits = { cwd, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 };
  try {
    await run('spin', [...defines, '-a', MODEL], limits);
    const search = order === 'depth-first' ? ['-O3'] : ['-O1', '-DBFS'];
    await run('gcc', [...search, '-DSAFETY', `-DMEMLIM=${MEMORY_MB}`, '-w', '-o', 'pan', 'pan.c'], limits);
    const { stdout } = await run('./pan', order === 'depth-first' ? ['-m20000', '-w25'] : ['-w22'], limits);
    const told = tell(stdout);
    const steps = /\(at depth (\d+)\)/.exec(stdout)?.[1];
    if (steps === undefined) {
      if (!stdout.includes('errors: 0') || /Search not completed|max search depth too small/.test(stdout))
        throw new Error(`Spin did not finish the search of ${[...defines, 'the model'].join(' ')}:\n${stdout}`);
      return { failed: null, steps: 0, told };
    }
    const trail = await run('spin', [...defines, '-k', 'standby.pml.trail', '-t', '-p', MODEL], limits);
    const line = /text of failed assertion.*\n.*standby\.pml:(\d+) /.exec(trail.stdout)?.[1];
    return { failed: readFileSync(MODEL, 'utf8').split('\n')[Number(line) - 1] ?? '', steps: Number(steps), told };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

function tell(output: string): string {
  const of = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? '?';
  const [states, depth] = [of(/(\d+) states, stored/), of(/depth reached (\d+)/)];
  const [memory, seconds] = [of(/([\d.]+)\s+total actual memory/), of(/elapsed time ([\d.]+)/)];
  return `${states} states, depth ${depth}, ${memory} MB, ${seconds} s`;
}

/** Returns what is wrong. */
async function checkProtocol(): Promise<string[]> {
  const { failed, told } = await verify(process.argv.slice(2), 'depth-first');
  console.log(`protocol: ${failed === null ? 'every property holds' : `breaks ${failed.trim()}`}; ${told}`);
  return failed === null ? [] : [`The protocol breaks a property: ${failed.trim()}`];
}

/** The same for the mutants, one after another. */
async function checkMutants(): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, letter] of [...Object.entries(MUTANTS), ...SHOWN.map((each) => [each, null] as const)]) {
    const { failed, steps, told } = await verify([`-D${name}`], 'breadth-first');
    const broken = failed === null ? 'nothing' : (/\((\w)\)(?:: .*)?\s*\*\//.exec(failed)?.[1] ?? null);
    console.log(`${name}: ${letter === null ? 'shown' : `breaks (${broken})`} in ${steps} steps; ${told}`);
    if (broken !== letter) wrong.push(`${name} must ${letter === null ? 'be shown' : `break (${letter})`}: ${failed}`);
  }
  return wrong;
}

try {
  execFileSync('spin', ['-V']);
} catch {
  console.error('The model needs spin and gcc: apt-get install --no-install-recommends spin gcc');
  process.exit(69);
}
const wrong = (await Promise.all([checkProtocol(), checkMutants()])).flat();
for (const each of wrong) console.error(each);
process.exit(wrong.length > 0 ? 1 : 0);
