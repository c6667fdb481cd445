// The latest executions.
import { amount, assetPlaces, isZero, placesOf } from '../numbers.js';
import { age, empty, section, sideWord, table } from '../parts.js';
import { clockText, momentText } from '../times.js';

/** @import { FillView, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Column } from '../parts.js' */

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
      columns: columnsOf(symbol),
      rows: symbol.recentFills,
      classOf: ({ ours }) => (ours ? null : 'foreign'),
    }),
  );
}

/** @param {SymbolView} symbol @returns {readonly Column<FillView>[]} */
function columnsOf({ base, quote, tickSize, lotSize }) {
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
