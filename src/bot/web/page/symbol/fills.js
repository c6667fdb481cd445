// The latest executions.
import { amount, assetPlaces, grouped, isZero, placesOf, rounded } from '../numbers.js';
import { age, empty, section, sideWord, table } from '../parts.js';
import { clockText, momentText } from '../times.js';

/** @import { FillView, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Row } from '../parts.js' */

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
      columns: [
        { name: 'Time', title: 'Where you are; by the clock of the exchange' },
        { name: 'Side' },
        { name: 'Price', number: true },
        { name: symbol.base, number: true },
        { name: symbol.quote, number: true },
        { name: 'Fee', number: true },
        { name: 'Tax', number: true, title: 'Withheld by the exchange' },
        { name: 'As', wide: true },
      ],
      rows: symbol.recentFills.map((fill) => rowOf(fill, symbol)),
    }),
  );
}

/** @param {FillView} fill @param {SymbolView} symbol @returns {Row} */
function rowOf(fill, { tickSize, lotSize, quote }) {
  const money = assetPlaces(quote);
  const fee = amount(fill.commission, assetPlaces(fill.commissionAsset));
  return {
    class: fill.ours ? null : 'foreign',
    cells: [
      { text: clockText(fill.venueTime), title: `${momentText(fill.venueTime)}, trade ${fill.tradeId}` },
      { text: sideWord(fill.side) },
      grouped(rounded(fill.price, placesOf(tickSize))),
      grouped(rounded(fill.quantity, placesOf(lotSize))),
      amount(fill.quoteQuantity, money),
      {
        text: fill.commissionAsset === quote ? fee : `${fee} ${fill.commissionAsset}`,
        title: `${fill.commission} ${fill.commissionAsset}`,
      },
      isZero(fill.tds) ? '–' : amount(fill.tds, money),
      {
        text: fill.ours ? fill.liquidity : 'not ours',
        class: fill.ours && fill.liquidity === 'taker' ? 'warn' : null,
        title: fill.ours ? null : 'Of an order that the bot did not place',
      },
    ],
  };
}
