// What the base cost that own fills bought and did not sell again.
import { type Decimal, minOf, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { amountDecimal } from '../../../ledger/amount.ts';
import type { DurableMarket } from '../market.ts';

/**
 * The average of `priceOf` over the newest own buys that add up to what is held, in quote per base. Null where nothing
 * is held, or where the buys that are remembered don't add up to it.
 */
export function costOfHeld(
  { pnl, tally }: Pick<DurableMarket, 'pnl' | 'tally'>,
  priceOf: (buy: Fill) => Decimal,
): Decimal | null {
  let missing = amountDecimal(pnl.inventory);
  if (missing.lte(0)) return null;
  const held = missing;
  let cost = ZERO;
  for (const { fill, ours } of tally.recent) {
    if (!ours || fill.side !== 'buy') continue;
    const part = minOf(missing, fill.quantity);
    cost = cost.add(part.mul(priceOf(fill)));
    missing = missing.sub(part);
    if (missing.isZero()) return cost.div(held);
  }
  return null;
}
