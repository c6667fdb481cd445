// Fills to journal text and back.
import { decimal, plain } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { orderId, tradeId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { type Amount, parseAmount, parseValue, type Value } from '../../../ledger/amount.ts';
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

// A profit of the journal as an exact value.

export function exactValue(text: string): Value {
  const read = parseValue(text);
  invariant(read.ok, () => `Profit '${text}' of the journal is not exact: ${read.ok ? '' : read.error}`);
  return read.value;
}

// An amount that the program itself wrote to the journal: it must be exact.

export function journalAmount(text: string): Amount {
  const read = parseAmount(text);
  invariant(read.ok, () => `Amount '${text}' of the journal is not exact: ${read.ok ? '' : read.error}`);
  return read.value;
}
