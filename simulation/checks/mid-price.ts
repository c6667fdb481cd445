// The true state of a market, from the exchange's own engine.
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { reader } from '../../src/matching/engine.ts';
import type { CheckContext } from './context.ts';

/** The middle of the book in quote; null while a side is empty. */
export function midPriceOf(context: CheckContext, { symbol, tickSize }: Instrument): Decimal | null {
  const market = reader(context.exchange().engine);
  const bid = market.best(symbol, 'buy')?.price;
  const ask = market.best(symbol, 'sell')?.price;
  return bid === undefined || ask === undefined ? null : tickSize.mul(bid + ask).div(2);
}
