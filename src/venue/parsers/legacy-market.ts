// Depth and trades of the legacy interface (specification 2.3, 2.4).
import { tradeId } from '../../domain/ids.ts';
import type { LegacyDepth, LegacyMarketKey, LegacyTrade } from '../../domain/legacy-market.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import {
  amountField,
  digitsField,
  isObject,
  optionalText,
  type Parsed,
  positiveField,
  type RawObject,
  shown,
  sideField,
  timeField,
  wrong,
} from './fields.ts';
import { readLocalTime } from './local-time.ts';
import { parseOrderBook } from './order-book.ts';
import { answering, parseRows } from './rows.ts';

/**
 * Levels as those of the current order book; `timestamp` in seconds or milliseconds. A depth without its time is none.
 */
export function parseLegacyDepth(body: unknown): Result<Parsed<LegacyDepth>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not a depth.`);
  const venueTime = timeField(body, 'timestamp');
  if (!venueTime.ok) return fail(`In the depth, ${venueTime.error}.`);
  const book = parseOrderBook(body);
  if (!book.ok) return book;
  return ok({ ...book.value, rows: { ...book.value.rows, venueTime: venueTime.value } });
}

/** In the order of the answer. A row without a market is one of the market that was asked for. */
export function parseLegacyTrades(body: unknown, asked: LegacyMarketKey): Result<Parsed<readonly LegacyTrade[]>> {
  const parsed = parseRows(body, (row) => legacyTradeOf(row, asked));
  if (!parsed.ok) return parsed;
  return ok(answering(parsed.value, { asked, about: ({ marketKey }) => marketKey, holds: 'trades of' }));
}

function legacyTradeOf(row: RawObject, asked: LegacyMarketKey): Result<LegacyTrade> {
  const id = digitsField(row, 'id');
  if (!id.ok) return id;
  const market = optionalText(row, 'market');
  if (!market.ok) return market;
  const price = positiveField(row, 'price');
  if (!price.ok) return price;
  const quantity = positiveField(row, 'volume');
  if (!quantity.ok) return quantity;
  const quoteQuantity = amountField(row, 'funds');
  if (!quoteQuantity.ok) return quoteQuantity;
  const side = sideField(row, 'side');
  if (!side.ok) return side;
  const venueTime = createdAt(row);
  if (!venueTime.ok) return venueTime;
  return ok({
    tradeId: tradeId(id.value),
    marketKey: (market.value ?? asked).toLowerCase(),
    price: price.value,
    quantity: quantity.value,
    quoteQuantity: quoteQuantity.value,
    side: side.value,
    venueTime: venueTime.value,
  });
}

/** Local time as text, or a number since epoch as every other list has it. */
function createdAt(row: RawObject): Result<EpochMs> {
  const value = row.created_at;
  const local = typeof value === 'string' ? readLocalTime(value) : null;
  if (local !== null) return ok(local);
  const epoch = timeField(row, 'created_at');
  return epoch.ok ? epoch : wrong(row, 'created_at', 'a time YYYY-MM-DDTHH:MM:SS');
}
