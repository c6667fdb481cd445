// A page that stands alone: one file with its style, its script and its data, which asks nothing of any network. What
// `report` and `backtest` write.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageRow {
  /** Two spaces before it: a part of the row above. */
  readonly label: string;
  readonly value: string;
}

export interface ChartSeries {
  readonly label: string;
  readonly role: 'buy' | 'sell' | 'reference' | 'market' | 'plain';
  /** It holds until the next value. */
  readonly isSteps: boolean;
  readonly isDashed: boolean;
  /** As many as there are times; null is a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

export interface Chart {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
}

export interface PageSection {
  readonly title: string;
  readonly rows: readonly PageRow[];
  readonly charts: readonly Chart[];
}

export interface HtmlPage {
  readonly title: string;
  /** Under the title, what it is of. */
  readonly about: readonly string[];
  /** What must be known before a figure is believed. */
  readonly warnings: readonly string[];
  readonly timeZone: string;
  readonly sections: readonly PageSection[];
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function htmlPage({ title, about, warnings, timeZone, sections }: HtmlPage): string {
  const charts = sections.flatMap((section) => section.charts).filter(isDrawn);
  const data = { timeZone, charts: charts.map(chartData) };
  const numberOf = new Map(charts.map((chart, index) => [chart, index]));
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<style>${libraryText('uPlot.min.css')}${ownText('page.css')}</style></head>`,
    `<body><header><h1>${escaped(title)}</h1>`,
    ...about.map((line) => `<p class="dim">${escaped(line)}</p>`),
    ...warnings.map((line) => `<p class="warning">${escaped(line)}</p>`),
    '</header><main>',
    ...sections.map((section) => sectionHtml(section, numberOf)),
    '</main>',
    ...(charts.length === 0 ? [] : scripts(data)),
    '</body></html>',
    '',
  ].join('\n');
}

/** A line of less than two points is none. */
const isDrawn = ({ times }: Chart): boolean => times.length > 1;

function scripts(data: object): readonly string[] {
  return [
    // In a script nothing is escaped: a `<` of its own could end it.
    `<script type="application/json" id="charts-data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    `<script>${libraryText('uPlot.iife.min.js')}</script>`,
    `<script>${ownText('charts.js')}</script>`,
  ];
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const ownText = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');
const libraryText = (name: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(`uplot/dist/${name}`)), 'utf8');
