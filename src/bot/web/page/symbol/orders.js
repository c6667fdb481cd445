// Own orders that are or may be on the book, and the latest executions.
import { h } from '../dom.js';
import { amount, assetPlaces, counted, difference, isZero, placesOf } from '../numbers.js';
import { age, empty, section, sideWord, table } from '../parts.js';
import { button } from '../steer/controls.js';
import { ageText, clockText, momentText } from '../times.js';

/** @import { FillView, OrderView, StatusSnapshot, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Column } from '../parts.js' */

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
  const foreign = symbol.foreignOrders;
  return section(
    title,
    aside,
    table({
      label: `Own orders of ${symbol.symbol}`,
      columns: columnsOf(symbol, now),
      rows: symbol.orders.toSorted((a, b) => Number(b.price) - Number(a.price)),
      classOf: ({ standing }) => (standing === 'live' ? null : 'moving'),
    }),
    foreign === 0
      ? null
      : h('p', { class: 'note' }, `And ${counted(foreign, 'order')} of the account that are not the bot’s.`),
  );
}

/** @param {SymbolView} symbol @param {number} now @returns {readonly Column<OrderView>[]} */
function columnsOf({ base, tickSize, lotSize }, now) {
  const lots = placesOf(lotSize);
  return [
    {
      name: 'Side',
      cell: ({ side, level }) => ({
        ...{ text: [sideWord(side), h('span', { class: 'unit' }, ` ${level}`)], title: `Level ${level}` },
      }),
    },
    { name: 'State', cell: stateCell },
    { name: 'Price', number: true, cell: ({ price }) => amount(price, placesOf(tickSize)) },
    {
      ...{ name: 'Left', number: true, title: `${base} that is not filled` },
      cell: ({ quantity, filled }) => amount(difference(quantity, filled), lots),
    },
    { name: 'Filled', number: true, cell: ({ filled }) => (isZero(filled) ? '–' : amount(filled, lots)) },
    {
      ...{ name: 'Bps', number: true, title: 'Distance from the reference price, in basis points' },
      cell: ({ distanceBps: away }) => amount(away === null ? null : away.toFixed(1), 1),
    },
    {
      ...{ name: 'Age', number: true },
      cell: ({ sentAt }) => ({ text: ageText(now - sentAt), title: momentText(sentAt) }),
    },
    { name: 'Order', wide: true, cell: (order) => ({ text: lifeButton(order), class: 'id' }) },
  ];
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

// The latest executions.

/** @param {SymbolView} symbol @param {{ now: number }} context @returns {VNode} */
export function fills(symbol, { now }) {
  const aside = age(symbol.tradesSentAt, { now });
  if (symbol.recentFills.length === 0) {
    const text =
      symbol.orders.length > 0
        ? 'None yet. One shows here as soon as somebody trades with an order above.'
        : 'None yet: nothing rests on the book.';
    return section('Recent fills', aside, empty(text));
  }
  return section(
    'Recent fills',
    aside,
    table({
      label: `Recent fills of ${symbol.symbol}`,
      class: 'short',
      columns: fillColumns(symbol),
      rows: symbol.recentFills,
      classOf: ({ ours }) => (ours ? null : 'foreign'),
    }),
  );
}

/** @param {SymbolView} symbol @returns {readonly Column<FillView>[]} */
function fillColumns({ base, quote, tickSize, lotSize }) {
  const money = assetPlaces(quote);
  return [
    {
      ...{ name: 'Time', title: 'Where you are; by the clock of the exchange' },
      cell: ({ venueTime: at, tradeId }) => ({ text: clockText(at), title: `${momentText(at)}, trade ${tradeId}` }),
    },
    { name: 'Side', cell: ({ side }) => ({ text: sideWord(side) }) },
    { name: 'Price', number: true, cell: ({ price }) => amount(price, placesOf(tickSize)) },
    { name: base, number: true, cell: ({ quantity }) => amount(quantity, placesOf(lotSize)) },
    { name: quote, number: true, cell: ({ quoteQuantity }) => amount(quoteQuantity, money) },
    { name: 'Fee', number: true, cell: (fill) => feeCell(fill, quote) },
    {
      ...{ name: 'Tax', number: true, title: 'Withheld by the exchange' },
      cell: ({ tds }) => (isZero(tds) ? '–' : amount(tds, money)),
    },
    {
      ...{ name: 'As', wide: true },
      cell: ({ ours, liquidity }) =>
        ours
          ? { text: liquidity, class: liquidity === 'taker' ? 'warn' : null }
          : { text: 'not ours', title: 'Of an order that the bot did not place' },
    },
  ];
}

/** @param {FillView} fill @param {string} quote */
function feeCell({ commission, commissionAsset: asset }, quote) {
  const fee = amount(commission, assetPlaces(asset));
  return { text: asset === quote ? fee : `${fee} ${asset}`, title: `${commission} ${asset}` };
}
