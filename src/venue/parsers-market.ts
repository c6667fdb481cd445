// Public lists: tickers, symbols, public trades (specification 2.5, 2.6, 4.2).
import type { PublicTrade } from '../domain/fill.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import {
  booleanField,
  type Parsed,
  positiveField,
  type RawObject,
  readSymbol,
  shown,
  symbolField,
  timeField,
} from './parsers-fields.ts';
import { parseList, parseRows } from './parsers-rows.ts';
import type { Ticker } from './requests.ts';

/** `time` may be seconds or milliseconds, text or number (N4). */
export function parseTickers(body: unknown): Result<Parsed<readonly Ticker[]>> {
  return parseRows(body, tickerOf);
}

/** Symbols in upper case. */
export function parseSymbols(body: unknown): Result<Parsed<readonly InstrumentSymbol[]>> {
  return parseList(body, (value) => {
    const symbol = readSymbol(value);
    return symbol === null ? fail(`it is ${shown(value)}, not a symbol BASE/QUOTE`) : ok(symbol);
  });
}

/** In the order of the answer; `time` as the venue states it, which may be off by hours (N5). */
export function parsePublicTrades(body: unknown): Result<Parsed<readonly PublicTrade[]>> {
  return parseRows(body, publicTradeOf);
}

function tickerOf(row: RawObject): Result<Ticker> {
  const symbol = symbolField(row, 'symbol');
  if (!symbol.ok) return symbol;
  const lastPrice = positiveField(row, 'lastPrice');
  if (!lastPrice.ok) return lastPrice;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  return ok({ symbol: symbol.value, lastPrice: lastPrice.value, venueTime: venueTime.value });
}

function publicTradeOf(row: RawObject): Result<PublicTrade> {
  const price = positiveField(row, 'price');
  if (!price.ok) return price;
  const quantity = positiveField(row, 'qty');
  if (!quantity.ok) return quantity;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  const isBuyerMaker = booleanField(row, 'isBuyerMaker');
  if (!isBuyerMaker.ok) return isBuyerMaker;
  const takerSide = isBuyerMaker.value ? 'sell' : 'buy';
  return ok({ price: price.value, quantity: quantity.value, takerSide, venueTime: venueTime.value });
}
