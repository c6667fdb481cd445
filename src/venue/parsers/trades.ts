// The account's trades: executions of its orders, simple buys and sells.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import { type OrderId, orderId, type TradeId, tradeId } from '../../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { ok, type Result } from '../../domain/result.ts';
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
  /** The order that was asked for, where one was. */
  readonly orderId?: OrderId;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSpotTrades(body: unknown, page: SpotTradesPage): Result<Parsed<readonly Fill[]>> {
  const parsed = parseRows(body, fillOf);
  if (!parsed.ok) return parsed;
  const ofSymbol = answering(parsed.value, { asked: page.symbol, about: ({ symbol }) => symbol, holds: 'trades of' });
  const order = { asked: page.orderId, about: (fill: Fill) => fill.orderId, what: 'order ', holds: 'trades of' };
  return ok(answering(ofSymbol, order));
}

function fillOf(row: RawObject): Result<Fill> {
  const execution = executionOf(row);
  if (!execution.ok) return execution;
  const order = idField(row, 'orderId');
  if (!order.ok) return order;
  const isMaker = booleanField(row, 'isMaker');
  if (!isMaker.ok) return isMaker;
  const liquidity = isMaker.value ? 'maker' : 'taker';
  return ok({ ...execution.value, orderId: orderId(order.value), liquidity });
}

interface SbsTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The SBS order that was asked for, where one was. */
  readonly orderId?: TradeId;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSbsTrades(body: unknown, page: SbsTradesPage): Result<Parsed<readonly SbsTrade[]>> {
  const parsed = parseRows(body, executionOf);
  if (!parsed.ok) return parsed;
  const ofSymbol = answering(parsed.value, { asked: page.symbol, about: ({ symbol }) => symbol, holds: 'trades of' });
  const order = { asked: page.orderId, about: (trade: SbsTrade) => trade.tradeId, what: 'SBS order ', holds: 'trade' };
  return ok(answering(ofSymbol, order));
}

// What spot trades and simple buys and sells of the account have in common (specification 2.13, 2.14): unknown → an
// execution.

/** The fields of both lists. Signs of `commission` and `tds` differ between venues (Q11): both come out positive. */
function executionOf(row: RawObject): Result<SbsTrade> {
  const symbol = symbolField(row, 'symbol');
  if (!symbol.ok) return symbol;
  const id = digitsField(row, 'id');
  if (!id.ok) return id;
  const amounts = amountsOf(row);
  if (!amounts.ok) return amounts;
  const commissionAsset = commissionAssetOf(row, symbol.value, amounts.value.commission);
  if (!commissionAsset.ok) return commissionAsset;
  const isBuyer = booleanField(row, 'isBuyer');
  if (!isBuyer.ok) return isBuyer;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  return ok({
    symbol: symbol.value,
    tradeId: tradeId(id.value),
    side: isBuyer.value ? 'buy' : 'sell',
    ...amounts.value,
    commissionAsset: commissionAsset.value,
    venueTime: venueTime.value,
  });
}

type Amounts = Pick<SbsTrade, 'price' | 'quantity' | 'quoteQuantity' | 'commission' | 'tds'>;

function amountsOf(row: RawObject): Result<Amounts> {
  const price = positiveField(row, 'price');
  if (!price.ok) return price;
  const quantity = positiveField(row, 'qty');
  if (!quantity.ok) return quantity;
  const quoteQuantity = amountField(row, 'quoteQty');
  if (!quoteQuantity.ok) return quoteQuantity;
  const commission = decimalField(row, 'commission');
  if (!commission.ok) return commission;
  // "If applicable": absent is none.
  const tds = chargeField(row, 'tds');
  if (!tds.ok) return tds;
  return ok({
    price: price.value,
    quantity: quantity.value,
    quoteQuantity: quoteQuantity.value,
    commission: commission.value.abs(),
    tds: tds.value,
  });
}

function commissionAssetOf(row: RawObject, symbol: InstrumentSymbol, commission: Decimal): Result<Asset> {
  const asset = row.commissionAsset;
  if (typeof asset === 'string' && asset !== '') return ok(asset.toUpperCase());
  // Nothing was charged: the asset of nothing does not matter.
  const quote = parseSymbol(symbol)?.quote;
  if (commission.isZero() && quote !== undefined) return ok(quote);
  return wrong(row, 'commissionAsset', 'an asset');
}
