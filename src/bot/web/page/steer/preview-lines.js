// What would change, as the bot's lines say it: a table among them becomes one that fits the screen it is read on.
import { h } from '../dom.js';
import { table } from '../parts.js';

/** @import { VNode } from '../dom.js' */

const BETWEEN_CELLS = / {2,}/;
const FEWEST_COLUMNS = 3;

/** @param {readonly string[]} lines @returns {VNode[]} */
export function previewLines(lines) {
  /** @type {VNode[]} */
  const shown = [];
  for (let index = 0; index < lines.length; index += 1) {
    const titles = cellsOf(lines[index]);
    const rows = titles.length < FEWEST_COLUMNS ? [] : rowsUnder(titles, lines.slice(index + 1));
    shown.push(rows.length === 0 ? h('p', { class: 'line' }, lines[index] ?? '') : quotesTable(titles, rows));
    index += rows.length;
  }
  return shown;
}

const cellsOf = (line = '') => line.trim().split(BETWEEN_CELLS);

/**
 * A row has a name, which the line of titles has none for.
 * @param {string[]} titles
 * @param {readonly string[]} lines
 */
function rowsUnder(titles, lines) {
  const rows = lines.map(cellsOf);
  const end = rows.findIndex((cells) => cells.length !== titles.length + 1);
  return end === -1 ? rows : rows.slice(0, end);
}

/** @param {string[]} titles @param {string[][]} rows */
const quotesTable = (titles, rows) =>
  table({
    label: 'Quotes of now and those that would be',
    columns: ['', ...titles].map((name) => ({ name, number: name !== '' })),
    rows: rows.map((cells) => ({ cells })),
  });
