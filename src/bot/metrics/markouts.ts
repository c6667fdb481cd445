// Compares each own fill's price with the trusted price some seconds later. A market maker earns at the fill and then
// loses to better-informed traders; this shows how much is left.
import type { Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { FILLS_SHOWN, marketIn } from '../../trader/durable/market.ts';
import { trustedPrice } from '../../trader/money/trusted-price.ts';
import type { Market } from '../../trader/state/market.ts';
import type { TraderState, With } from '../../trader/state/state.ts';

/** Seconds after the fill; 0 is the fill itself. Shorter ones would fall between two polls. */
export const MARKOUT_HORIZONS = [0, 5, 60, 300] as const;
export type MarkoutHorizon = (typeof MARKOUT_HORIZONS)[number];

/** One own fill. */
export interface MarkedFill {
  /** Unique together with its side. */
  readonly tradeId: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  /** By our clock. */
  readonly at: EpochMs;
}

export interface PriceAt {
  readonly value: number;
  /** When its book was requested, by our clock. */
  readonly at: EpochMs;
}

/** Price and fills of one symbol at one time. */
interface MarketSeen {
  /** The price used for profit; null before the first. */
  readonly price: PriceAt | null;
  /** The latest own fills. */
  readonly fills: readonly MarkedFill[];
  readonly now: EpochMs;
}

export interface Markout {
  readonly side: Side;
  readonly horizon: MarkoutHorizon;
  /** In quote; positive is in our favor. */
  readonly gained: number;
  /** Value of the fill, in quote. */
  readonly filled: number;
}

interface Waiting {
  readonly fill: MarkedFill;
  readonly horizon: MarkoutHorizon;
  /** When its price is due. */
  readonly due: EpochMs;
}

/** A price says nothing about a time that is further away than this, or than a quarter of the horizon. */
const PRICE_HOLDS_MS: DurationMs = 10_000;
/** Fills arrive late; markouts due longer ago than this are given up. */
const PRICES_KEPT_MS: DurationMs = 600_000;

/**
 * Markouts of one symbol. The first call's fills are old and not counted. A horizon without a recent enough price is
 * left out, not guessed.
 */
export class Markouts {
  readonly #prices: PriceAt[] = [];
  #seen: ReadonlySet<string> | null = null;
  #waiting: readonly Waiting[] = [];

  /** Returns the markouts that became known. Call about once a second. */
  observe({ price, fills, now }: MarketSeen): readonly Markout[] {
    if (price !== null) this.#keep(price, now);
    const known = this.#seen;
    this.#seen = new Set(fills.map(nameOf));
    const fresh = known === null ? [] : fills.filter((fill) => !known.has(nameOf(fill)));
    const all = [...this.#waiting, ...fresh.flatMap(horizonsOf)];
    const newest = this.#prices.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    const isDue = ({ due, horizon }: Waiting): boolean => newest >= due || now > due + holdsFor(horizon);
    this.#waiting = all.filter((each) => !isDue(each));
    return all.filter(isDue).flatMap((each) => this.#markoutOf(each));
  }

  #keep(price: PriceAt, now: EpochMs): void {
    const last = this.#prices.at(-1);
    if (last !== undefined && price.at === last.at) return;
    // Our clock was set back: older and newer prices can't be told apart, and pending markouts would be due much later.
    if (last !== undefined && price.at < last.at) {
      this.#prices.length = 0;
      this.#waiting = [];
    }
    this.#prices.push(price);
    const old = this.#prices.findIndex(({ at }) => at >= now - PRICES_KEPT_MS);
    this.#prices.splice(0, Math.max(0, old));
  }

  #markoutOf({ fill, horizon, due }: Waiting): readonly Markout[] {
    const price = this.#prices.findLast(({ at }) => at <= due);
    if (price === undefined || due - price.at > holdsFor(horizon)) return [];
    const { side, quantity } = fill;
    const gained = (side === 'buy' ? price.value - fill.price : fill.price - price.value) * quantity;
    return [{ side, horizon, gained, filled: fill.price * quantity }];
  }
}

const nameOf = ({ tradeId, side }: MarkedFill): string => `${tradeId} ${side}`;

const horizonsOf = (fill: MarkedFill): Waiting[] =>
  MARKOUT_HORIZONS.map((horizon) => ({ fill, horizon, due: fill.at + horizon * 1_000 }));

const holdsFor = (horizon: MarkoutHorizon): DurationMs => Math.max(PRICE_HOLDS_MS, horizon * 250);

// Checks own fills and prices once a second, and measures price moves after each fill. Reads only.

const MARKOUTS_EVERY_MS = 1_000;

interface MarkoutWatch {
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
