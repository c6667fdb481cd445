// Elements that several parts of the page share.
import { h } from './dom.js';
import { ageText, agoText, momentText } from './times.js';

/** @import { Child, VNode } from './dom.js' */

/**
 * @typedef {{
 *   readonly name: string, readonly number?: boolean, readonly title?: string, readonly wide?: boolean
 * }} Column
 * @typedef {{
 *   readonly text: Child | readonly Child[], readonly title?: string | null, readonly class?: string | null
 * }} Cell
 * @typedef {{ readonly cells: readonly (Cell | string)[], readonly class?: string | null }} Row
 */

/**
 * A heading with the time of the content below it.
 * @param {string} title
 * @param {VNode | null} aside
 * @param {...Child} children
 * @returns {VNode}
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
 * @returns {VNode}
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
 * @param {{ columns: readonly Column[], rows: readonly Row[], label: string, class?: string }} table
 * @returns {VNode}
 */
export function table({ columns, rows, label, class: name = '' }) {
  const alignment = columns.map(
    (column) => [column.number ? 'number' : '', column.wide ? 'wide' : ''].join(' ').trim() || null,
  );
  const head = columns.map((column, index) =>
    h('th', { scope: 'col', class: alignment[index] ?? null, title: column.title ?? null }, column.name),
  );
  const body = rows.map((row) =>
    h(
      'tr',
      { class: row.class ?? null },
      row.cells.map((cell, index) => cellOf(cell, { alignment: alignment[index] ?? null, column: columns[index] })),
    ),
  );
  return h(
    'div',
    { class: `scroll ${name}`.trim(), tabindex: 0, role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, body)),
  );
}

/**
 * On a screen too narrow for columns, a number is shown with its name.
 * @param {Cell | string} cell
 * @param {{ alignment: string | null, column: Column | undefined }} place
 * @returns {VNode}
 */
function cellOf(cell, { alignment, column }) {
  const label = column?.number ? h('span', { class: 'label' }, `${column.name} `) : null;
  if (typeof cell === 'string') return h('td', { class: alignment }, label, cell);
  const classes = [alignment, cell.class].filter(Boolean).join(' ');
  return h('td', { class: classes === '' ? null : classes, title: cell.title ?? null }, label, cell.text);
}

/** Replaces missing content: why there is none, and what to do. @param {...Child} children @returns {VNode} */
export const empty = (...children) => h('p', { class: 'empty' }, ...children);

/**
 * A named figure.
 * @param {string} name
 * @param {Child | readonly Child[]} value
 * @param {...Child} notes
 * @returns {VNode}
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

/** A unit, less prominent than its number. @param {string} text @returns {VNode} */
export const unit = (text) => h('span', { class: 'unit' }, ` ${text}`);
