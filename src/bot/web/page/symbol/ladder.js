// The order book as last read: asks above, bids below, own orders marked in place.
import { h } from '../dom.js';
import { amount, bps, difference, placesOf, signed, sum } from '../numbers.js';
import { age, empty, section } from '../parts.js';

/** @import { OrderView, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */

/**
 * One line of the ladder. `size` is null if an own order's price is not among the shown levels.
 * @typedef {{
 *   readonly price: string,
 *   readonly size: string | null,
 *   readonly own: string | null,
 *   readonly states: readonly string[],
 * }} Rung
 */

/** From the highest to the lowest price. @param {SymbolView} symbol @param {'buy' | 'sell'} side @returns {Rung[]} */
export function rungsOf(symbol, side) {
  const levels = side === 'buy' ? symbol.bids : symbol.asks;
  const orders = symbol.orders.filter((order) => order.side === side);
  const prices = new Set([...levels, ...orders].map(({ price }) => price));
  return [...prices].sort((a, b) => Number(b) - Number(a)).map((price) => rungAt(price, levels, orders));
}

/**
 * @param {string} price
 * @param {readonly { price: string, quantity: string }[]} levels
 * @param {readonly OrderView[]} orders
 * @returns {Rung}
 */
function rungAt(price, levels, orders) {
  const here = orders.filter((order) => order.price === price);
  const left = here.map(({ quantity, filled }) => difference(quantity, filled));
  return {
    price,
    size: levels.find((level) => level.price === price)?.quantity ?? null,
    own: here.length === 0 ? null : left.reduce(sum),
    states: here.map(({ state }) => state).filter((state) => state !== 'open'),
  };
}

/** @param {SymbolView} symbol @param {{ now: number, limitMs: number }} clock @returns {VNode} */
export function ladder(symbol, clock) {
  const aside = age(symbol.bookSentAt, clock);
  if (symbol.bookSentAt === null) {
    return section(
      'Order book',
      aside,
      empty('The book has not been read yet: it is the first thing the bot asks for.'),
    );
  }
  const asks = rungsOf(symbol, 'sell');
  const bids = rungsOf(symbol, 'buy');
  const largest = Math.max(...[...asks, ...bids].map(({ size }) => Number(size ?? 0)), 0);
  /** @param {Rung} rung @param {'buy' | 'sell'} side @returns {VNode} */
  const line = (rung, side) => rungLine(rung, { symbol, side, largest });
  const head = ['Own', 'Size', 'Price', 'Away'].map((name) => h('th', { scope: 'col', class: 'number' }, name));
  const none = (/** @type {string} */ side) => h('tr', {}, h('td', { colspan: 4, class: 'none' }, `No ${side}s.`));
  return section(
    'Order book',
    aside,
    h(
      'table',
      { class: 'ladder' },
      h('thead', {}, h('tr', {}, head)),
      h('tbody', {}, asks.length === 0 ? none('ask') : asks.map((rung) => line(rung, 'sell'))),
      h('tbody', {}, middle(symbol)),
      h('tbody', {}, bids.length === 0 ? none('bid') : bids.map((rung) => line(rung, 'buy'))),
    ),
  );
}

/** @param {Rung} rung @param {{ symbol: SymbolView, side: 'buy' | 'sell', largest: number }} context */
function rungLine({ price, size, own, states }, { symbol, side, largest }) {
  const lots = placesOf(symbol.lotSize);
  const share = size === null || largest === 0 ? 0 : Number(size) / largest;
  const note = size === null ? 'Not among the levels that were read last.' : null;
  const title = [note, ...states.map((state) => `Order state: ${state}.`)].filter(Boolean).join(' ');
  return h(
    'tr',
    {
      class: own === null ? side : states.length > 0 ? `${side} own moving` : `${side} own`,
      title: own === null || title === '' ? null : title,
    },
    h('td', { class: 'number own-size' }, own === null ? '' : [states.length === 0 ? '▸ ' : '▹ ', amount(own, lots)]),
    h('td', { class: 'number depth', '--share': share }, amount(size, lots)),
    h('td', { class: 'number price' }, amount(price, placesOf(symbol.tickSize))),
    h('td', { class: 'number away' }, awayText(price, symbol.referencePrice)),
  );
}

/**
 * Signed distance from the reference price in basis points.
 * @param {string} price
 * @param {string | null} reference
 */
function awayText(price, reference) {
  if (reference === null) return '';
  return signed(((Number(price) / Number(reference) - 1) * 10_000).toFixed(1), 1);
}

/** @param {SymbolView} symbol @returns {VNode} */
function middle({ referencePrice, marketSpreadBps, tickSize }) {
  if (referencePrice === null)
    return h(
      'tr',
      { class: 'middle' },
      h('td', { colspan: 4 }, 'No reference price: a side is empty, or the book is crossed.'),
    );
  return h(
    'tr',
    { class: 'middle' },
    h('td', { class: 'number', colspan: 2 }, marketSpreadBps === null ? '' : `spread ${bps(marketSpreadBps)}`),
    h('td', { class: 'number price' }, amount(referencePrice, placesOf(tickSize) + 1)),
    h('td', { class: 'number away' }, 'ref.'),
  );
}
