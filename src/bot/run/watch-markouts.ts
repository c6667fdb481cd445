// Checks own fills and prices once a second, and measures price moves after each fill. Reads only.
import type { EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { FILLS_SHOWN, marketIn } from '../../trader/durable/market.ts';
import { trustedPrice } from '../../trader/money/trusted-price.ts';
import type { Market } from '../../trader/state/market.ts';
import type { TraderState, With } from '../../trader/state/state.ts';
import { type MarketSeen, type Markout, Markouts } from '../metrics/markouts.ts';

const MARKOUTS_EVERY_MS = 1_000;

export interface MarkoutWatch {
  readonly state: () => TraderState;
  readonly clock: Clock;
  /** Called with each markout. */
  readonly heard: readonly ((symbol: string, markout: Markout) => void)[];
}

/** Does not keep the process alive. */
export function watchMarkouts({ state, clock, heard }: MarkoutWatch): { end(): void } {
  const bySymbol = new Map<string, Markouts>();
  const look = (): void => {
    const now = state();
    for (const [symbol, market] of now.markets) {
      const markouts = bySymbol.get(symbol) ?? new Markouts();
      bySymbol.set(symbol, markouts);
      for (const each of markouts.observe(marketSeen(now, market, clock.now())))
        for (const hear of heard) hear(symbol, each);
    }
  };
  look();
  const timer = setInterval(look, MARKOUTS_EVERY_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

function marketSeen(state: With<'durable' | 'clock'>, market: Market, now: EpochMs): MarketSeen {
  const trusted = trustedPrice(state, market);
  const offsetMs = state.clock?.offsetMs ?? 0;
  const own = marketIn(state.durable, market.symbol)
    .recent.slice(-FILLS_SHOWN)
    .filter(({ ours }) => ours);
  return {
    price: trusted && { value: trusted.price.toNumber(), at: trusted.at },
    fills: own.map(({ fill: { tradeId, side, price, quantity, venueTime } }) => ({
      tradeId,
      side,
      price: price.toNumber(),
      quantity: quantity.toNumber(),
      at: venueTime - offsetMs,
    })),
    now,
  };
}
