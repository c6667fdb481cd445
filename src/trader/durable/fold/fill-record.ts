// Fills to journal text and back. The program itself wrote the text: it must be exact.
import { decimal, plain } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { orderId, tradeId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { type BookableFill, bookable } from '../../../ledger/fill-entries.ts';
import type { FillRecord } from '../events.ts';

export function toFillRecord(fill: Fill): FillRecord {
  return {
    symbol: fill.symbol,
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    side: fill.side,
    price: plain(fill.price),
    quantity: plain(fill.quantity),
    quoteQuantity: plain(fill.quoteQuantity),
    commission: plain(fill.commission),
    commissionAsset: fill.commissionAsset,
    tds: plain(fill.tds),
    liquidity: fill.liquidity,
    venueTime: fill.venueTime,
  };
}

export function fromFillRecord(record: FillRecord): Fill {
  return {
    ...record,
    tradeId: tradeId(record.tradeId),
    orderId: orderId(record.orderId),
    price: decimal(record.price),
    quantity: decimal(record.quantity),
    quoteQuantity: decimal(record.quoteQuantity),
    commission: decimal(record.commission),
    tds: decimal(record.tds),
  };
}

export function bookableOf(record: FillRecord): BookableFill {
  const checked = bookable(fromFillRecord(record));
  invariant(checked.ok, () => `A trade of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  return checked.value;
}
