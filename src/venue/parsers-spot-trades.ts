// Spot trades of the account (specification 2.13): unknown → fills. Whether a page reaches back is the cursor's matter.
import { type Decimal, ZERO } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import { type OrderId, orderId, tradeId } from '../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import {
  amountField,
  booleanField,
  decimalField,
  digitsField,
  idField,
  type Parsed,
  positiveField,
  type RawObject,
  shown,
  symbolField,
  timeField,
} from './parsers-fields.ts';
import { alsoIncomplete, parseRows } from './parsers-rows.ts';

export interface SpotTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The order that was asked for, where one was. */
  readonly orderId?: OrderId;
}

/** Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive. */
export function parseSpotTrades(body: unknown, page: SpotTradesPage): Result<Parsed<readonly Fill[]>> {
  const parsed = parseRows(body, fillOf);
  if (!parsed.ok) return parsed;
  let answer = parsed.value;
  const otherSymbol = answer.rows.find((fill) => fill.symbol !== page.symbol);
  if (otherSymbol) {
    answer = alsoIncomplete(answer, `Asked for ${page.symbol}, the answer holds trades of ${otherSymbol.symbol}.`);
  }
  const otherOrder = answer.rows.find((fill) => page.orderId !== undefined && fill.orderId !== page.orderId);
  if (otherOrder) {
    answer = alsoIncomplete(
      answer,
      `Asked for order ${page.orderId}, the answer holds trades of ${otherOrder.orderId}.`,
    );
  }
  return ok(answer);
}

function fillOf(row: RawObject): Result<Fill> {
  const symbol = symbolField(row, 'symbol');
  if (!symbol.ok) return symbol;
  const id = digitsField(row, 'id');
  if (!id.ok) return id;
  const order = idField(row, 'orderId');
  if (!order.ok) return order;
  const amounts = amountsOf(row);
  if (!amounts.ok) return amounts;
  const commissionAsset = commissionAssetOf(row, symbol.value, amounts.value.commission);
  if (!commissionAsset.ok) return commissionAsset;
  const isBuyer = booleanField(row, 'isBuyer');
  if (!isBuyer.ok) return isBuyer;
  const isMaker = booleanField(row, 'isMaker');
  if (!isMaker.ok) return isMaker;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  return ok({
    symbol: symbol.value,
    tradeId: tradeId(id.value),
    orderId: orderId(order.value),
    side: isBuyer.value ? 'buy' : 'sell',
    ...amounts.value,
    commissionAsset: commissionAsset.value,
    liquidity: isMaker.value ? 'maker' : 'taker',
    venueTime: venueTime.value,
  });
}

type Amounts = Pick<Fill, 'price' | 'quantity' | 'quoteQuantity' | 'commission' | 'tds'>;

function amountsOf(row: RawObject): Result<Amounts> {
  const price = positiveField(row, 'price');
  if (!price.ok) return price;
  const quantity = positiveField(row, 'qty');
  if (!quantity.ok) return quantity;
  const quoteQuantity = amountField(row, 'quoteQty');
  if (!quoteQuantity.ok) return quoteQuantity;
  const commission = decimalField(row, 'commission');
  if (!commission.ok) return commission;
  const tds = taxOf(row);
  if (!tds.ok) return tds;
  return ok({
    price: price.value,
    quantity: quantity.value,
    quoteQuantity: quoteQuantity.value,
    commission: commission.value.abs(),
    tds: tds.value.abs(),
  });
}

/** "If applicable": absent, null and empty are none. */
function taxOf(row: RawObject): Result<Decimal> {
  return row.tds === undefined || row.tds === null || row.tds === '' ? ok(ZERO) : decimalField(row, 'tds');
}

function commissionAssetOf(row: RawObject, symbol: InstrumentSymbol, commission: Decimal): Result<Asset> {
  const asset = row.commissionAsset;
  if (typeof asset === 'string' && asset !== '') return ok(asset.toUpperCase());
  // Nothing was charged: the asset of nothing does not matter.
  const quote = parseSymbol(symbol)?.quote;
  if (commission.isZero() && quote !== undefined) return ok(quote);
  return fail(`field "commissionAsset" is ${shown(asset)}, not an asset`);
}
