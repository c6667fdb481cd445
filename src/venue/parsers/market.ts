// Public lists: tickers, symbols, public trades (specification 2.5, 2.6, 4.2).
import type { PublicTrade } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { Ticker } from '../requests.ts';
import {
  booleanField,
  optionalAmount,
  optionalDecimal,
  optionalPrice,
  type Parsed,
  positiveField,
  type RawObject,
  readSymbol,
  shown,
  symbolField,
  timeField,
} from './fields.ts';
import { answering, parseList, parseRows } from './rows.ts';

export interface TickersPage {
  /** The symbol that was asked for, where one was. */
  readonly symbol?: InstrumentSymbol;
}

/** `time` may be seconds or milliseconds, text or number (N4). A row without a last price is said, not guessed. */
export function parseTickers(body: unknown, page: TickersPage): Result<Parsed<readonly Ticker[]>> {
  const parsed = parseRows(body, tickerOf);
  if (!parsed.ok) return parsed;
  return ok(answering(parsed.value, { asked: page.symbol, about: ({ symbol }) => symbol, holds: 'the ticker of' }));
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
  const lastPrice = row.lastPrice === undefined ? positiveField(row, 'lastPrice') : optionalPrice(row, 'lastPrice');
  if (!lastPrice.ok) return lastPrice;
  const high = optionalPrice(row, 'high');
  if (!high.ok) return high;
  const low = optionalPrice(row, 'low');
  if (!low.ok) return low;
  const volume = optionalAmount(row, 'volume');
  if (!volume.ok) return volume;
  const changePercent = optionalDecimal(row, 'change_24h');
  if (!changePercent.ok) return changePercent;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  return ok({
    symbol: symbol.value,
    lastPrice: lastPrice.value,
    high: high.value,
    low: low.value,
    volume: volume.value,
    changePercent: changePercent.value,
    venueTime: venueTime.value,
  });
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
