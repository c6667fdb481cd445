// The harness of all benchmarks: contestants run in turn, round after round, and only ratios of medians are compared,
// because absolute times swing on shared machines.
import { isDeepStrictEqual } from 'node:util';

export interface Contestant {
  readonly name: string;
  /** Builds fresh state, untimed, and returns the work to be timed. */
  prepare(): () => Promise<unknown> | unknown;
}

export interface Measurement {
  readonly name: string;
  readonly medianMs: number;
  readonly runsMs: readonly number[];
  /** What the last run returned. */
  readonly output: unknown;
}

export interface BenchResult {
  /** For example `P1 matching core`. */
  readonly title: string;
  /** Lines for a person, as printed and as kept in bench/README.md. */
  readonly lines: readonly string[];
}

export interface Pairing {
  readonly contestants: readonly Contestant[];
  /** Timed rounds; five where nothing speaks against it. One more goes before, untimed. */
  readonly rounds: number;
  /** Whether all must return the same value in every round. */
  readonly sameOutput: boolean;
}

/** Runs every contestant once per round, in turn. Throws where outputs differ that must be the same. */
export async function measureInTurn({ contestants, rounds, sameOutput }: Pairing): Promise<Measurement[]> {
  const runsMs = contestants.map((): number[] => []);
  let outputs: unknown[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    outputs = [];
    for (const [index, contestant] of contestants.entries()) {
      const { elapsedMs, output } = await timed(contestant);
      outputs.push(output);
      if (round > 0) runsMs[index]?.push(elapsedMs);
    }
    if (sameOutput) requireSame(contestants, outputs);
  }
  return contestants.map(({ name }, index) => {
    const runs = runsMs[index] ?? [];
    return { name, medianMs: median(runs), runsMs: runs, output: outputs[index] };
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.');
  return (low + high) / 2;
}

/** One line per contestant: operations per second, and how many times as fast as the last one, the peer. */
export function ratioLines(measurements: readonly Measurement[], operations: number): string[] {
  const peer = measurements.at(-1);
  if (peer === undefined) throw new Error('A ratio needs a peer.');
  return measurements.map(({ name, medianMs, runsMs }) => {
    const rate = operations / medianMs / 1_000;
    const ratio = peer.medianMs / medianMs;
    const spread = `${Math.min(...runsMs).toFixed(0)}–${Math.max(...runsMs).toFixed(0)} ms`;
    return `${name.padEnd(28)} ${rate.toFixed(2).padStart(7)} M/s  ${ratio.toFixed(2).padStart(6)} ×  (${spread})`;
  });
}

async function timed(contestant: Contestant): Promise<{ elapsedMs: number; output: unknown }> {
  const work = contestant.prepare();
  // Garbage of the contestant before is not this one's; node runs without the collector at hand unless asked.
  globalThis.gc?.();
  const start = performance.now();
  const result = work();
  const output = result instanceof Promise ? await result : result;
  return { elapsedMs: performance.now() - start, output };
}

function requireSame(contestants: readonly Contestant[], outputs: readonly unknown[]): void {
  for (const [index, output] of outputs.entries()) {
    if (isDeepStrictEqual(output, outputs[0])) continue;
    const names = `${contestants[0]?.name} and ${contestants[index]?.name}`;
    throw new Error(`${names} differ: ${JSON.stringify(outputs[0])} and ${JSON.stringify(output)}.`);
  }
}
