// The reference price between our own best bid and ask, as this page has seen them; fills are marked where they
// happened.
import { h, s } from '../dom.js';
import { grouped, placesOf, rounded } from '../numbers.js';
import { empty, section } from '../parts.js';
import { ageText, clockText } from '../times.js';

/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Point } from '../history.js' */

const WIDTH = 1_000;
const HEIGHT = 200;
const FEWEST_POINTS = 5;
/** Height of a label as a share of the chart's. */
const LABEL_SHARE = 0.14;

/** @typedef {{ readonly x: (at: number) => number, readonly y: (price: number) => number }} Scale */

/** @param {SymbolView} symbol @param {{ history: readonly Point[] }} context @returns {VNode} */
export function chart(symbol, { history }) {
  const [first, last] = [history[0], history.at(-1)];
  const prices = history.flatMap(({ reference, bid, ask }) => [reference, bid, ask]).filter((price) => price !== null);
  if (first === undefined || last === undefined || history.length < FEWEST_POINTS || prices.length === 0) {
    return section('Price and quotes', null, empty('drawn while this page is open'));
  }
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const pad = (high - low) * 0.08 || high * 0.0001;
  /** @type {Scale} */
  const scale = {
    x: (at) => ((at - first.at) / (last.at - first.at || 1)) * WIDTH,
    y: (price) => HEIGHT - ((price - low + pad) / (high - low + 2 * pad)) * HEIGHT,
  };
  const places = placesOf(symbol.tickSize);
  const shown = (/** @type {number} */ price) => grouped(rounded(price.toFixed(8), places));
  const label = `Reference price of ${symbol.symbol} from ${shown(low)} to ${shown(high)}`;
  return section(
    'Price and quotes',
    h('span', {}, `last ${ageText(last.at - first.at)}`),
    h(
      'div',
      { class: 'chart' },
      h(
        'div',
        { class: 'plot' },
        s(
          'svg',
          { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
          s('path', { class: 'line sell', d: steps(history, 'ask', scale) }),
          s('path', { class: 'line reference', d: steps(history, 'reference', scale) }),
          s('path', { class: 'line buy', d: steps(history, 'bid', scale) }),
        ),
        ...marks(symbol, { from: first.at, until: last.at, scale }),
      ),
      h('div', { class: 'axis' }, ...axisLabels(last, { low, high, scale, shown })),
    ),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'sell' }, '╌ own ask'),
      h('span', { class: 'reference' }, '— reference'),
      h('span', { class: 'buy' }, '╌ own bid'),
      h('span', {}, '▲ bought  ▼ sold'),
    ),
  );
}

/**
 * Fills where and when they happened.
 * @param {SymbolView} symbol
 * @param {{ from: number, until: number, scale: Scale }} frame
 * @returns {VNode[]}
 */
function marks({ recentFills }, { from, until, scale }) {
  return recentFills
    .filter(({ venueTime, ours }) => ours && venueTime >= from && venueTime <= until)
    .map(({ venueTime, price, side, quantity }) =>
      h(
        'span',
        {
          class: `fill ${side}`,
          title: `${side === 'buy' ? 'Bought' : 'Sold'} ${quantity} at ${grouped(price)}, ${clockText(venueTime)}`,
          '--x': scale.x(venueTime) / WIDTH,
          '--y': scale.y(Number(price)) / HEIGHT,
        },
        side === 'buy' ? '▲' : '▼',
      ),
    );
}

/**
 * The range, and the last reference price where it stands; the range gives way where they would overlap.
 * @param {Point} last
 * @param {{ low: number, high: number, scale: Scale, shown: (price: number) => string }} frame
 * @returns {VNode[]}
 */
function axisLabels({ reference }, { low, high, scale, shown }) {
  const place = (/** @type {number} */ price) => scale.y(price) / HEIGHT;
  const label = (/** @type {number} */ price, /** @type {string} */ name) =>
    h('span', { class: name, '--y': place(price) }, shown(price));
  const ends = low === high ? [high] : [high, low];
  const free = ends.filter((price) => reference === null || Math.abs(place(price) - place(reference)) > LABEL_SHARE);
  // The first label is not seen: it holds the axis as wide as its longest.
  const [longest = ''] = [...ends, reference ?? high].map(shown).sort((a, b) => b.length - a.length);
  const width = h('b', { 'aria-hidden': 'true' }, longest);
  return [width, ...free.map((price) => label(price, 'end')), ...(reference === null ? [] : [label(reference, 'now')])];
}

/**
 * A quote holds until the next one: steps, with gaps where there was none.
 * @param {readonly Point[]} points
 * @param {'reference' | 'bid' | 'ask'} name
 * @param {Scale} scale
 * @returns {string}
 */
function steps(points, name, { x, y }) {
  let path = '';
  let drawing = false;
  for (const point of points) {
    const price = point[name];
    if (price !== null)
      path += drawing
        ? `H${x(point.at).toFixed(1)}V${y(price).toFixed(1)}`
        : `M${x(point.at).toFixed(1)} ${y(price).toFixed(1)}`;
    drawing = price !== null;
  }
  return path;
}
