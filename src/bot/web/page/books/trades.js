// The account's trades, newest first: filtered, in pages, and as a file.
import { h } from '../dom.js';
import { amount, assetPlaces, isZero, placesOf } from '../numbers.js';
import { empty, sideWord, table } from '../parts.js';
import { clockText, dayText, momentText } from '../times.js';
import { shownBooks } from './books.js';

/** @import { TradeRow } from '../../trade-list.ts' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { Column } from '../parts.js' */

/** @type {Readonly<Record<TradeRow['event'], string>>} */
const EVENTS = {
  fill: '',
  'fill-corrected': 'corrected',
  'fill-reversed': 'taken back',
  'owner-trade': 'not ours',
  conversion: 'conversion',
};

/** @param {readonly SymbolView[]} symbols */
export function trades(symbols) {
  const { trades: found, file } = shownBooks();
  const { page, pages, why } = found;
  const places = new Map(symbols.map(({ symbol, tickSize, lotSize }) => [symbol, { tickSize, lotSize }]));
  const choices = [
    choice(
      'symbol',
      'Symbol',
      symbols.map(({ symbol }) => [symbol, symbol]),
    ),
    choice('side', 'Side', [
      ['buy', 'buy'],
      ['sell', 'sell'],
    ]),
    day('from', 'From'),
    day('to', 'To'),
  ];
  const press = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ disabled) =>
    h('button', { type: 'button', 'data-books': name, disabled }, text);
  return h(
    'details',
    { class: 'section why', 'data-opens': 'trades' },
    h('summary', {}, 'Trades', h('span', { class: 'aside' }, (page !== null && why) || 'filter, pages, CSV')),
    h('div', { class: 'choices' }, ...choices),
    page === null
      ? empty(why)
      : page.rows.length === 0
        ? empty('The filter chooses none.')
        : table({ label: 'Trades', columns: columnsOf(places), rows: page.rows }),
    h(
      'p',
      { class: 'choices' },
      press('newest', 'Newest', false),
      press('newer', 'Newer', pages.length === 0),
      press('older', 'Older', (page?.next ?? null) === null),
      press('csv', 'All as CSV', page === null),
      h('span', { role: 'status' }, file.why),
    ),
  );
}

/** @param {string} name @param {string} label @param {readonly (readonly [value: string, text: string])[]} options */
const choice = (name, label, options) =>
  h(
    'label',
    {},
    `${label} `,
    h(
      'select',
      { name, 'data-filter': name },
      h('option', { value: '' }, 'all'),
      ...options.map(([value, text]) => h('option', { value }, text)),
    ),
  );

/** @param {string} name @param {string} label */
const day = (name, label) => h('label', {}, `${label} `, h('input', { type: 'date', name, 'data-filter': name }));

/**
 * @param {ReadonlyMap<string, { readonly tickSize: string, readonly lotSize: string }>} places
 * @returns {readonly Column<TradeRow>[]}
 */
function columnsOf(places) {
  /** @param {TradeRow} row @param {'price' | 'quantity' | 'quoteQuantity' | 'tds'} field */
  const value = ({ symbol, fill }, field) => {
    if (fill === null) return '–';
    const { tickSize, lotSize } = places.get(symbol) ?? { tickSize: fill.price, lotSize: fill.quantity };
    const step = field === 'price' ? tickSize : field === 'quantity' ? lotSize : null;
    return amount(fill[field], step === null ? assetPlaces(symbol.split('/')[1] ?? '') : placesOf(step));
  };
  return [
    {
      name: 'Time',
      cell: ({ tradedAt: at, tradeId }) => ({
        text: `${dayText(at)} ${clockText(at)}`,
        title: `${momentText(at)}, trade ${tradeId}`,
      }),
    },
    { name: 'Symbol', cell: ({ symbol }) => symbol },
    { name: 'Side', cell: ({ side }) => ({ text: sideWord(side) }) },
    { name: 'Price', number: true, cell: (row) => value(row, 'price') },
    { name: 'Quantity', number: true, cell: (row) => value(row, 'quantity') },
    { name: 'Value', number: true, cell: (row) => value(row, 'quoteQuantity') },
    {
      ...{ name: 'Fee', number: true },
      cell: ({ fill }) =>
        fill === null ? '–' : `${amount(fill.commission, assetPlaces(fill.commissionAsset))} ${fill.commissionAsset}`,
    },
    { name: 'Tax', number: true, cell: (row) => (isZero(row.fill?.tds ?? '0') ? '–' : value(row, 'tds')) },
    {
      ...{ name: 'As', wide: true },
      cell: ({ event, fill, intentId }) =>
        [intentId === null && event === 'fill' ? 'not ours' : EVENTS[event], fill?.liquidity ?? ''].join(' ').trim(),
    },
  ];
}
