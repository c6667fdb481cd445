// A backtest as a page of its own: what keeps it from being believed, its figures, and charts of what it quoted.
import type { World } from '../../backtest/play.ts';
import type { EpochMs } from '../../domain/time.ts';
import { SECOND } from '../../domain/time.ts';
import type { FillRow } from '../../memory/batch.ts';
import { columnsOf, type History, type PointAt } from '../../memory/history.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { SymbolView } from '../../trader/status/snapshot.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { writePage } from '../base/write-page.ts';
import { historyCharts } from '../html/history-charts.ts';
import { htmlPage, type PageRow, type PageSection } from '../html/html-page.ts';
import { rememberRecords } from '../memory/journal-rows.ts';
import { sampleMarkets } from '../memory/sample-markets.ts';
import { lostWords, percentOf } from '../status/presence-words.ts';
import { type Backtest, backtestCaveats, seedLine } from './backtest-report.ts';

/** Looks at a run as it goes on; some points more than a screen has columns. */
export interface RunWatch {
  look(world: Pick<World, 'trader' | 'now'>): void;
  pointsOf(symbol: string): readonly PointAt[];
}

const MOST_POINTS = 2_400;

/** How long a run lasts is not known: when there are too many points every second one is dropped. */
export function watchRun(): RunWatch {
  const bySymbol = new Map<string, PointAt[]>();
  let stepMs = SECOND;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    look({ trader, now }) {
      if (now < nextAt) return;
      nextAt = now + stepMs;
      for (const { symbol, sample } of sampleMarkets(trader, now)) {
        const points = bySymbol.get(symbol) ?? [];
        points.push({ ...sample, at: Math.floor(now) });
        bySymbol.set(symbol, points);
      }
      if ([...bySymbol.values()].every(({ length }) => length <= MOST_POINTS)) return;
      stepMs *= 2;
      for (const [symbol, points] of bySymbol)
        bySymbol.set(
          symbol,
          points.filter((_, index) => index % 2 === 0),
        );
    },
    pointsOf: (symbol) => bySymbol.get(symbol) ?? [],
  };
}

/** What a page shows beside the report. */
export interface Played {
  readonly watch: RunWatch;
  /** All records of the run, also those that have left the journal. */
  readonly records: Iterable<JournalRecord>;
}

/** Throws `StartError` (73) where the file can't be written. */
export function writeBacktestPage(file: string, backtest: Backtest, played: Played): void {
  const { symbols, requests } = backtest.report.snapshot;
  const text = htmlPage({
    title: `Backtest of ${symbols.map(({ symbol }) => symbol).join(', ')}`,
    about: [seedLine(backtest), `${PROGRAM} ${VERSION}. Times of charts are UTC.`],
    warnings: backtestCaveats(backtest),
    timeZone: 'UTC',
    sections: [
      ...symbols.map((view) => symbolSection(view, backtest, played)),
      {
        title: 'Requests',
        rows: requests.map(({ kind, outcome, count }) => ({ label: `${kind} ${outcome}`, value: `${count}` })),
        charts: [],
      },
    ],
  });
  writePage(file, text);
}

function symbolSection(view: SymbolView, backtest: Backtest, played: Played): PageSection {
  const history = historyOf(view.symbol, backtest, played);
  return { title: view.symbol, rows: figuresOf(view), charts: historyCharts(history, view) };
}

function figuresOf({ base, quote, pnl, fills, inventory, presence: { sinceStart } }: SymbolView): readonly PageRow[] {
  const money = (label: string, text: string): PageRow => ({ label, value: `${text} ${quote}` });
  const lost = lostWords(sinceStart.both);
  return [
    money('profit', pnl.total),
    money('  spread', pnl.spread),
    money('  inventory', pnl.inventory),
    money('  fees', pnl.fees),
    money(pnl.taxInTotal ? '  tax withheld' : '  tax withheld, not in the profit', pnl.taxWithheld),
    { label: 'fills', value: `${fills.buys} bought, ${fills.sells} sold, for ${fills.quoteVolume} ${quote}` },
    { label: 'inventory at the end', value: `${inventory} ${base}` },
    { label: 'two-sided and fresh', value: `${percentOf(sinceStart.both)}${lost === '' ? '' : `; lost: ${lost}`}` },
    { label: '  bid', value: percentOf(sinceStart.buy) },
    { label: '  ask', value: percentOf(sinceStart.sell) },
  ];
}

function historyOf(symbol: string, { report, startAt }: Backtest, { watch, records }: Played): History {
  const fills = fillsIn(records, symbol);
  const [from, to]: [EpochMs, EpochMs] = [startAt, startAt + report.virtualMs];
  const about = { symbol, from, to, level: 'second', gapMs: Number.POSITIVE_INFINITY, knownFrom: from } as const;
  return { ...about, ...columnsOf(watch.pointsOf(symbol)), fills, fillsLeftOut: 0 };
}

function fillsIn(records: Iterable<JournalRecord>, symbol: string): readonly FillRow[] {
  const rows = new Map<string, FillRow>();
  rememberRecords(records, {
    fill(row) {
      const name = `${row.symbol} ${row.side} ${row.tradeId}`;
      rows.set(name, { ...row, ours: row.ours ?? rows.get(name)?.ours ?? false });
    },
    notice: () => {},
  });
  return [...rows.values()].filter((row) => row.symbol === symbol && row.ours && !row.gone);
}
