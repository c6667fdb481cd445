// Public lists: tickers, symbols, public trades (specification 2.5, 2.6, 4.2).
import { isDecimalText } from '../../domain/decimal.ts';
import type { PublicTrade } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Level, type OrderBook, WrittenLevel } from '../../domain/order-book.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import type { Ticker } from '../requests.ts';
import {
  answering,
  booleanField,
  isObject,
  optionalAmount,
  optionalDecimal,
  optionalPrice,
  type Parsed,
  Problems,
  parseList,
  parseRows,
  positiveField,
  type RawObject,
  readSymbol,
  shown,
  symbolField,
  timeField,
} from './fields.ts';

/** `time` may be seconds or milliseconds, text or number (N4). A row without a last price is reported, not guessed. */
export function parseTickers(
  body: unknown,
  asked: { readonly symbol?: InstrumentSymbol | undefined },
): Result<Parsed<readonly Ticker[]>> {
  return mapped(parseRows(body, tickerOf), (tickers) => answering(tickers, asked.symbol, ({ symbol }) => symbol));
}

/** Symbols in upper case. */
export function parseSymbols(body: unknown): Result<Parsed<readonly InstrumentSymbol[]>> {
  return parseList(body, (value) => {
    const symbol = readSymbol(value);
    return symbol === null ? fail(`it is ${shown(value)}, not a symbol BASE/QUOTE`) : ok(symbol);
  });
}

/** In the order of the answer; `time` as the venue states it, possibly hours off (N5). */
export function parsePublicTrades(body: unknown): Result<Parsed<readonly PublicTrade[]>> {
  return parseRows(body, publicTradeOf);
}

function tickerOf(row: RawObject): Result<Ticker> {
  return allOf({
    symbol: symbolField(row, 'symbol'),
    lastPrice: row.lastPrice === undefined ? positiveField(row, 'lastPrice') : optionalPrice(row, 'lastPrice'),
    high: optionalPrice(row, 'high'),
    low: optionalPrice(row, 'low'),
    volume: optionalAmount(row, 'volume'),
    changePercent: optionalDecimal(row, 'change_24h'),
    venueTime: timeField(row, 'time'),
  });
}

function publicTradeOf(row: RawObject): Result<PublicTrade> {
  return allOf({
    price: positiveField(row, 'price'),
    quantity: positiveField(row, 'qty'),
    venueTime: timeField(row, 'time'),
    takerSide: mapped(booleanField(row, 'isBuyerMaker'), (isBuyerMaker) => (isBuyerMaker ? 'sell' : 'buy')),
  });
}

// Order book (specification 2.7): unknown → OrderBook. The hot path of the market data: one pass, few allocations.

/** 1 where lower prices come first (asks), −1 where higher ones do (bids). */
type Direction = 1 | -1;

/**
 * Sides are sorted if the venue did not; a level that is not two numbers above zero, or repeats a price, is dropped and
 * reported. A short side proves nothing about the market (N3), and a book has no symbol to check (order-truth §4).
 */
export function parseOrderBook(body: unknown): Result<Parsed<OrderBook>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not an order book.`);
  const { bids: rawBids, asks: rawAsks } = body;
  if (!Array.isArray(rawBids)) return fail(`The order book's bids are ${shown(rawBids)}, not a list.`);
  if (!Array.isArray(rawAsks)) return fail(`The order book's asks are ${shown(rawAsks)}, not a list.`);
  const problems = new Problems();
  const bids = readSide(rawBids, -1, problems);
  const asks = readSide(rawAsks, 1, problems);
  return ok(problems.of({ bids, asks }));
}

function readSide(raw: readonly unknown[], direction: Direction, problems: Problems): readonly Level[] {
  const levels: Level[] = [];
  let sorted = true;
  let last = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < raw.length; index++) {
    const row: unknown = raw[index];
    const [price, quantity] = Array.isArray(row) ? [positiveText(row[0]), positiveText(row[1])] : [null, null];
    if (price === null || quantity === null) {
      problems.add(`${sideName(direction)} ${index + 1} of ${raw.length} is ${shown(row)}, not [price, quantity]`);
      continue;
    }
    // Compared as floats, at a third of the cost of a Decimal. If two prices differ by less than float precision, sort
    // decides.
    const rank = Number(price) * direction;
    if (rank <= last) sorted = false;
    last = rank;
    levels.push(new WrittenLevel(price, quantity));
  }
  return sorted ? levels : sortedSide(levels, direction, problems);
}

function positiveText(raw: unknown): string | null {
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && isDecimalText(text) && Number(text) > 0 ? text : null;
}

function sortedSide(levels: readonly Level[], direction: Direction, problems: Problems): readonly Level[] {
  const sorted = levels.toSorted((a, b) => a.price.cmp(b.price) * direction);
  return sorted.filter((level, index) => {
    const repeats = index > 0 && sorted[index - 1]?.price.eq(level.price) === true;
    if (repeats) problems.add(`${sideName(direction)} price ${level.price.toFixed()} repeats`);
    return !repeats;
  });
}

const sideName = (direction: Direction): string => (direction === 1 ? 'Ask' : 'Bid');
