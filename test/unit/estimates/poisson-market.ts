// A simulated market of which the truth is known: takers that arrive by a Poisson process, polled by pages.
import { exponential, type RandomStream } from '../../../src/crowd/random.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import type { Side } from '../../../src/domain/order.ts';

export interface Arrivals {
  readonly perSecond: number;
  readonly seconds: number;
  readonly takerSide: Side;
  /** Price of a trade at this moment; null: this taker finds nothing to take. */
  readonly priceAt: (venueTime: number) => number | null;
}

/** Trades in order of time, which is rounded to whole milliseconds. */
export function poissonTrades(
  stream: RandomStream,
  { perSecond, seconds, takerSide, priceAt }: Arrivals,
): PublicTrade[] {
  const trades: PublicTrade[] = [];
  for (let time = exponential(stream, 1 / perSecond); time < seconds; time += exponential(stream, 1 / perSecond)) {
    const venueTime = Math.floor(time * 1_000);
    const price = priceAt(venueTime);
    // Quantities differ, so that no two trades are equal.
    if (price !== null)
      trades.push({ price: decimal(price), quantity: decimal(trades.length + 1), takerSide, venueTime });
  }
  return trades;
}

export const inOrder = (...lists: readonly (readonly PublicTrade[])[]): PublicTrade[] =>
  lists.flat().sort((a, b) => a.venueTime - b.venueTime);

export const every = (stepMs: number, untilMs: number): number[] =>
  Array.from({ length: Math.floor(untilMs / stepMs) }, (_, index) => (index + 1) * stepMs);
