// The price that profit is worked out at: the last reference price that the jump check accepted, never that of a book
// as it came.
import { Decimal, decimal, plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { marketIn } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import { marketOf, type TraderState } from '../state/state.ts';

export interface TrustedPrice {
  readonly price: Decimal;
  /** When the book that had it was asked for. */
  readonly at: EpochMs;
}

/**
 * Of this session, or the last one that an order was placed at; null where no price was ever trusted. Never one that a
 * person typed.
 */
export function trustedPrice(
  state: Pick<TraderState, 'durable' | 'markets'>,
  symbol: InstrumentSymbol,
): TrustedPrice | null {
  const { lastGoodReference: price, lastGoodAt: at } = marketOf(state, symbol);
  if (price !== null && at !== null) return { price, at };
  const before = marketIn(state.durable, symbol).lastReference;
  return before === null || before.isStated ? null : { price: decimal(before.price), at: before.at };
}

/**
 * What a fill is valued at when it is booked. Null where this session trusts no price yet: the fold then takes the
 * last one that it used, because one of hours ago would turn the market's move since then into spread.
 */
export function fillPriceText({ lastGoodReference }: Market): string | null {
  return lastGoodReference === null ? null : plain(lastGoodReference.toDecimalPlaces(18, Decimal.ROUND_DOWN));
}
