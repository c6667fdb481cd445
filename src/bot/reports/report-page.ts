// A report as a page of its own, with charts of what is remembered.
import type { Report, SymbolReport } from '../../reports/report.ts';
import { writePage } from '../base/write-page.ts';
import { historyCharts } from '../html/history-charts.ts';
import { type Chart, htmlPage } from '../html/html-page.ts';
import type { MemoryReader } from '../memory/read-memory.ts';
import { reportCaveats, reportSections, reportTitle } from './report-sections.ts';

interface About {
  readonly account: string;
  readonly reader: MemoryReader | null;
  readonly now: number;
}

/** As many as a screen has columns. */
const POINTS = 1_200;

/** Throws `StartError` (73) where the file can't be written. */
export function writeReportPage(file: string, report: Report, { account, reader, now }: About): void {
  const { period, symbols } = report;
  const charts = new Map(symbols.map((symbol) => [symbol.symbol, chartsOf(symbol, report, { reader, now })]));
  const text = htmlPage({
    title: reportTitle(report),
    about: [account, ...(symbols.length === 0 ? [] : [`Times of charts are of ${period.timeZone}.`])],
    warnings: reportCaveats(report),
    timeZone: period.timeZone,
    sections: reportSections(report).map((section) => ({ ...section, charts: charts.get(section.title) ?? [] })),
  });
  writePage(file, text);
}

function chartsOf(
  symbol: SymbolReport,
  { period: { from, to } }: Report,
  { reader, now }: Pick<About, 'reader' | 'now'>,
): readonly Chart[] {
  if (reader === null) return [];
  const history = reader.history({ symbol: symbol.symbol, from, to, points: POINTS, now });
  return historyCharts(history, symbol);
}
