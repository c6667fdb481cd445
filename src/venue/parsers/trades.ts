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

interface SpotTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The requested order, if any. */
  readonly orderId?: OrderId | undefined;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSpotTrades(body: unknown, page: SpotTradesPage): Result<Parsed<readonly Fill[]>> {
  const order = { asked: page.orderId, about: (fill: Fill) => fill.orderId, what: 'order ', holds: 'trades of' };
  return mapped(parseRows(body, fillOf), (fills) => answering(ofSymbol(fills, page), order));
}

function ofSymbol<T extends SbsTrade>(trades: Parsed<readonly T[]>, { symbol }: { readonly symbol: InstrumentSymbol }) {
  return answering(trades, { asked: symbol, about: (trade) => trade.symbol, holds: 'trades of' });
}

function fillOf(row: RawObject): Result<Fill> {
  const read = allOf({
    execution: executionOf(row),
    orderId: mapped(idField(row, 'orderId'), orderId),
    liquidity: mapped(booleanField(row, 'isMaker'), (isMaker) => (isMaker ? 'maker' : 'taker')),
  });
  return mapped(read, ({ execution, ...rest }) => ({ ...execution, ...rest }));
}

interface SbsTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The requested SBS order, if any. */
  readonly orderId?: TradeId | undefined;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSbsTrades(body: unknown, page: SbsTradesPage): Result<Parsed<readonly SbsTrade[]>> {
  const order = { asked: page.orderId, about: (trade: SbsTrade) => trade.tradeId, what: 'SBS order ', holds: 'trade' };
  return mapped(parseRows(body, executionOf), (trades) => answering(ofSymbol(trades, page), order));
}

// Common fields of the account's spot trades and simple buys and sells (specification 2.13, 2.14): unknown → an
// execution.

/** The fields of both lists. Signs of `commission` and `tds` differ between venues (Q11): both come out positive. */
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
