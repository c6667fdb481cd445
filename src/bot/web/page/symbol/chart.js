// Places of a symbol's charts; plots.js draws them.
import { h } from '../dom.js';
import { counted } from '../numbers.js';
import { empty, section } from '../parts.js';
import { ageText, clockText, dayText } from '../times.js';
import { candleMs, isCandles, rangeOf, SPANS, viewOf } from './view.js';

/** @import { Course } from '../history.js' */

const FEWEST_POINTS = 2;
const KEYS = 'Arrows move, + and - zoom, 0 returns; drag or pinch to zoom.';

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
export function charts(symbol, course, isOver) {
  const { times, fillsLeftOut } = course;
  const view = viewOf(symbol);
  if (times.length < FEWEST_POINTS && view.to === null)
    return section(
      'Price and quotes',
      null,
      empty(isOver ? 'Nothing is kept that could be drawn.' : 'Drawn in a moment.'),
    );
  const range = rangeOf(view, course);
  return section(
    'Price and quotes',
    h('span', {}, spanWords(range, view.to === null)),
    choices(symbol, view),
    plot(symbol, 'price', `Price and own quotes of ${symbol}`),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'sell' }, '┅ own ask'),
      h('span', {}, isCandles() ? `▯ rise ▮ fall of the reference in ${ageText(candleMs(range))}` : '— reference'),
      h('span', { class: 'buy' }, '┅ own bid'),
      h('span', {}, '┈ market'),
      h('span', {}, '▲ bought  ▼ sold'),
      fillsLeftOut === 0 ? null : h('span', {}, `${counted(fillsLeftOut, 'older fill')} not marked`),
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

/** @param {import('./view.js').Range} range @param {boolean} follows */
function spanWords({ from, to }, follows) {
  const words = (/** @type {number} */ at) => `${dayText(at * 1_000)} ${clockText(at * 1_000)}`;
  return follows ? `last ${ageText((to - from) * 1_000)}` : `${words(from)} to ${words(to)}`;
}

/** @param {string} symbol @param {import('./view.js').View} view */
const choices = (symbol, { spanMs, to }) =>
  h(
    'p',
    { class: 'choices' },
    ...SPANS.map(([name, ms]) =>
      h(
        'button',
        { type: 'button', 'data-span': ms, 'data-of': symbol, 'aria-pressed': String(to === null && ms === spanMs) },
        name,
      ),
    ),
    h('button', { type: 'button', 'data-candles': '', 'aria-pressed': String(isCandles()) }, 'Candles'),
  );

/** @param {string} symbol @param {PlotKind} kind @param {string} label */
const plot = (symbol, kind, label) =>
  h('div', {
    ...{ class: `plot ${kind}`, 'data-plot': kind, 'data-of': symbol, role: 'img', 'aria-label': label },
    ...{ tabindex: 0, title: KEYS },
  });
