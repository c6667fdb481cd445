// Elements that several parts of the page share.
import { h } from './dom.js';
import { ageText, agoText, momentText } from './times.js';

/** @import { Verdict } from '../../../trader/status/standing.ts' */
/** @import { Child, VNode } from './dom.js' */

/**
 * @typedef {{
 *   readonly text: Child | readonly Child[], readonly title?: string | null, readonly class?: string | null
 * }} Cell
 */
/**
 * @template Row
 * @typedef {{
 *   readonly name: string, readonly number?: boolean, readonly title?: string, readonly wide?: boolean,
 *   readonly cell: (row: Row) => Cell | string,
 * }} Column
 */

/**
 * A heading with the time of the content below it.
 * @param {string} title
 * @param {VNode | null} aside
 * @param {...Child} children
 */
export const section = (title, aside, ...children) =>
  h(
    'section',
    { class: 'section' },
    h('h3', {}, title, aside === null ? null : h('span', { class: 'aside' }, aside)),
    ...children,
  );

/**
 * Age in words, marked if it exceeds the limit.
 * @param {number | null} at
 * @param {{ now: number, limitMs?: number }} clock
 */
export function age(at, { now, limitMs = Number.POSITIVE_INFINITY }) {
  const old = at !== null && now - at > limitMs;
  const title =
    at === null ? null : `${momentText(at)}${Number.isFinite(limitMs) ? `; may be ${ageText(limitMs)} old` : ''}`;
  return h(
    'time',
    { class: old ? 'age old' : 'age', title },
    old ? `▲ ${agoText(at, now)}, too old` : agoText(at, now),
  );
}

/**
 * @template Row
 * @param {{
 *   columns: readonly Column<Row>[], rows: readonly Row[], label: string, class?: string,
 *   classOf?: (row: Row) => string | null,
 * }} table
 * @returns {VNode}
 */
export function table({ columns, rows, label, class: name = '', classOf = () => null }) {
  const head = columns.map((column) =>
    h('th', { scope: 'col', class: alignmentOf(column), title: column.title ?? null }, column.name),
  );
  const body = rows.map((row) =>
    h(
      'tr',
      { class: classOf(row) },
      columns.map((column) => cellOf(column, row)),
    ),
  );
  return h(
    'div',
    { class: `scroll ${name}`.trim(), tabindex: 0, role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, body)),
  );
}

/** @param {Pick<Column<never>, 'number' | 'wide'>} column */
const alignmentOf = ({ number, wide }) => [number && 'number', wide && 'wide'].filter(Boolean).join(' ') || null;

/**
 * On a screen too narrow for columns, a number is shown with its name.
 * @template Row
 * @param {Column<Row>} column
 * @param {Row} row
 */
function cellOf(column, row) {
  const cell = column.cell(row);
  const { text, title = null, class: tone } = typeof cell === 'string' ? { text: cell } : cell;
  const label = column.number ? h('span', { class: 'label' }, `${column.name} `) : null;
  return h('td', { class: [alignmentOf(column), tone].filter(Boolean).join(' ') || null, title }, label, text);
}

/** Replaces missing content: why there is none, and what to do. @param {...Child} children @returns {VNode} */
export const empty = (...children) => h('p', { class: 'empty' }, ...children);

/**
 * A named figure.
 * @param {string} name
 * @param {Child | readonly Child[]} value
 * @param {...Child} notes
 */
export const figure = (name, value, ...notes) =>
  h(
    'div',
    { class: 'figure' },
    h('dt', {}, name),
    h(
      'dd',
      {},
      h('span', { class: 'value' }, value),
      ...notes.map((note) => (note === null ? null : h('span', { class: 'note' }, note))),
    ),
  );

/** @param {'buy' | 'sell'} side @returns {VNode} */
export const sideWord = (side) => h('span', { class: side }, side === 'buy' ? 'Buy' : 'Sell');

/** The glyph replaces the color where there is none. @type {Readonly<Record<Verdict['tone'], string>>} */
const GLYPHS = { good: '●', calm: '○', warn: '▲', stop: '■' };

/** @param {Verdict['tone']} tone @returns {VNode} */
export const glyph = (tone) => h('span', { class: 'glyph', 'aria-hidden': 'true' }, GLYPHS[tone]);

/** @param {Verdict} verdict @returns {VNode} */
export const stateWord = ({ tone, word }) => h('span', { class: `state-word ${tone}` }, glyph(tone), ` ${word}`);

/** A unit, less prominent than its number. @param {string} text @returns {VNode} */
export const unit = (text) => h('span', { class: 'unit' }, ` ${text}`);
