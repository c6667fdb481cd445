// Both tickers of the legacy interface (specification 2.1, 2.2): unknown → prices of every pair.
import type { Decimal } from '../../domain/decimal.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import type { LegacyBestPrices, LegacyPrice, LegacyTicker } from '../../domain/legacy-market.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import {
  amountField,
  isAbsent,
  isObject,
  optionalPrice,
  optionalText,
  type Parsed,
  type RawObject,
  readDecimal,
  readSymbol,
  shown,
  timeField,
  wrong,
} from './fields.ts';
import { Problems, parseEntries } from './rows.ts';

/** An amount, then white space and the asset that it is in. */
const AMOUNT_AND_ASSET = /^\s*(\S+)\s+([A-Za-z0-9]{1,20})\s*$/;

/** Every pair that stands in either map: one that is only in `prices`, or null in `market`, has no bid and no ask. */
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
  const bid = quotedPrice(best, 'top_bid', quote);
  if (!bid.ok) return bid;
  const ask = quotedPrice(best, 'top_ask', quote);
  if (!ask.ok) return ask;
  const lastPrice = optionalPrice({ last }, 'last');
  return lastPrice.ok ? ok({ symbol, bid: bid.value, ask: ask.value, lastPrice: lastPrice.value }) : lastPrice;
}

/** `5000000 INR`; a bare number is in the pair's quote. `null` where the venue states none, or zero. */
function quotedPrice(row: RawObject, field: string, quote: Asset): Result<LegacyPrice | null> {
  const value = row[field];
  if (isAbsent(value)) return ok(null);
  const [, text, asset = quote] = (typeof value === 'string' ? AMOUNT_AND_ASSET.exec(value) : null) ?? [];
  const amount = readDecimal(text ?? value);
  if (amount === null || amount.lt(0)) return wrong(row, field, 'an amount and an asset');
  return ok(amount.isZero() ? null : { amount, asset: asset.toUpperCase() });
}

/** By lower-case pair; the symbol is `name`, or made of the two units where there is none. */
export function parseLegacyTickers(body: unknown): Result<Parsed<readonly LegacyTicker[]>> {
  return parseEntries(body, 'Pair', legacyTickerOf);
}

function legacyTickerOf(key: string, row: RawObject): Result<LegacyTicker> {
  const { name, base_unit: base, quote_unit: quote } = row;
  const areUnits = typeof base === 'string' && typeof quote === 'string';
  const symbol = readSymbol(isAbsent(name) && areUnits ? `${base}/${quote}` : name);
  if (symbol === null) return wrong(row, 'name', 'a symbol BASE/QUOTE');
  const prices = legacyPricesOf(row);
  if (!prices.ok) return prices;
  const volume = amountField(row, 'volume');
  if (!volume.ok) return volume;
  const marketType = optionalText(row, 'type');
  if (!marketType.ok) return marketType;
  const venueTime = timeField(row, 'at');
  if (!venueTime.ok) return venueTime;
  return ok({
    key,
    symbol,
    ...prices.value,
    volume: volume.value,
    marketType: marketType.value ?? '',
    venueTime: venueTime.value,
  });
}

type LegacyPrices = Pick<LegacyTicker, 'bid' | 'ask' | 'high' | 'low' | 'open' | 'last'>;

function legacyPricesOf(row: RawObject): Result<LegacyPrices> {
  const named: Record<keyof LegacyPrices, Decimal | null> = {
    bid: null,
    ask: null,
    high: null,
    low: null,
    open: null,
    last: null,
  };
  for (const [name, field] of PRICE_FIELDS) {
    const price = optionalPrice(row, field);
    if (!price.ok) return price;
    named[name] = price.value;
  }
  return ok(named);
}

const PRICE_FIELDS: readonly (readonly [keyof LegacyPrices, string])[] = [
  ['bid', 'buy'],
  ['ask', 'sell'],
  ['high', 'high'],
  ['low', 'low'],
  ['open', 'open'],
  ['last', 'last'],
];
