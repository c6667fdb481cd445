// What spot trades and simple buys and sells of the account have in common (specification 2.13, 2.14): unknown → an
// execution.
import type { Decimal } from '../../domain/decimal.ts';
import type { SbsTrade } from '../../domain/fill.ts';
import { tradeId } from '../../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { ok, type Result } from '../../domain/result.ts';
import {
  amountField,
  booleanField,
  chargeField,
  decimalField,
  digitsField,
  positiveField,
  type RawObject,
  symbolField,
  timeField,
  wrong,
} from './fields.ts';

/** The fields of both lists. Signs of `commission` and `tds` differ between venues (Q11): both come out positive. */
export function executionOf(row: RawObject): Result<SbsTrade> {
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
