// Reservations and totals of orders that may be live, computed from their terms in the journal and the settings of
// their run.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import type { JournalIntent } from './journal-intent.ts';

const runOf = ({ runs }: Pick<TraderSettings, 'runs'>, symbol: string): RunSettings | undefined =>
  runs.find(({ instrument }) => instrument.symbol === symbol);

type Terms = Pick<JournalIntent, 'symbol' | 'side' | 'price' | 'quantity' | 'filled' | 'state'>;

export interface Reserved {
  readonly asset: string;
  readonly amount: Decimal;
}

/** M4: the original quantity minus the booked one; zero if more is booked. */
export const remainingOf = ({ quantity, filled }: Pick<Terms, 'quantity' | 'filled'>): Decimal =>
  Decimal.max(ZERO, new Decimal(quantity).sub(filled));

/** M5: its remaining base, or the cost of that in quote at the higher of the two fees; zero once it is closed. */
export function reservedBy(settings: TraderSettings, order: Terms): Reserved | null {
  const run = runOf(settings, order.symbol);
  if (run === undefined) return null;
  const { instrument, costs } = run;
  const remaining = order.state === 'closed' ? ZERO : remainingOf(order);
  if (order.side === 'sell') return { asset: instrument.base, amount: remaining };
  const fee = Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio);
  return { asset: instrument.quote, amount: remaining.mul(order.price).mul(fee.add(1)) };
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

/** Price times remaining quantity; zero for orders in another quote asset. */
export function notionalOf(settings: TraderSettings, orders: readonly Terms[], quote: string): Decimal {
  const here = orders.filter(({ symbol }) => runOf(settings, symbol)?.instrument.quote === quote);
  return here.reduce((sum, order) => sum.add(remainingOf(order).mul(order.price)), ZERO);
}
