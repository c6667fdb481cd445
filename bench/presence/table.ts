// The table for a person: one line per condition and thing counted, what must be reached beside it, and under it what
// it was before.
import { CONDITIONS, type Condition } from './conditions.ts';
import type { RunResult } from './result.ts';
import type { Estimate } from './statistics.ts';
import type { Row, TradingRow } from './summary.ts';

type Cell = string;

/** A table: its columns, and what stands in them but the first. */
interface Table {
  readonly columns: readonly Cell[];
  readonly cells: (row: Row, must: number | undefined) => readonly Cell[];
}

const PRESENCE: Table = {
  columns: ['condition', 'must', 'fresh %', 'own %', 'live %', 'none %', 'profit/h', 'fills/h', '5 s bps', '30 s bps'],
  cells: (row, must) => [must === undefined ? '' : (must * 100).toFixed(0), ...presenceCells(row)],
};
const TRAFFIC: Table = {
  columns: [
    'condition',
    '429',
    'req/create',
    'creates/h',
    'gap s',
    'p90 s',
    'halts',
    'notional',
    'orders',
    'inventory',
  ],
  cells: ({ trading }) => (trading === null ? [] : trafficCells(trading)),
};
const NOTHING = '–';

/** Two tables. `before` is what an earlier commit came to, where it is kept. */
export function tableLines(rows: readonly Row[], before: readonly Row[]): string[] {
  const linesOf = (table: Table): string[] => {
    const lines = CONDITIONS.flatMap((condition) => conditionLines(condition, { rows, before }, table));
    return aligned([table.columns, ...lines]);
  };
  const hasTraffic = rows.some(({ trading }) => trading !== null);
  return [...linesOf(PRESENCE), ...(hasTraffic ? ['', ...linesOf(TRAFFIC)] : [])];
}

interface Compared {
  readonly rows: readonly Row[];
  readonly before: readonly Row[];
}

function conditionLines(condition: Condition, { rows, before }: Compared, { cells }: Table): Cell[][] {
  const ours = rows.filter((row) => row.condition === condition.name);
  return ours.flatMap((row) => {
    const title = ours.length === 1 ? condition.title : `${condition.title}: ${row.counted}`;
    const old = before.find(({ condition: name, counted }) => name === row.condition && counted === row.counted);
    const now = cells(row, condition.least[row.counted]);
    if (now.length === 0) return [];
    return old === undefined
      ? [[title, ...now]]
      : [
          [title, ...now],
          ['  before', ...cells(old, undefined)],
        ];
  });
}

function presenceCells({ shares, own, trading }: Row): Cell[] {
  const share = (part: keyof Row['shares']): Cell => plusMinus(shares[part], 1, 100);
  const cells = [share('fresh'), plusMinus(own ?? null, 1, 100), share('live'), share('none')];
  if (trading === null) return cells;
  const of = (part: keyof TradingRow['estimates'], digits: number): Cell => plusMinus(trading.estimates[part], digits);
  return [...cells, of('profitPerHour', 0), of('fillsPerHour', 0), of('markout5', 1), of('markout30', 1)];
}

function trafficCells({ estimates, throttled, halts, worst }: TradingRow): Cell[] {
  const of = (part: keyof TradingRow['estimates'], digits: number): Cell => plusMinus(estimates[part], digits);
  const used = (ratio: number): Cell => `${Math.ceil(100 * ratio)} %`;
  return [
    String(throttled),
    of('requestsPerCreate', 1),
    of('createsPerHour', 0),
    of('gapMedian', 1),
    of('gapP90', 1),
    String(halts),
    used(worst.notional),
    used(worst.orders),
    used(worst.inventory),
  ];
}

function plusMinus(estimate: Estimate | null, digits: number, factor = 1): Cell {
  if (estimate === null) return NOTHING;
  const [mean, error] = [estimate.mean, estimate.error].map((value) => (value * factor).toFixed(digits));
  return estimate.error === 0 ? `${mean}` : `${mean} ± ${error}`;
}

function aligned(rows: readonly (readonly Cell[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: Cell, column: number): Cell =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

/** Seconds that were not two-sided and fresh, by the bot's own account. */
export function reasonLines(results: readonly RunResult[]): string[] {
  return CONDITIONS.flatMap(({ name, title }) => {
    const runs = results.filter(({ condition }) => condition === name);
    const names = Object.keys(runs[0]?.own ?? {});
    return names.map((counted) => {
      const sums = new Map<string, number>();
      for (const { own } of runs)
        for (const [reason, seconds] of Object.entries(own[counted]?.lostSeconds ?? {}))
          sums.set(reason, (sums.get(reason) ?? 0) + seconds);
      const parts = [...sums]
        .toSorted(([, a], [, b]) => b - a)
        .map(([reason, sum]) => `${reason} ${(sum / runs.length).toFixed(1)}`);
      const what = names.length === 1 ? title : `${title}: ${counted}`;
      return `${what}: seconds lost per run, all symbols together: ${parts.join(', ') || 'none'}`;
    });
  });
}
