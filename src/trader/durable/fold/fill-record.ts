// Fills to journal text and back.
import { decimal, plain } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { orderId, tradeId } from '../../../domain/ids.ts';
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
    symbol: record.symbol,
    tradeId: tradeId(record.tradeId),
    orderId: orderId(record.orderId),
    side: record.side,
    price: decimal(record.price),
    quantity: decimal(record.quantity),
    quoteQuantity: decimal(record.quoteQuantity),
    commission: decimal(record.commission),
    commissionAsset: record.commissionAsset,
    tds: decimal(record.tds),
    liquidity: record.liquidity,
    venueTime: record.venueTime,
  };
}
