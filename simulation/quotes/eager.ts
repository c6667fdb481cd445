// K13: an order gives way to another one of its level only once it is off: by price or size, or because it is old.
import { Decimal } from '../../src/domain/decimal.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { type FoldedOrder, remainingOf } from '../fold/order-fold.ts';

const BPS = 10_000;
/** What a price may have been moved, and lots taken off, to tell the new one from another order. */
const TICKS_OFF = 2;
const LOTS_OFF = 9;

/** Why the older order need not give way, one sentence; null where it may. */
export function whyTooEager(
  { refresh, instrument, quoting }: RunSettings,
  newer: Pick<JournalIntent, 'price' | 'quantity'> & { readonly sentAt: number },
  older: FoldedOrder,
): string | null {
  const ageMs = newer.sentAt - (older.sentAt ?? Number.NEGATIVE_INFINITY);
  if (ageMs >= refresh.maxOrderAgeMs) return null;
  if (ageMs < refresh.refreshMs) return `It is ${ageMs} ms old, and stays for ${refresh.refreshMs} ms.`;
  const [price, quantity, remaining] = [new Decimal(newer.price), new Decimal(newer.quantity), remainingOf(older)];
  const towards = older.price.sub(price).mul(older.side === 'buy' ? 1 : -1);
  const { priceToleranceBps: nearer, priceToleranceAwayBps: away = 2 * nearer } = refresh;
  const tolerated = older.price.mul(towards.gt(0) ? nearer : away).div(BPS);
  if (towards.abs().add(instrument.tickSize.mul(TICKS_OFF)).gt(tolerated)) return null;
  const lots = instrument.lotSize.mul(Math.max(LOTS_OFF, quoting.saltLots));
  const isSmall = quantity.add(lots).sub(remaining).gte(quantity.mul(refresh.sizeToleranceShortRatio));
  const isLarge = remaining.sub(quantity).gte(remaining.mul(refresh.sizeToleranceRatio));
  if (isSmall || isLarge) return null;
  return (
    `It is at ${older.price.toFixed()} with ${remaining.toFixed()} left, ${price.toFixed()} with ` +
    `${quantity.toFixed()} is wanted, and that is within what is tolerated.`
  );
}
