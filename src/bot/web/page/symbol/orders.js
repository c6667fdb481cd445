// Own orders that are or may be on the book.
import { h } from '../dom.js';
import { counted, difference, grouped, isZero, placesOf, rounded } from '../numbers.js';
import { age, empty, section, sideWord, table } from '../parts.js';
import { button } from '../steer/controls.js';
import { ageText, momentText } from '../times.js';

/** @import { OrderView, StatusSnapshot, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Row } from '../parts.js' */

/** Meaning of each state, for the tooltip. @type {Readonly<Record<OrderView['state'], string>>} */
const STATES = {
  sent: 'On its way; not answered yet.',
  unknown: 'Nobody knows whether the exchange took it: it counts as open and as filled.',
  'soft-rejected': 'The exchange said no, but is watched until it cannot have been yes.',
  open: 'The exchange named it.',
  'cancel-sent': 'A cancel was sent; it may still fill.',
  closing: 'Gone from the list; how much of it filled is being counted.',
  closed: 'Nothing of it is open.',
};

/** @param {SymbolView} symbol @param {{ now: number, limits: StatusSnapshot['limits'] }} context @returns {VNode} */
export function orders(symbol, { now, limits }) {
  const aside = age(symbol.openOrdersSentAt, { now, limitMs: limits.openOrdersAgeMs });
  const title = symbol.orders.length === 0 ? 'Own orders' : `Own orders (${symbol.orders.length})`;
  if (symbol.orders.length === 0) return section(title, aside, empty(whyNone(symbol)));
  const sorted = symbol.orders.toSorted((a, b) => Number(b.price) - Number(a.price));
  const foreign = symbol.foreignOrders;
  return section(
    title,
    aside,
    table({
      label: `Own orders of ${symbol.symbol}`,
      columns: [
        { name: 'Side' },
        { name: 'State' },
        { name: 'Price', number: true },
        { name: 'Left', number: true, title: `${symbol.base} that is not filled` },
        { name: 'Filled', number: true },
        { name: 'Bps', number: true, title: 'Distance from the reference price, in basis points' },
        { name: 'Age', number: true },
        { name: 'Order', wide: true },
      ],
      rows: sorted.map((order) => rowOf(order, symbol, now)),
    }),
    foreign === 0
      ? null
      : h('p', { class: 'note' }, `And ${counted(foreign, 'order')} of the account that are not the bot’s.`),
  );
}

/** @param {OrderView} order @param {SymbolView} symbol @param {number} now @returns {Row} */
function rowOf(order, symbol, now) {
  const lots = placesOf(symbol.lotSize);
  return {
    class: order.standing === 'live' ? null : 'moving',
    cells: [
      { text: [sideWord(order.side), h('span', { class: 'unit' }, ` ${order.level}`)], title: `Level ${order.level}` },
      stateCell(order),
      grouped(rounded(order.price, placesOf(symbol.tickSize))),
      grouped(rounded(difference(order.quantity, order.filled), lots)),
      isZero(order.filled) ? '–' : grouped(rounded(order.filled, lots)),
      order.distanceBps === null ? '–' : grouped(order.distanceBps.toFixed(1)),
      { text: ageText(now - order.sentAt), title: momentText(order.sentAt) },
      { text: lifeButton(order), class: 'id' },
    ],
  };
}

/** @param {OrderView} order */
const lifeButton = ({ orderId, intentId }) =>
  button('life', orderId ?? 'not named yet', {
    class: 'link',
    'data-of': intentId,
    title: `Intent ${intentId}: what happened to it`,
  });

/** @param {OrderView} order */
function stateCell({ state, standing }) {
  if (state === 'open' && standing === 'unknown')
    return {
      text: 'may rest',
      title: 'It rested when the bot was last heard; it may have filled.',
      class: 'order-unknown',
    };
  const leavesSoon = state === 'open' && standing === 'leaving';
  return leavesSoon
    ? { text: 'to cancel', title: 'It rests; its cancel waits for its turn.', class: 'order-cancel-sent' }
    : { text: state, title: STATES[state], class: `order-${state}` };
}

/** @param {SymbolView} symbol @returns {string} */
function whyNone(symbol) {
  if (symbol.state !== 'quoting') return 'None.';
  return symbol.wanted.length > 0 ? 'None yet: the first is about to be placed.' : 'None is wanted.';
}
