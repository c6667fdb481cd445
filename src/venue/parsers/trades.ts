// The account's trades: executions of its orders, simple buys and sells.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import { type OrderId, orderId, type TradeId, tradeId } from '../../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { allOf, mapped, ok, type Result } from '../../domain/result.ts';
import {
  amountField,
  answering,
  booleanField,
  chargeField,
  decimalField,
  digitsField,
  idField,
  type Parsed,
  parseRows,
  positiveField,
  type RawObject,
  symbolField,
  timeField,
  wrong,
} from './fields.ts';

/** The requested symbol, and the requested order, if any. */
interface TradesPage<Id> {
  readonly symbol: InstrumentSymbol;
  readonly orderId?: Id | undefined;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSpotTrades(body: unknown, page: TradesPage<OrderId>): Result<Parsed<readonly Fill[]>> {
  return mapped(parseRows(body, fillOf), (fills) => ofPage(fills, page, (fill) => fill.orderId));
}

function fillOf(row: RawObject): Result<Fill> {
  const read = allOf({
    execution: executionOf(row),
    orderId: mapped(idField(row, 'orderId'), orderId),
    liquidity: mapped(booleanField(row, 'isMaker'), (isMaker) => (isMaker ? 'maker' : 'taker')),
  });
  return mapped(read, ({ execution, ...rest }) => ({ ...execution, ...rest }));
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSbsTrades(body: unknown, page: TradesPage<TradeId>): Result<Parsed<readonly SbsTrade[]>> {
  return mapped(parseRows(body, executionOf), (trades) => ofPage(trades, page, (trade) => trade.tradeId));
}

function ofPage<Row extends SbsTrade, Id extends string>(
  rows: Parsed<readonly Row[]>,
  page: TradesPage<Id>,
  idOf: (row: Row) => Id,
) {
  const { symbol, orderId: id } = page;
  return answering(
    answering(rows, symbol, (row) => row.symbol),
    id,
    idOf,
  );
}

/** Signs of `commission` and `tds` differ between venues (Q11): both come out positive. */
function executionOf(row: RawObject): Result<SbsTrade> {
  const read = allOf({
    symbol: symbolField(row, 'symbol'),
    tradeId: mapped(digitsField(row, 'id'), tradeId),
    price: positiveField(row, 'price'),
    quantity: positiveField(row, 'qty'),
    quoteQuantity: amountField(row, 'quoteQty'),
    commission: mapped(decimalField(row, 'commission'), (commission) => commission.abs()),
    // "If applicable": absent means none.
    tds: chargeField(row, 'tds'),
    side: mapped(booleanField(row, 'isBuyer'), (isBuyer) => (isBuyer ? 'buy' : 'sell')),
    venueTime: timeField(row, 'time'),
  });
  if (!read.ok) return read;
  const { symbol, commission } = read.value;
  return mapped(commissionAssetOf(row, symbol, commission), (commissionAsset) => ({ ...read.value, commissionAsset }));
}

function commissionAssetOf(row: RawObject, symbol: InstrumentSymbol, commission: Decimal): Result<Asset> {
  const asset = row.commissionAsset;
  if (typeof asset === 'string' && asset !== '') return ok(asset.toUpperCase());
  // Nothing was charged, so the asset does not matter.
  const quote = parseSymbol(symbol)?.quote;
  if (commission.isZero() && quote !== undefined) return ok(quote);
  return wrong(row, 'commissionAsset', 'an asset');
}
