// What the runs of a condition come to together. Pure, and plain data: kept as it is.
import { CONDITIONS } from './conditions.ts';
import type { Shares } from './presence.ts';
import type { RunResult, Trading } from './result.ts';
import { type Estimate, estimateOf, quantile } from './statistics.ts';
import type { Worst } from './worst-case.ts';

/** One condition, and one of the things that are counted under it. */
export interface Row {
  readonly condition: string;
  readonly counted: string;
  readonly runs: number;
  /** Ratios. Of the simulator's runs the middle one, without an error: they are too far apart for a mean. */
  readonly shares: Readonly<Record<keyof Shares, Estimate | null>>;
  /** Two-sided and fresh as the bot itself counts it. */
  readonly own: Estimate | null;
  /** Null where it is not measured, and beside the first thing that is counted. */
  readonly trading: TradingRow | null;
}

export interface TradingRow {
  readonly estimates: Readonly<Record<Estimated, Estimate | null>>;
  /** All runs together. */
  readonly throttled: number;
  readonly halts: number;
  /** Of all runs the largest. */
  readonly worst: Worst;
}

const ESTIMATED = [
  ...(['profitPerHour', 'equityPerHour', 'fillsPerHour', 'createsPerHour', 'requestsPerCreate'] as const),
  ...(['markout5', 'markout30', 'gapMedian', 'gapP90'] as const),
];
type Estimated = (typeof ESTIMATED)[number];

export function summarize(results: readonly RunResult[]): Row[] {
  return CONDITIONS.flatMap(({ name, how }) => {
    const runs = results.filter(({ condition }) => condition === name);
    const trading = tradingOf(runs.flatMap((run) => run.trading ?? []));
    const together = how.kind === 'faulty' ? midPriceOf : estimateOf;
    return Object.keys(runs[0]?.shares ?? {}).map((counted, index) => ({
      condition: name,
      counted,
      runs: runs.length,
      shares: sharesOf(runs, counted, together),
      own: together(runs.flatMap(({ own }) => own[counted]?.fresh ?? [])),
      trading: index === 0 ? trading : null,
    }));
  });
}

type Together = (values: readonly number[]) => Estimate | null;

function sharesOf(runs: readonly RunResult[], counted: string, together: Together): Row['shares'] {
  const of = (part: keyof Shares): Estimate | null =>
    together(runs.flatMap(({ shares }) => shares[counted]?.[part] ?? []));
  return { fresh: of('fresh'), live: of('live'), none: of('none') };
}

function midPriceOf(values: readonly number[]): Estimate | null {
  const middle = quantile(values, 1 / 2);
  return middle === null ? null : { mean: middle, error: 0 };
}

function tradingOf(runs: readonly Trading[]): TradingRow | null {
  if (runs.length === 0) return null;
  const estimate = (part: Estimated): Estimate | null => estimateOf(runs.flatMap((run) => run[part] ?? []));
  const sum = (part: 'throttled' | 'halts'): number => runs.reduce((total, run) => total + run[part], 0);
  const most = (part: keyof Worst): number => Math.max(...runs.map(({ worst }) => worst[part]));
  return {
    estimates: Object.fromEntries(ESTIMATED.map((part) => [part, estimate(part)])) as TradingRow['estimates'],
    throttled: sum('throttled'),
    halts: sum('halts'),
    worst: { notional: most('notional'), orders: most('orders'), inventory: most('inventory') },
  };
}
