// The result of a backtest: first the reasons to doubt its numbers, then the numbers.
import type { PlayReport, World } from '../../backtest/play.ts';
import { grouped } from '../../domain/decimal.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { TapeReport } from '../../tape/types.ts';
import { type StatusSnapshot, type SymbolView, takeSnapshot } from '../../trader/status/snapshot.ts';
import { writePage } from '../base/durable-file.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { historyCharts, htmlPage, type PageRow } from '../html/html-page.ts';
import { columnsOf, type History, type PointAt } from '../memory/history.ts';
import { type FillRow, fillRowsOf } from '../memory/rows.ts';
import { sampleMarkets } from '../memory/sample-markets.ts';
import { type Recording, warningsOf } from '../paper/recordings.ts';
import { lostWords, negated, percentOf, presenceTable, summaryLines, walletLine } from '../status/status-words.ts';

export interface Backtest {
  readonly report: PlayReport;
  readonly seed: string;
  readonly tookMs: DurationMs;
  readonly startAt: EpochMs;
  readonly recordings: readonly Recording[];
  /** When each symbol was first halted; key `null` for all of them together. */
  readonly haltedAt: ReadonlyMap<string | null, EpochMs>;
}

/** The halts that stopped quoting for good before the end; `symbol` is null for all symbols together. */
export function haltsOf({ report: { snapshot }, haltedAt }: Backtest) {
  const at = (symbol: string | null): EpochMs => haltedAt.get(symbol) ?? snapshot.at;
  const { latched, symbols } = snapshot;
  return [
    ...(latched === null ? [] : [{ symbol: null, at: at(null), code: 'latched', reason: latched }]),
    ...symbols.flatMap(({ symbol, risk: { halt } }) =>
      halt === null ? [] : [{ symbol, at: at(symbol), code: halt.code, reason: halt.reason }],
    ),
  ];
}

function warningsIn({ report: { snapshot }, recordings }: Backtest): readonly string[] {
  const fills = snapshot.symbols.reduce((sum, { fills: { buys, sells } }) => sum + buys + sells, 0);
  return [
    ...warningsOf(recordings),
    ...(fills > 0 ? [] : [wasQuoted(snapshot) ? 'No order was filled.' : notQuoted(snapshot)]),
  ];
}

const wasQuoted = ({ requests }: StatusSnapshot): boolean =>
  requests.some(({ kind, outcome }) => kind === 'create' && outcome === 'accepted');

function notQuoted({ symbols }: StatusSnapshot): string {
  const denials = symbols.flatMap(({ risk }) => risk.denials.map(({ code, count }) => `${count} (${code})`));
  return `No order was placed${denials.length === 0 ? '' : `: the risk gate denied ${denials.join(', ')}`}.`;
}

export function backtestData(backtest: Backtest): object {
  const { report, seed, startAt, recordings } = backtest;
  const { snapshot, flat, virtualMs, journalHash, journalRecords } = report;
  const { symbols, assets, requests } = snapshot;
  return {
    ...{ halted: haltsOf(backtest), warnings: warningsIn(backtest) },
    ...{ seed, from: startAt, to: startAt + virtualMs },
    recordings: recordings.map(({ symbol, trades, books }) => ({
      symbol,
      recordedSymbol: (trades.symbol ?? books.symbol)?.text ?? null,
      trades: partOf(trades),
      books: partOf(books),
    })),
    ...{ flat, virtualMs, journalRecords, journalHash, symbols, assets, requests },
  };
}

/** Times in milliseconds, as in the rest of the report. */
function partOf({ rows, firstAt, lastAt, gapCount }: TapeReport): object {
  const ms = (at: number | null): EpochMs | null => (at === null ? null : Math.floor(at / 1_000));
  return { rows, from: ms(firstAt), to: ms(lastAt), gaps: gapCount };
}

export function backtestLines(backtest: Backtest): readonly string[] {
  const { snapshot, journalHash, journalRecords, flat } = backtest.report;
  const kinds = snapshot.requests.map(({ kind, outcome, count }) => `${kind} ${outcome} ${count}`).join(', ');
  const count = snapshot.requests.reduce((sum, each) => sum + each.count, 0);
  return [
    ...haltsOf(backtest).map(haltLine),
    ...warningsIn(backtest).map((words) => `WARNING: ${words}`),
    seedLine(backtest),
    ...backtest.recordings.map(recordingLine),
    ...snapshot.symbols.flatMap(summaryLines),
    ...presenceTable(snapshot.symbols),
    walletLine(snapshot),
    `${count} requests: ${kinds}.`,
    `${journalRecords} journal records, the last with hash ${journalHash}.`,
    flat ? 'Stopped flat: no own order is open, proved by two complete lists.' : 'Not proved flat at the end.',
  ];
}

function seedLine({ report, seed, tookMs, startAt }: Backtest): string {
  const seconds = (ms: DurationMs, digits: number): string => (ms / 1_000).toFixed(digits);
  const market = `${seconds(report.virtualMs, 0)} s of the market, from ${timeText(startAt)} on`;
  return `Seed ${seed}: ${market}, in ${seconds(tookMs, 1)} s.`;
}

function haltLine({ symbol, at, reason }: ReturnType<typeof haltsOf>[number]): string {
  return `HALTED: from ${timeText(at)} on ${symbol ?? 'every symbol'} is halted: ${reason}`;
}

function recordingLine({ symbol, trades, books }: Recording): string {
  const text = (trades.symbol ?? books.symbol)?.text ?? 'an unnamed symbol';
  const played = ({ played, rows }: TapeReport): string => (played === rows ? `${rows}` : `${played} of ${rows}`);
  return `${symbol} is the recording of ${text}: ${played(trades)} trades, ${played(books)} books.`;
}

// A backtest as a self-contained page: reasons for doubt, figures, and charts of its quotes.

export type RunWatch = ReturnType<typeof watchRun>;

/** Somewhat more points than a screen has columns. */
const MOST_POINTS = 2_400;

/**
 * Samples a run while it plays. The length of a run is unknown: when there are too many points, every second one is
 * dropped.
 */
export function watchRun() {
  const bySymbol = new Map<string, PointAt[]>();
  let stepMs = SECOND;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    look({ trader, now }: Pick<World, 'trader' | 'now'>): void {
      if (now < nextAt) return;
      nextAt = now + stepMs;
      for (const { symbol, sample } of sampleMarkets(takeSnapshot(trader, now))) {
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
    pointsOf: (symbol: string): readonly PointAt[] => bySymbol.get(symbol) ?? [],
  };
}

/** What the page shows in addition to the report. */
export interface Played {
  readonly watch: RunWatch;
  /** All records of the run, including those that have left the journal. */
  readonly records: Iterable<JournalRecord>;
}

/** Throws `StartError` (73) if the file can't be written. */
export function writeBacktestPage(file: string, backtest: Backtest, played: Played): void {
  const { symbols, requests } = backtest.report.snapshot;
  const text = htmlPage({
    title: `Backtest of ${symbols.map(({ symbol }) => symbol).join(', ')}`,
    about: [seedLine(backtest), `${PROGRAM} ${VERSION}. Times of charts are UTC.`],
    warnings: [...haltsOf(backtest).map(haltLine), ...warningsIn(backtest)],
    timeZone: 'UTC',
    sections: [
      ...symbols.map((view) => {
        const charts = historyCharts(historyOf(view.symbol, backtest, played), view);
        return { title: view.symbol, rows: figuresOf(view), charts };
      }),
      {
        title: 'Requests',
        rows: requests.map(({ kind, outcome, count }) => ({ label: `${kind} ${outcome}`, value: `${count}` })),
        charts: [],
      },
    ],
  });
  writePage(file, text);
}

function figuresOf({ base, quote, pnl, fills, inventory, presence: { sinceStart } }: SymbolView): readonly PageRow[] {
  const money = (label: string, text: string): PageRow => ({ label, value: `${grouped(text)} ${quote}` });
  const lost = lostWords(sinceStart.both);
  return [
    money('profit', pnl.total),
    money('  spread', pnl.spread),
    money('  inventory', pnl.inventory),
    money('  fees', negated(pnl.fees)),
    pnl.taxInTotal
      ? money('  tax withheld', negated(pnl.taxWithheld))
      : money('  tax withheld, not in the profit', pnl.taxWithheld),
    { label: 'fills', value: `${fills.buys} bought, ${fills.sells} sold, for ${grouped(fills.quoteVolume)} ${quote}` },
    { label: 'inventory at the end', value: `${inventory} ${base}` },
    { label: 'two-sided and fresh', value: `${percentOf(sinceStart.both)}${lost === '' ? '' : `; lost: ${lost}`}` },
    { label: '  bid', value: percentOf(sinceStart.buy) },
    { label: '  ask', value: percentOf(sinceStart.sell) },
  ];
}

function historyOf(symbol: string, { report, startAt }: Backtest, { watch, records }: Played): History {
  const fills = fillsIn(records, symbol);
  const [from, to]: [EpochMs, EpochMs] = [startAt, startAt + report.virtualMs];
  const about = { symbol, from, to, level: 'second', knownFrom: from } as const;
  const columns = columnsOf(watch.pointsOf(symbol), Number.POSITIVE_INFINITY);
  return { ...about, ...columns, fills, fillsLeftOut: 0 };
}

function fillsIn(records: Iterable<JournalRecord>, symbol: string): readonly FillRow[] {
  const rows = new Map<string, FillRow>();
  for (const row of fillRowsOf([...records])) {
    const name = `${row.symbol} ${row.side} ${row.tradeId}`;
    if (row.kind === 'reversed') rows.delete(name);
    else if (row.kind === 'made' || rows.has(name)) rows.set(name, row);
  }
  return [...rows.values()].filter((row) => row.symbol === symbol);
}
