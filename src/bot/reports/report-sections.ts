// A report as headings and rows: terminal and page show the same words and figures.
import { grouped } from '../../domain/decimal.ts';
import { timeText } from '../../domain/time-text.ts';
import { NO_VALUE, negateValue, subtractValue, type Value } from '../../ledger/amount.ts';
import type { TimeShare } from '../../trader/presence/presence.ts';
import { inColumns } from '../base/columns.ts';
import { writePage } from '../base/durable-file.ts';
import { duration } from '../base/message.ts';
import { shownValue } from '../books/rounding.ts';
import { type Chart, historyCharts, htmlPage, type PageSection, type PageRow as Row } from '../html/html-page.ts';
import type { MemoryReader } from '../memory/read-memory.ts';
import { lostWords, percentOf } from '../status/status-words.ts';
import type { MarkoutSum, QuoteReport, Report, SymbolReport } from './report.ts';

type Section = Omit<PageSection, 'charts'>;

const UNKNOWN = 'not known';
const money = (value: Value | null, asset: string): string =>
  value === null ? UNKNOWN : `${grouped(shownValue(value, asset))} ${asset}`;

export function reportSections(report: Report): readonly Section[] {
  return [
    ...report.totals.map(totalSection),
    flowSection(report),
    ...report.symbols.map((symbol) => symbolSection(symbol, report)),
    ...requestSection(report),
    ...peopleSection(report),
  ].filter(({ rows }) => rows.length > 0);
}

function reportTitle({ period }: Report): string {
  const days = period.firstDay === period.lastDay ? period.firstDay : `${period.firstDay} to ${period.lastDay}`;
  return `Report of ${period.name}: ${days}, ${period.timeZone}`;
}

/** Caveats about the figures. */
function reportCaveats({ period, until, rememberedFrom, whole }: Report): readonly string[] {
  return [
    ...(whole ? [] : ['Records of money are missing: `statement` says which. The figures are of those that are left.']),
    ...(until < period.to ? [`The period is not over: this is until ${timeText(until)}.`] : []),
    ...(rememberedFrom === null
      ? ['There is no recorded history: prices, time in the market and requests are not known.']
      : rememberedFrom > period.from
        ? [`Prices, time in the market and requests are known from ${timeText(rememberedFrom)} on.`]
        : []),
  ];
}

function totalSection({ quote, symbols, trades, volume, profit, equity }: QuoteReport): Section {
  return {
    title: `Total in ${quote}, of ${symbols.join(', ')}`,
    rows: [
      ...profitRows(profit, quote),
      { label: 'fills', value: `${trades}, for ${money(volume, quote)}` },
      { label: 'equity at the beginning', value: money(equity.begin, quote) },
      { label: 'equity at the end', value: money(equity.end, quote) },
    ],
  };
}

type Profit = Omit<QuoteReport['profit'], 'taxAsCost'> & Partial<Pick<QuoteReport['profit'], 'taxAsCost'>>;

/** Parts with their signs, as on the page: they add up. */
function profitRows(profit: Profit, quote: string): readonly Row[] {
  return [
    { label: 'profit', value: money(profit.total, quote) },
    { label: '  spread', value: money(profit.spread, quote) },
    { label: '  inventory', value: money(profit.inventory, quote) },
    { label: '  fees', value: money(negateValue(profit.fees), quote) },
    ...taxRows(profit, quote),
  ];
}

/** Tax included in the profit, which it lowers, and tax that is not; a total may have both, if its symbols differ. */
function taxRows({ taxWithheld, taxInTotal, taxAsCost = taxWithheld }: Profit, quote: string): readonly Row[] {
  const asCost = { label: '  tax withheld', value: money(negateValue(taxAsCost), quote) };
  const apart = subtractValue(taxWithheld, taxInTotal === false ? NO_VALUE : taxAsCost);
  return [
    ...(taxInTotal === false ? [] : [asCost]),
    ...(taxInTotal === true ? [] : [{ label: '  tax withheld, not in the profit', value: money(apart, quote) }]),
  ];
}

function symbolSection(report: SymbolReport, { rememberedFrom }: Report): Section {
  const { symbol, base, quote, fills, profit, prices, inventory, halts, locks } = report;
  return {
    title: symbol,
    rows: [
      ...profitRows(profit, quote),
      {
        label: 'bought',
        value: `${fillCount(fills.buys)}, ${grouped(fills.bought)} ${base} for ${grouped(fills.boughtFor)} ${quote}`,
      },
      {
        label: 'sold',
        value: `${fillCount(fills.sells)}, ${grouped(fills.sold)} ${base} for ${grouped(fills.soldFor)} ${quote}`,
      },
      { label: 'price at the beginning', value: priceText(prices.begin, quote) },
      { label: 'price at the end', value: priceText(prices.end, quote) },
      { label: 'inventory', value: `${grouped(inventory.begin)} to ${grouped(inventory.end)} ${base}` },
      { label: '  largest', value: `${grouped(inventory.largest)} ${base}, ${timeText(inventory.largestAt)}` },
      ...(rememberedFrom === null ? [] : rememberedRows(report)),
      { label: 'halts, locks', value: `${halts}, ${locks}` },
    ],
  };
}

const fillCount = (count: number): string => `${count} ${count === 1 ? 'fill' : 'fills'}`;

/** Changes of equity other than profit. */
const flowSection = ({ flows }: Report): Section => ({
  title: 'Changes other than the bot’s trades',
  rows: flows.map(({ asset, line, amount }) => ({
    label: line.replaceAll('-', ' '),
    value: `${grouped(amount)} ${asset}`,
  })),
});

const priceText = (known: SymbolReport['prices']['end'], quote: string): string =>
  known === null ? UNKNOWN : `${grouped(known.price)} ${quote}, by the ${known.from} of ${timeText(known.at)}`;

function rememberedRows({ watchedMs, spread, presence, markouts }: SymbolReport): readonly Row[] {
  const bps = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} bps`);
  const meanwhile = `the market ${bps(spread.marketWhileQuotedBps)} meanwhile, ${bps(spread.marketBps)} in all`;
  return [
    { label: 'the bot ran', value: duration(watchedMs) },
    { label: 'spread quoted', value: `${bps(spread.quotedBps)}; ${meanwhile}` },
    { label: 'two-sided and fresh', value: shareText(presence.both) },
    { label: '  bid', value: shareText(presence.buy) },
    { label: '  ask', value: shareText(presence.sell) },
    ...markouts.map(markoutRow),
  ];
}

function shareText(share: TimeShare): string {
  const lost = lostWords(share);
  return `${percentOf(share)}${lost === '' ? '' : `; lost: ${lost}`}`;
}

const markoutRow = ({ side, horizon, fills, bps }: MarkoutSum): Row => ({
  label: `markout ${side} ${horizon} s`,
  value: `${bps === null ? '–' : `${bps.toFixed(1)} bps`}, ${fillCount(fills)}`,
});

function requestSection({ requests, refused, purposes }: Report): readonly Section[] {
  const sum = requests.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return [];
  const row = (label: string, count: number): Row => ({ label, value: `${count}` });
  return [
    {
      title: 'Requests',
      rows: [
        row('all', sum),
        ...refused.map(({ lane, status, count }) => row(`  refused with ${status}, ${lane}`, count)),
        ...requests.map(({ lane, endpoint, outcome, count }) => row(`  ${lane} ${endpoint}: ${outcome}`, count)),
      ],
    },
    {
      title: 'What requests were for',
      rows: purposes.map(({ lane, purpose, count }) => row(`${lane}: ${purpose}`, count)),
    },
  ];
}

const SHOWN = 50;

function peopleSection({ notices, holds, messages }: Report): readonly Section[] {
  const told = [...holds, ...messages].sort((a, b) => a.at - b.at);
  const last = told.slice(-SHOWN).map(({ at, op, symbol, message }) => ({
    label: timeText(at),
    value: `${symbol === null ? '' : `${symbol}: `}${op}: ${message}`,
  }));
  const grave = notices.filter(({ level }) => level === 'warn' || level === 'page');
  return [
    {
      title: 'Messages for people',
      rows: grave.map(({ level, op, count }) => ({ label: `${level} ${op}`, value: `${count}` })),
    },
    {
      title:
        told.length > SHOWN
          ? `The last ${SHOWN} of ${told.length} halts, locks and messages`
          : 'Halts, locks and messages',
      rows: last,
    },
  ];
}

const LABEL = 40;

export function reportText(report: Report): readonly string[] {
  return [
    `${reportTitle(report)}.`,
    ...reportCaveats(report),
    ...reportSections(report).flatMap(({ title, rows }) => [
      '',
      title,
      ...inColumns(rows.map(({ label, value }) => [label.padEnd(LABEL), value])).map((line) => `  ${line}`),
    ]),
  ];
}

// A report as a self-contained page, with charts of the recorded history.

interface About {
  readonly account: string;
  readonly reader: MemoryReader | null;
  readonly now: number;
}

/** About as many as a screen has columns. */
const POINTS = 1_200;

/** Throws `StartError` (73) if the file can't be written. */
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
