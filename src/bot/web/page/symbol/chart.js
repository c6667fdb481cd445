// Places of a symbol's charts; plots.js draws them.
import { h } from '../dom.js';
import { empty, section } from '../parts.js';
import { ageText } from '../times.js';

/** @import { Course } from '../history.js' */

const FEWEST_POINTS = 2;

/** @typedef {'price' | 'spread' | 'inventory' | 'profit'} PlotKind */

/** @type {readonly (readonly [kind: PlotKind, title: string])[]} */
const SMALL = [
  ['spread', 'Spread, bps'],
  ['inventory', 'Inventory'],
  ['profit', 'Profit and loss'],
];

/**
 * `isOver`: no more points will come.
 * @param {string} symbol
 * @param {Course} course
 * @param {boolean} isOver
 */
export function charts(symbol, { times }, isOver) {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length < FEWEST_POINTS)
    return section(
      'Price and quotes',
      null,
      empty(isOver ? 'Nothing is kept that could be drawn.' : 'Drawn in a moment.'),
    );
  return section(
    'Price and quotes',
    h('span', {}, `last ${ageText(last - first)}`),
    plot(symbol, 'price', `Price and own quotes of ${symbol}`),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'sell' }, '┅ own ask'),
      h('span', { class: 'reference' }, '— reference'),
      h('span', { class: 'buy' }, '┅ own bid'),
      h('span', {}, '┈ market'),
      h('span', {}, '▲ bought  ▼ sold'),
    ),
    h(
      'div',
      { class: 'plots' },
      ...SMALL.map(([kind, title]) =>
        h(
          'figure',
          {},
          h('figcaption', {}, title, kind === 'spread' ? h('span', { class: 'aside' }, ' ┅ own ┈ market') : null),
          plot(symbol, kind, `${title} of ${symbol}`),
        ),
      ),
    ),
  );
}

/** @param {string} symbol @param {PlotKind} kind @param {string} label */
const plot = (symbol, kind, label) =>
  h('div', { class: `plot ${kind}`, 'data-plot': kind, 'data-of': symbol, role: 'img', 'aria-label': label });
