// What is truly open against the limits that the bot was given: the exchange's own orders and balances, at each change.
import type { Decimal } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { Holding } from './market-truth.ts';
import type { OwnOrder } from './presence.ts';

/** Largest share of each limit that was used, over time and symbols. */
export interface Worst {
  notional: number;
  orders: number;
  inventory: number;
}

export interface WorstCase {
  look(run: RunSettings, orders: readonly OwnOrder[], held: Held): void;
  readonly worst: Worst;
  /** One sentence for each limit that was passed, with the first moment. */
  readonly breaches: ReadonlyMap<string, string>;
}

interface Held {
  readonly at: EpochMs;
  readonly base: Holding;
  readonly quote: Holding;
}

/** Sums of floating numbers are not exact; a step of price or quantity is far larger. */
const ROUNDING = 1e-9;
const isAbove = (value: number, limit: number): boolean => value > limit + Math.abs(limit) * ROUNDING + ROUNDING;

const timeText = (at: EpochMs): string => new Date(at).toISOString();

export function createWorstCase(): WorstCase {
  const worst: Worst = { notional: 0, orders: 0, inventory: 0 };
  const breaches = new Map<string, string>();

  function breached(symbol: string, what: string, words: string): void {
    const name = `${symbol} ${what}`;
    if (!breaches.has(name)) breaches.set(name, `${symbol}: ${words}.`);
  }

  function atMost(value: number, limit: Decimal | number, { symbol, what, at }: Named): number {
    const most = typeof limit === 'number' ? limit : limit.toNumber();
    if (isAbove(value, most)) breached(symbol, what, `${what} ${value} is more than ${most} at ${timeText(at)}`);
    return value / most;
  }

  function look({ instrument, limits }: RunSettings, orders: readonly OwnOrder[], { at, base, quote }: Held): void {
    const { symbol } = instrument;
    const named = (what: string): Named => ({ symbol, what, at });
    const notional = orders.reduce((sum, { price, remaining }) => sum + price * remaining, 0);
    const ofSide = (side: OwnOrder['side']): number =>
      orders.reduce((sum, order) => (order.side === side ? sum + order.remaining : sum), 0);
    const owned = base.free + base.locked;
    const most = owned + ofSide('buy');
    const least = owned - ofSide('sell');
    worst.notional = Math.max(worst.notional, atMost(notional, limits.maxOpenNotional, named('open notional')));
    worst.orders = Math.max(worst.orders, atMost(orders.length, limits.maxOpenOrders, named('number of open orders')));
    worst.inventory = Math.max(
      worst.inventory,
      atMost(most, limits.maxInventoryBase, named('inventory if every bid fills')),
    );
    const lowest = limits.minInventoryBase.toNumber();
    if (isAbove(lowest, least))
      breached(symbol, 'least', `inventory if every ask fills ${least} is less than ${lowest} at ${timeText(at)}`);
    if (isAbove(0, base.free) || isAbove(0, quote.free))
      breached(
        symbol,
        'funds',
        `more is locked than is owned at ${timeText(at)}: ${base.free} base and ${quote.free} quote free`,
      );
  }

  return { look, worst, breaches };
}

interface Named {
  readonly symbol: string;
  readonly what: string;
  readonly at: EpochMs;
}
