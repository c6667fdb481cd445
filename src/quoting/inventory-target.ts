// How much base to hold, from a share of everything.
import { Decimal, ZERO } from '../domain/decimal.ts';

export interface Holdings {
  /** In base. */
  readonly baseTotal: Decimal;
  /** In quote. */
  readonly quoteTotal: Decimal;
  /** In quote per base. */
  readonly referencePrice: Decimal;
}

/** The base that is `targetRatio` (0–1) of all holdings at the reference price: for `MarketView.inventoryTarget`. */
export function inventoryTargetOf(holdings: Holdings, targetRatio: number): Decimal {
  const { baseTotal, quoteTotal, referencePrice } = holdings;
  if (!referencePrice.gt(0)) return ZERO;
  return baseTotal.add(quoteTotal.div(referencePrice)).mul(new Decimal(targetRatio));
}
