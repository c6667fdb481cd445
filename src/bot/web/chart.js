// The reference price between our own best bid and ask, as this page has seen them; fills are marked where they happened.
import { h, s } from './dom.js';
import { grouped, placesOf, rounded } from './numbers.js';
import { empty, section } from './parts.js';
import { ageText } from './times.js';

/** @import { SymbolView } from '../../trader/snapshot.ts' */
/** @import { VNode } from './dom.js' */
/** @import { Point } from './history.js' */

const WIDTH = 1_000;
const HEIGHT = 200;
const FEWEST_POINTS = 5;

/** @typedef {{ readonly x: (at: number) => number, readonly y: (price: number) => number }} Scale */

/** @param {SymbolView} symbol @param {{ history: readonly Point[] }} context @returns {VNode} */
export function chart(symbol, { history }) {
  const [first, last] = [history[0], history.at(-1)];
  const prices = history.flatMap(({ reference, bid, ask }) => [reference, bid, ask]).filter((price) => price !== null);
  if (first === undefined || last === undefined || history.length < FEWEST_POINTS || prices.length === 0) {
    return section('Price and quotes', null, empty('Drawn from what this page sees: leave it open.'));
  }
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const pad = (high - low) * 0.06 || high * 0.0001;
  /** @type {Scale} */
  const scale = {
    x: (at) => ((at - first.at) / (last.at - first.at || 1)) * WIDTH,
    y: (price) => HEIGHT - ((price - low + pad) / (high - low + 2 * pad)) * HEIGHT,
  };
  const places = placesOf(symbol.tickSize);
  const shown = (/** @type {number} */ price) => grouped(rounded(price.toFixed(8), places));
  const seen = h('span', {}, `last ${ageText(last.at - first.at)}`);
  return section(
    'Price and quotes',
    seen,
    h(
      'div',
      { class: 'chart' },
      s(
        'svg',
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          preserveAspectRatio: 'none',
          role: 'img',
          'aria-label': `Reference price of ${symbol.symbol} from ${shown(low)} to ${shown(high)}`,
        },
        s('path', { class: 'line sell', d: steps(history, 'ask', scale) }),
        s('path', { class: 'line reference', d: steps(history, 'reference', scale) }),
        s('path', { class: 'line buy', d: steps(history, 'bid', scale) }),
        symbol.recentFills
          .filter(({ venueTime, ours }) => ours && venueTime >= first.at && venueTime <= last.at)
          .map(({ venueTime, price, side }) =>
            s('path', { class: `fill ${side}`, d: marker(scale.x(venueTime), scale.y(Number(price)), side) }),
          ),
      ),
      h('span', { class: 'top' }, shown(high)),
      h('span', { class: 'bottom' }, shown(low)),
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

/** A quote holds until the next one: steps, with gaps where there was none. @param {readonly Point[]} points @param {'reference' | 'bid' | 'ask'} name @param {Scale} scale @returns {string} */
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

/** A triangle that points up where we bought. @param {number} x @param {number} y @param {'buy' | 'sell'} side @returns {string} */
function marker(x, y, side) {
  const tip = side === 'buy' ? 9 : -9;
  return `M${x.toFixed(1)} ${y.toFixed(1)}l-6 ${tip}h12z`;
}
