// A self-contained page: one file with its style, script and data, which makes no network requests. Written by `report`
// and `backtest`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Instrument } from '../../domain/instrument.ts';
import { plainText } from '../../domain/text.ts';
import type { History } from '../memory/history.ts';
import type { FillRow, Sample } from '../memory/rows.ts';

export interface PageRow {
  /** Two leading spaces: a part of the row above. */
  readonly label: string;
  readonly value: string;
}

export interface ChartSeries {
  readonly label: string;
  readonly role: 'buy' | 'sell' | 'reference' | 'market' | 'plain';
  /** The value holds until the next one. */
  readonly isSteps: boolean;
  readonly isDashed: boolean;
  /** One per time; null is a gap. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly marks: readonly Pick<FillRow, 'at' | 'price' | 'side'>[];
}

export interface PageSection {
  readonly title: string;
  readonly rows: readonly PageRow[];
  readonly charts: readonly Chart[];
}

export interface HtmlPage {
  readonly title: string;
  /** Lines under the title: what the page covers. */
  readonly about: readonly string[];
  /** Caveats to read before trusting a figure. */
  readonly warnings: readonly string[];
  readonly timeZone: string;
  readonly sections: readonly PageSection[];
}

/** The page runs only its own scripts and styles, known by their hashes, even if others were injected. */
function policyOf(styles: readonly string[], scripts: readonly string[]): string {
  const hashes = (texts: readonly string[]): string =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  const own = `style-src ${hashes(styles)}; script-src ${hashes(scripts)}`;
  return `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'`;
}

export function htmlPage({ title, about, warnings, timeZone, sections }: HtmlPage): string {
  const charts = sections.flatMap((section) => section.charts).filter(isDrawn);
  const data = { timeZone, charts: charts.map(chartData) };
  const numberOf = new Map(charts.map((chart, index) => [chart, index]));
  const style = libraryText('uPlot.min.css') + ownText('page.css');
  const scripts = [libraryText('uPlot.iife.min.js'), ownText('charts.js')];
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf([style], scripts)}">`,
    `<style>${style}</style></head>`,
    `<body><header><h1>${escaped(title)}</h1>`,
    ...about.map((line) => `<p class="dim">${escaped(line)}</p>`),
    ...warnings.map((line) => `<p class="warning">${escaped(line)}</p>`),
    '</header><main>',
    ...sections.map((section) => sectionHtml(section, numberOf)),
    '</main>',
    ...(charts.length === 0 ? [] : [dataBlock(data), ...scripts.map((script) => `<script>${script}</script>`)]),
    '</body></html>',
    '',
  ].join('\n');
}

/** A line needs at least two points. */
const isDrawn = ({ times }: Chart): boolean => times.length > 1;

/** Nothing is escaped inside a script: a `<` in the data could end it. */
function dataBlock(data: object): string {
  const text = plainText(JSON.stringify(data)).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="charts-data">${text}</script>`;
}

function chartData({ times, series, marks }: Chart): object {
  const seconds = (at: number): number => at / 1_000;
  return {
    times: times.map(seconds),
    series: series.map(({ values: _values, ...about }) => about),
    columns: series.map(({ values }) => values),
    marks: marks.map(({ at, price, side }) => ({ at: seconds(at), price, side })),
  };
}

function sectionHtml({ title, rows, charts }: PageSection, numberOf: ReadonlyMap<Chart, number>): string {
  const drawn = charts.map((chart) => {
    const number = numberOf.get(chart);
    const head = `<h3>${escaped(chart.title)}</h3>`;
    const place = `<div class="chart" data-chart="${number}" role="img" aria-label="${escaped(chart.title)}"></div>`;
    return `${head}${number === undefined ? '<p class="dim">Nothing was seen in this time.</p>' : place}`;
  });
  const lines = rows.map(({ label, value }) => {
    const part = label.startsWith('  ') ? ' class="part"' : '';
    return `<tr><th scope="row"${part}>${escaped(label.trim())}</th><td>${escaped(value)}</td></tr>`;
  });
  const table = lines.length === 0 ? '' : `<table><tbody>${lines.join('')}</tbody></table>`;
  return `<section><h2>${escaped(title)}</h2>${table}${drawn.join('')}</section>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};
const escaped = (text: string): string => plainText(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const ownText = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');
const libraryText = (name: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(`uplot/dist/${name}`)), 'utf8');

// The recorded history of a symbol as charts: the price between own quotes, with fills; inventory; money.

type Look = Omit<ChartSeries, 'values'> & { readonly column: keyof Sample };

const line = { isSteps: false, isDashed: false } as const;
const steps = { ...line, isSteps: true } as const;

const PRICE: readonly Look[] = [
  { column: 'marketBid', label: 'market bid', role: 'market', ...steps },
  { column: 'marketAsk', label: 'market ask', role: 'market', ...steps },
  { column: 'reference', label: 'reference', role: 'reference', ...line },
  { column: 'ownBid', label: 'own bid', role: 'buy', isSteps: true, isDashed: true },
  { column: 'ownAsk', label: 'own ask', role: 'sell', isSteps: true, isDashed: true },
];

export function historyCharts(history: History, { base, quote }: Pick<Instrument, 'base' | 'quote'>): readonly Chart[] {
  const { fills } = history;
  const left = history.fillsLeftOut === 0 ? '' : `; ${history.fillsLeftOut} older fills are not marked`;
  return [
    chart(history, `Price and own quotes in ${quote}; ▲ bought, ▼ sold${left}`, PRICE, fills),
    chart(history, `Inventory in ${base}`, [{ column: 'inventory', label: 'inventory', role: 'plain', ...steps }], []),
    chart(history, `Profit in ${quote}`, [{ column: 'profit', label: 'profit', role: 'plain', ...line }], []),
    chart(history, `Equity in ${quote}`, [{ column: 'equity', label: 'equity', role: 'plain', ...line }], []),
  ];
}

const chart = (history: History, title: string, looks: readonly Look[], marks: Chart['marks']): Chart => ({
  ...{ title, times: history.times, marks },
  series: looks.map(({ column, ...look }) => ({ ...look, values: history[column] })),
});
