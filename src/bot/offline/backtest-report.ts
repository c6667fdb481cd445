// What came of a backtest: first what keeps its numbers from being believed, then the numbers.

import type { PlayReport } from '../../backtest/play.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { TapeReport } from '../../tape/types.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { type Recording, warningsOf } from '../paper/recordings.ts';
import { presenceTable } from '../status/presence-words.ts';
import { summaryLines, walletLine } from '../status/status-words.ts';

/** What stopped quoting for good, before the end. */
export interface BacktestHalt {
  /** `null`: all of them. */
  readonly symbol: string | null;
  readonly at: EpochMs;
  readonly code: string;
  /** A sentence that carries the values. */
  readonly reason: string;
}

export interface Backtest {
  readonly report: PlayReport;
  readonly seed: string;
  readonly tookMs: DurationMs;
  readonly startAt: EpochMs;
  readonly recordings: readonly Recording[];
  readonly speedFactor: number;
  /** When each symbol was halted first; under `null` when all of them were. */
  readonly haltedAt: ReadonlyMap<string | null, EpochMs>;
}

export function haltsOf({ report: { snapshot }, haltedAt }: Backtest): readonly BacktestHalt[] {
  const at = (symbol: string | null): EpochMs => haltedAt.get(symbol) ?? snapshot.at;
  const { latched, symbols } = snapshot;
  return [
    ...(latched === null ? [] : [{ symbol: null, at: at(null), code: 'kill-latch', reason: latched }]),
    ...symbols.flatMap(({ symbol, risk: { halt } }) =>
      halt === null ? [] : [{ symbol, at: at(symbol), code: halt.code, reason: halt.reason }],
    ),
  ];
}

function warningsIn({ report: { snapshot }, recordings, speedFactor }: Backtest): readonly string[] {
  const fills = snapshot.symbols.reduce((sum, { fills: { buys, sells } }) => sum + buys + sells, 0);
  const scaled = recordings.length > 0 && speedFactor !== 1;
  return [
    ...warningsOf(recordings),
    ...(fills > 0 ? [] : [wasQuoted(snapshot) ? 'No order was filled.' : notQuoted(snapshot)]),
    ...(scaled ? [`paper.speedFactor is ${speedFactor}: only with 1 are the times those of the recording.`] : []),
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
    halted: haltsOf(backtest),
    warnings: warningsIn(backtest),
    seed,
    from: startAt,
    to: startAt + virtualMs,
    recordings: recordings.map(({ symbol, trades, books }) => ({
      symbol,
      recordedSymbol: (trades.symbol ?? books.symbol)?.text ?? null,
      trades: partOf(trades),
      books: partOf(books),
    })),
    flat,
    virtualMs,
    journalRecords,
    journalHash,
    symbols,
    assets,
    requests,
  };
}

/** Times in milliseconds, as everywhere else in the report. */
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

/** Halts first, then what else keeps it from being believed. */
export const backtestCaveats = (backtest: Backtest): readonly string[] => [
  ...haltsOf(backtest).map(haltLine),
  ...warningsIn(backtest),
];

export function seedLine({ report, seed, tookMs, startAt }: Backtest): string {
  const seconds = (ms: DurationMs, digits: number): string => (ms / 1_000).toFixed(digits);
  const market = `${seconds(report.virtualMs, 0)} s of the market, from ${iso(startAt)} on`;
  return `Seed ${seed}: ${market}, in ${seconds(tookMs, 1)} s.`;
}

export const iso = (at: EpochMs): string => new Date(at).toISOString();

function haltLine({ symbol, at, reason }: BacktestHalt): string {
  return `HALTED: from ${iso(at)} on ${symbol ?? 'every symbol'} is halted: ${reason}`;
}

function recordingLine({ symbol, trades, books }: Recording): string {
  const text = (trades.symbol ?? books.symbol)?.text ?? 'an unnamed symbol';
  const played = ({ played, rows }: TapeReport): string => (played === rows ? `${rows}` : `${played} of ${rows}`);
  return `${symbol} is the recording of ${text}: ${played(trades)} trades, ${played(books)} books.`;
}
