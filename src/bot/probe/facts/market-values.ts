// Every price and quantity of a symbol that the answers show, from books, trades and own trades of both interfaces.
import type { Decimal } from '../../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { type RawObject, readDecimal } from '../../../venue/parsers/fields.ts';
import { parseOrderBook } from '../../../venue/parsers/market.ts';
import { type Answer, good, type Topic } from './answer.ts';
import { exactJsonOf, exactRowsOf } from './json-body.ts';

/** A price with the quantity that it was seen with. */
export interface SeenLevel {
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** `book`: it rests there. `trade`: it was executed, and may be part of an order. */
  readonly from: 'book' | 'trade';
}

const BOOKS: readonly Topic[] = ['order-book', 'legacy-depth', 'legacy-depth-sample'];
/** Topic → name of the field that holds the quantity. */
const TRADES: readonly (readonly [Topic, string])[] = [
  ['public-trades', 'qty'],
  ['legacy-trades', 'volume'],
  ['legacy-trades-sample', 'volume'],
  ['spot-trades', 'qty'],
  ['spot-trades-historical', 'qty'],
];

/** In the order of the topics; the same level of two looks comes twice. */
export function seenLevels(answers: readonly Answer[], symbol: InstrumentSymbol): readonly SeenLevel[] {
  const books = BOOKS.flatMap((topic) => good(answers, topic, symbol).flatMap(bookLevels));
  const trades = TRADES.flatMap(([topic, field]) =>
    good(answers, topic, symbol).flatMap((answer) => exactRowsOf(answer).flatMap((row) => tradeLevel(row, field))),
  );
  return [...books, ...trades];
}

function bookLevels(answer: Answer): readonly SeenLevel[] {
  const parsed = parseOrderBook(exactJsonOf(answer));
  if (!parsed.ok) return [];
  const { bids, asks } = parsed.value.rows;
  return [...bids, ...asks].map(({ price, quantity }) => ({ price, quantity, from: 'book' }));
}

function tradeLevel(row: RawObject, field: string): readonly SeenLevel[] {
  const price = readDecimal(row.price);
  const quantity = readDecimal(row[field]);
  return price?.gt(0) && quantity?.gt(0) ? [{ price, quantity, from: 'trade' }] : [];
}
