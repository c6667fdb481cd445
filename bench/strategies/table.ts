// What the runs came to: each contestant, and its difference to the plain one on the same seeds. Pure.
import { estimateOf } from '../presence/statistics.ts';
import { CONTESTANTS } from './contestants.ts';
import type { RunResult } from './play-run.ts';

type Figure = Exclude<keyof RunResult, 'contestant' | 'seed'>;

/** Mean and standard error. */
function cell(results: readonly RunResult[], figure: Figure, digits: number): string {
  const estimate = estimateOf(results.map((result) => result[figure]));
  return estimate === null ? '–' : `${estimate.mean.toFixed(digits)} ± ${estimate.error.toFixed(digits)}`;
}

export interface Paired {
  readonly mean: number;
  /** Student's t of the differences by seed; infinite where all are the same. */
  readonly t: number;
}

/** Differences by seed. */
export function pairedBySeed(a: readonly RunResult[], b: readonly RunResult[], figure: Figure): Paired | null {
  const differences = a.flatMap((result) => {
    const other = b.find(({ seed }) => seed === result.seed);
    return other === undefined ? [] : [result[figure] - other[figure]];
  });
  const estimate = estimateOf(differences);
  return estimate && { mean: estimate.mean, t: estimate.mean / estimate.error };
}

const HEAD = [
  ...['contestant', 'profit/h', 'to plain (t)', 'deviation', 'of plain', 'width bps', 'fills/h', 'informed loss/h'],
  ...['of default', 'two-sided'],
];

export function tableLines(results: readonly RunResult[]): string[] {
  const of = (name: string): RunResult[] => results.filter(({ contestant }) => contestant === name);
  const mean = (name: string, figure: Figure): number => estimateOf(of(name).map((each) => each[figure]))?.mean ?? 0;
  const rows = CONTESTANTS.flatMap(({ name }) => {
    const own = of(name);
    if (own.length === 0) return [];
    const paired = pairedBySeed(own, of('plain'), 'profitPerHour');
    return [
      [
        name,
        cell(own, 'profitPerHour', 0),
        name === 'plain' || paired === null ? '' : `${paired.mean.toFixed(0)} (${paired.t.toFixed(1)})`,
        cell(own, 'deviation', 0),
        `${(mean(name, 'deviation') / mean('plain', 'deviation')).toFixed(2)}`,
        cell(own, 'widthBps', 1),
        cell(own, 'fillsPerHour', 1),
        cell(own, 'informedLossPerHour', 0),
        `${(mean(name, 'informedLossPerHour') / mean('default', 'informedLossPerHour')).toFixed(2)}`,
        `${(100 * mean(name, 'twoSided')).toFixed(1)} %`,
      ],
    ];
  });
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((text, column) => text.padStart(widths[column] ?? 0)).join('  '));
}
