// What the market did after a fill, for or against us. Pure.
import type { Side } from '../../src/domain/order.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';

/** Prices by the time from which each held, in the order of time. */
export interface Prices {
  add(at: EpochMs, price: number): void;
  /** What held then; null before the first one. */
  at(moment: EpochMs): number | null;
}

export function createPrices(): Prices {
  const times: EpochMs[] = [];
  const prices: number[] = [];
  return {
    add(at, price) {
      if (prices.at(-1) === price) return;
      times.push(at);
      prices.push(price);
    },
    at(moment) {
      let [low, high] = [0, times.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((times[middle] ?? 0) <= moment) low = middle + 1;
        else high = middle;
      }
      return prices[low - 1] ?? null;
    },
  };
}

export interface TrueFill {
  readonly symbol: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly at: EpochMs;
  /** Withheld tax, in quote. */
  readonly tds: number;
}

/** From the fill's price to the mid `afterMs` later, in basis points of the price; positive is good for us. */
export function markoutBps({ side, price, at }: TrueFill, mids: Prices, afterMs: DurationMs): number | null {
  const mid = mids.at(at + afterMs);
  if (mid === null) return null;
  return ((side === 'buy' ? mid - price : price - mid) / price) * 10_000;
}
