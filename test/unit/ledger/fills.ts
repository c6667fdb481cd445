// Fills and amounts for the tests of the ledger.
import * as fc from 'fast-check';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { exactAmount } from '../../../src/ledger/amount.ts';
import { type BookableFill, bookable } from '../../../src/ledger/fill-entries.ts';

export const amt = exactAmount;

export interface FillText {
  readonly id?: string;
  readonly orderId?: string;
  readonly symbol?: string;
  readonly side?: 'buy' | 'sell';
  readonly price?: string;
  readonly quantity?: string;
  readonly quoteQuantity?: string;
  readonly commission?: string;
  readonly commissionAsset?: string;
  readonly tds?: string;
}

/** A fill as the venue tells it: a buy of 0.01 BTC at 5,000,000 INR with a fee of 236 INR, except for what is given. */
export function fillOf(text: FillText): Fill {
  return {
    symbol: text.symbol ?? 'BTC/INR',
    tradeId: tradeId(text.id ?? '1'),
    orderId: orderId(text.orderId ?? '1-1-1'),
    side: text.side ?? 'buy',
    price: decimal(text.price ?? '5000000'),
    quantity: decimal(text.quantity ?? '0.01'),
    quoteQuantity: decimal(text.quoteQuantity ?? '50000'),
    commission: decimal(text.commission ?? '236'),
    commissionAsset: text.commissionAsset ?? 'INR',
    tds: decimal(text.tds ?? '0'),
    liquidity: 'maker',
    venueTime: 1_700_000_000_000,
  };
}

export function bookableOf(text: FillText): BookableFill {
  const read = bookable(fillOf(text));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** A decimal text with as many decimals as told, from 0 to `most` units of the last one. */
export const decimalText = (decimals: number, most: bigint): fc.Arbitrary<string> =>
  fc.bigInt({ min: 0n, max: most }).map((units) => {
    const digits = units.toString().padStart(decimals + 1, '0');
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  });

/** Any fill of BTC/INR; its quote quantity is on purpose not always price × quantity. */
export const anyFill: fc.Arbitrary<BookableFill> = fc
  .record({
    id: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: decimalText(8, 10n ** 16n),
    quantity: decimalText(8, 10n ** 12n),
    quoteQuantity: decimalText(8, 10n ** 18n),
    commission: decimalText(18, 10n ** 20n),
    commissionAsset: fc.constantFrom('BTC', 'INR', 'USDT'),
    tds: decimalText(8, 10n ** 12n),
  })
  .map(bookableOf);
