// Many seeds: a campaign's counts, and when it has failed.
import type { InvariantId, Violation } from '../checks/invariants.ts';
import { SIM_FAULTS } from '../faults/catalogue.ts';
import { CRASH_POINTS } from '../machine/bot-process.ts';
import { INTERESTING } from '../machine/counters.ts';
import { reproCommand } from '../plan/repro-command.ts';

/** The result of one seed. Plain data: it is written to the progress file. */
export interface SeedResult {
  readonly seed: string;
  readonly hours: number;
  readonly sparse: boolean;
  /** Options that replace the seed's draws; empty without any. */
  readonly asked: string;
  /** The program's commit. */
  readonly commit: string;
  readonly virtualMs: number;
  readonly tookMs: number;
  readonly faults: readonly string[];
  readonly violations: readonly Violation[];
  readonly counters: Readonly<Record<string, number>>;
  readonly traceHash: string;
  /** The hash of the second run, if there was one. */
  readonly again: string | null;
}

export interface CampaignSummary {
  /** Number of seeds to play. */
  readonly asked: number;
  readonly seeds: number;
  readonly virtualHours: number;
  /** Virtual time per core time. */
  readonly speed: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly broken: readonly SeedResult[];
  /** Seeds whose two runs differed. */
  readonly parted: readonly string[];
  /** Faults and states that no seed reached. */
  readonly unreached: readonly string[];
}

/** `unfinished`: fewer seeds than requested were played, without a violation. */
export type Verdict = 'clean' | 'failed' | 'unfinished';

const LAST_LINES: Readonly<Record<Verdict, string>> = {
  clean: '✓ Nothing is broken.',
  failed: '✗ The campaign failed.',
  unfinished: '✗ The campaign is not finished; with --progress FILE it goes on where it was stopped.',
};

/** A tenth of the seeds run twice. */
export const isRunTwice = (seed: number): boolean => seed % 10 === 0;

export function summarize(results: readonly SeedResult[], asked: number): CampaignSummary {
  const counts = new Map<string, number>();
  for (const { counters } of results) {
    for (const [name, count] of Object.entries(counters)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const virtualMs = sum(results.map((result) => result.virtualMs * (result.again === null ? 1 : 2)));
  const wanted = [
    ...SIM_FAULTS.map(({ id }) => `fault ${id}`),
    ...INTERESTING,
    ...CRASH_POINTS.map((point) => `crash ${point}`),
  ];
  return {
    asked,
    seeds: results.length,
    virtualHours: sum(results.map((result) => result.virtualMs)) / 3_600_000,
    speed: virtualMs / Math.max(1, sum(results.map(({ tookMs }) => tookMs))),
    counts,
    broken: results.filter(({ violations }) => violations.length > 0),
    parted: results.filter(({ again, traceHash }) => again !== null && again !== traceHash).map(({ seed }) => seed),
    unreached: wanted.filter((name) => !counts.has(name)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Lines for people. `strict`: a state that was never reached counts as a failure. */
export function summaryLines(summary: CampaignSummary, strict: boolean): string[] {
  const { asked, seeds, virtualHours, speed, counts, broken, parted, unreached } = summary;
  const byInvariant = new Map<InvariantId, SeedResult[]>();
  for (const result of broken) {
    for (const { invariant } of result.violations)
      byInvariant.set(invariant, [...(byInvariant.get(invariant) ?? []), result]);
  }
  const named = (prefix: string): string =>
    [...counts]
      .filter(([name]) => name.startsWith(prefix))
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      .map(([name, count]) => `${name.slice(prefix.length)} ${count}`)
      .join(', ');
  return [
    `${seeds} seeds, ${virtualHours.toFixed(1)} simulated hours, ${speed.toFixed(0)} × real time per core.`,
    `Faults: ${named('fault ')}.`,
    `Crashes: ${named('crash ')}.`,
    `Halts that were excused: ${named('halt ') || 'none'}.`,
    `States: ${INTERESTING.map((name) => `${name} ${counts.get(name) ?? 0}`).join(', ')}.`,
    ...(unreached.length > 0 ? [`${strict ? '✗ ' : ''}Never reached: ${unreached.join(', ')}.`] : []),
    ...(parted.length > 0 ? [`✗ Not the same twice: ${parted.join(', ')}.`] : []),
    ...[...byInvariant].flatMap(([invariant, results]) => [
      `✗ ${invariant} in ${results.length} seeds:`,
      ...results.slice(0, 5).map((result) => `    ${lineOf(result, invariant)}`),
    ]),
    ...(seeds < asked ? [`✗ ${seeds} of ${asked} seeds were played: of the others nothing is known.`] : []),
    LAST_LINES[verdictOf(summary, strict)],
  ];
}

function lineOf(result: SeedResult, invariant: InvariantId): string {
  const { faults, violations } = result;
  const first = violations.find((each) => each.invariant === invariant);
  return (
    `${reproCommand(result)}  # ${(Number(first?.at ?? 0) / 1_000).toFixed(0)} s: ` +
    `${(first?.sentence ?? '').slice(0, 220)} [${faults.join(' ')}]`
  );
}

/** A campaign's result: violations fail it, even if seeds remain. */
export function verdictOf({ asked, seeds, broken, parted, unreached }: CampaignSummary, strict: boolean): Verdict {
  if (broken.length > 0 || parted.length > 0) return 'failed';
  if (seeds < asked) return 'unfinished';
  return strict && unreached.length > 0 ? 'failed' : 'clean';
}
