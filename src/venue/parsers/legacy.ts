// Answers of the legacy interface.
import { tradeId } from '../../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import type {
  LegacyBestPrices,
  LegacyDepth,
  LegacyMarketKey,
  LegacyPrice,
  LegacyTicker,
  LegacyTrade,
} from '../requests.ts';
import {
  amountField,
  answering,
  digitsField,
  isAbsent,
  isObject,
  ofObject,
  optionalPrice,
  optionalText,
  type Parsed,
  Problems,
  parseRows,
  positiveField,
  type RawObject,
  readDecimal,
  readEach,
  readSymbol,
  shown,
  sideField,
  timeField,
  wrong,
} from './fields.ts';
import { parseOrderBook } from './market.ts';

/** Levels as in the current order book; `timestamp` in seconds or milliseconds. A depth without its time is invalid. */
export function parseLegacyDepth(body: unknown): Result<Parsed<LegacyDepth>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not a depth.`);
  const venueTime = timeField(body, 'timestamp');
  if (!venueTime.ok) return fail(`In the depth, ${venueTime.error}.`);
  return mapped(parseOrderBook(body), (book) => ({ ...book, rows: { ...book.rows, venueTime: venueTime.value } }));
}

/** In the order of the answer. A row without a market belongs to the requested one. */
export function parseLegacyTrades(body: unknown, asked: LegacyMarketKey): Result<Parsed<readonly LegacyTrade[]>> {
  const parsed = parseRows(body, (row) => legacyTradeOf(row, asked));
  return mapped(parsed, (trades) => answering(trades, asked, ({ marketKey }) => marketKey));
}

function legacyTradeOf(row: RawObject, asked: LegacyMarketKey): Result<LegacyTrade> {
  return allOf({
    tradeId: mapped(digitsField(row, 'id'), tradeId),
    marketKey: mapped(optionalText(row, 'market'), (market) => (market ?? asked).toLowerCase()),
    price: positiveField(row, 'price'),
    quantity: positiveField(row, 'volume'),
    quoteQuantity: amountField(row, 'funds'),
    side: sideField(row, 'side'),
    venueTime: createdAt(row),
  });
}

/** Local time as text, or a number since epoch like every other list. */
function createdAt(row: RawObject): Result<EpochMs> {
  const value = row.created_at;
  const local = typeof value === 'string' ? readLocalTime(value) : null;
  if (local !== null) return ok(local);
  const epoch = timeField(row, 'created_at');
  return epoch.ok ? epoch : wrong(row, 'created_at', 'a time YYYY-MM-DDTHH:MM:SS');
}

// Both tickers of the legacy interface (specification 2.1, 2.2): unknown → prices of every pair.

/** An amount, then white space and its asset. */
const AMOUNT_AND_ASSET = /^\s*(\S+)\s+([A-Za-z0-9]{1,20})\s*$/;

/** Every pair in either map: a pair that is only in `prices`, or null in `market`, has no bid and no ask. */
export function parseLegacyBestPrices(body: unknown): Result<Parsed<readonly LegacyBestPrices[]>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not a ticker.`);
  if (!isObject(body.market)) return fail(`The ticker's market is ${shown(body.market)}, not a map.`);
  const market = new Map(Object.entries(body.market));
  const prices = new Map(isObject(body.prices) ? Object.entries(body.prices) : []);
  const rows: LegacyBestPrices[] = [];
  const problems = new Problems();
  if (!isObject(body.prices)) problems.add(`The ticker's prices are ${shown(body.prices)}, not a map`);
  const seen = new Set<InstrumentSymbol>();
  for (const pair of new Set([...market.keys(), ...prices.keys()])) {
    const row = bestPricesOf(pair, market.get(pair) ?? {}, prices.get(pair));
    if (!row.ok) problems.add(`Pair ${shown(pair)}: ${row.error}`);
    else if (seen.has(row.value.symbol)) problems.add(`Pair ${shown(pair)} came before`);
    else rows.push(row.value);
    if (row.ok) seen.add(row.value.symbol);
  }
  return ok(problems.of(rows));
}

function bestPricesOf(pair: string, best: unknown, last: unknown): Result<LegacyBestPrices> {
  const symbol = readSymbol(pair);
  const quote = parseSymbol(symbol ?? '')?.quote;
  if (symbol === null || quote === undefined) return fail('it is not a symbol BASE/QUOTE');
  if (!isObject(best)) return fail(`it is ${shown(best)}, not an object`);
  return allOf({
    symbol: ok(symbol),
    bid: quotedPrice(best, 'top_bid', quote),
    ask: quotedPrice(best, 'top_ask', quote),
    lastPrice: optionalPrice({ last }, 'last'),
  });
}

/** `5000000 INR`; a bare number is in the pair's quote. `null` if the venue states none, or zero. */
function quotedPrice(row: RawObject, field: string, quote: Asset): Result<LegacyPrice | null> {
  const value = row[field];
  if (isAbsent(value)) return ok(null);
  const [, text, asset = quote] = (typeof value === 'string' ? AMOUNT_AND_ASSET.exec(value) : null) ?? [];
  const amount = readDecimal(text ?? value);
  if (amount === null || amount.lt(0)) return wrong(row, field, 'an amount and an asset');
  return ok(amount.isZero() ? null : { amount, asset: asset.toUpperCase() });
}

/**
 * By lower-case pair; the symbol is `name`, or built from the two units. A map without any readable pair is refused.
 */
export function parseLegacyTickers(body: unknown): Result<Parsed<readonly LegacyTicker[]>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not a map.`);
  const keys = Object.keys(body);
  const readPair = (key: string) => ofObject(body[key], (row) => legacyTickerOf(key, row));
  const parsed = readEach(keys, readPair, (index) => `Pair ${shown(keys[index])}`);
  const { rows, incompleteBecause } = parsed;
  return rows.length === 0 && incompleteBecause !== undefined ? fail(incompleteBecause) : ok(parsed);
}

function legacyTickerOf(key: string, row: RawObject): Result<LegacyTicker> {
  const { name, base_unit: base, quote_unit: quote } = row;
  const areUnits = typeof base === 'string' && typeof quote === 'string';
  const symbol = readSymbol(isAbsent(name) && areUnits ? `${base}/${quote}` : name);
  return allOf({
    key: ok(key),
    symbol: symbol === null ? wrong(row, 'name', 'a symbol BASE/QUOTE') : ok(symbol),
    bid: optionalPrice(row, 'buy'),
    ask: optionalPrice(row, 'sell'),
    high: optionalPrice(row, 'high'),
    low: optionalPrice(row, 'low'),
    open: optionalPrice(row, 'open'),
    last: optionalPrice(row, 'last'),
    volume: amountField(row, 'volume'),
    marketType: mapped(optionalText(row, 'type'), (type) => type ?? ''),
    venueTime: timeField(row, 'at'),
  });
}

/** `YYYY-MM-DDTHH:MM:SS` (specification 2.4): local time without a zone. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?$/;

/** Epoch milliseconds, read as UTC; `null` for a moment that is on no calendar. */
export function readLocalTime(text: string): EpochMs | null {
  const at = LOCAL_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  // February 30 would be March 2.
  const isOnCalendar = at > 0 && new Date(at).toISOString().startsWith(text.slice(0, 19));
  return isOnCalendar ? at : null;
}
