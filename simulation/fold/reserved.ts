// What orders that may be live reserve and come to, worked out from their folded terms and the settings of their run.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import { type FoldedOrder, remainingOf } from './order-fold.ts';

const runOf = ({ runs }: Pick<TraderSettings, 'runs'>, symbol: string): RunSettings | undefined =>
  runs.find(({ instrument }) => instrument.symbol === symbol);

type Terms = Pick<FoldedOrder, 'symbol' | 'side' | 'price' | 'quantity' | 'filled' | 'state'>;

export interface Reserved {
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * M5: what remains of it in base, or what that costs in quote at the higher of the two fees; nothing once it is closed.
 */
export function reservedBy(settings: TraderSettings, order: Terms): Reserved | null {
  const run = runOf(settings, order.symbol);
  if (run === undefined) return null;
  const { instrument, costs } = run;
  const remaining = order.state === 'closed' ? ZERO : remainingOf(order);
  if (order.side === 'sell') return { asset: instrument.base, amount: remaining };
  const fee = Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio);
  return { asset: instrument.quote, amount: order.price.mul(remaining).mul(fee.add(1)) };
}

/** By asset. */
export function reservedByAll(settings: TraderSettings, orders: Iterable<Terms>): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const order of orders) {
    const reserved = reservedBy(settings, order);
    if (reserved !== null) sums.set(reserved.asset, (sums.get(reserved.asset) ?? ZERO).add(reserved.amount));
  }
  return sums;
}

export interface Open {
  readonly notional: Decimal;
  readonly orders: number;
}

/** Price times what remains, and the number; of orders in another quote asset the number alone. */
export function openOf(settings: TraderSettings, orders: Iterable<FoldedOrder>, quote: string): Open {
  let notional = ZERO;
  let count = 0;
  for (const order of orders) {
    count += 1;
    if (runOf(settings, order.symbol)?.instrument.quote === quote)
      notional = notional.add(order.price.mul(remainingOf(order)));
  }
  return { notional, orders: count };
}
