// The price for valuing profit: the last reference price that the jump check accepted, never a raw book's.
import { Decimal, decimal, plain } from '../../domain/decimal.ts';
import type { EpochMs } from '../../domain/time.ts';
import { marketIn } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import type { With } from '../state/state.ts';

export interface TrustedPrice {
  readonly price: Decimal;
  /** When its book was requested. */
  readonly at: EpochMs;
}

/**
 * From this session, or the price of the last placed order; null if no price was ever trusted. Never one that a person
 * stated.
 */
export function trustedPrice(state: With<'durable'>, market: Market): TrustedPrice | null {
  const { lastGoodReference: price, lastGoodAt: at } = market;
  if (price !== null && at !== null) return { price, at };
  const before = marketIn(state.durable, market.symbol).lastReference;
  return before === null || before.isStated ? null : { price: decimal(before.price), at: before.at };
}

/**
 * The valuation price of a fill when it is booked. Null if this session trusts no price yet: the fold then uses its
 * last one, because a price from hours ago would turn the market's move since then into spread.
 */
export function fillPriceText({ lastGoodReference }: Market): string | null {
  return lastGoodReference === null ? null : plain(lastGoodReference.toDecimalPlaces(18, Decimal.ROUND_DOWN));
}
