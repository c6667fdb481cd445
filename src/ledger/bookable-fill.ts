// A fill whose numbers have been proved to be exact amounts: what the ledger and the profit can book without a doubt.
import type { Decimal } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import type { OrderId, TradeId } from '../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { type Amount, amountOf, amountText } from './amount.ts';

/** The part of a fill that moves money, and whose it is. Time and liquidity are not: they may be corrected freely. */
export interface BookableFill {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  readonly tradeId: TradeId;
  readonly orderId: OrderId;
  readonly side: Side;
  /** Quote per base. */
  readonly price: Amount;
  /** Base. */
  readonly quantity: Amount;
  /**
   * Quote, as the venue states it: it moves the wallet, and may differ from price × quantity by the venue's rounding.
   */
  readonly quoteQuantity: Amount;
  readonly commission: Amount;
  readonly commissionAsset: Asset;
  /** Quote, withheld from the proceeds of a sale. */
  readonly tds: Amount;
}

const NUMBERS = ['price', 'quantity', 'quoteQuantity', 'commission', 'tds'] as const;
type Numbers = Record<(typeof NUMBERS)[number], Amount>;

/**
 * Fails with a sentence when a number is negative, not finite or finer than 10^-18, or the symbol is not `BASE/QUOTE`.
 */
export function bookable(fill: Fill): Result<BookableFill> {
  const assets = parseSymbol(fill.symbol);
  if (!assets) return fail(`Trade ${fill.tradeId}: '${fill.symbol}' is not a symbol.`);
  const numbers: Partial<Numbers> = {};
  for (const name of NUMBERS) {
    const read = exact(fill[name]);
    if (!read.ok) return fail(`Trade ${fill.tradeId} of ${fill.symbol}, ${name}: ${read.error}`);
    numbers[name] = read.value;
  }
  const { tradeId, orderId, symbol, side, commissionAsset } = fill;
  return ok({ symbol, ...assets, tradeId, orderId, side, commissionAsset, ...(numbers as Numbers) });
}

function exact(number: Decimal): Result<Amount> {
  const read = amountOf(number);
  return read.ok && read.value < 0n ? fail(`${amountText(read.value)} is negative.`) : read;
}
