// The base that a symbol's own settings let it hold: what the pipeline sizes quotes by, and the gate judges orders by.
import { Decimal, minOf } from '../domain/decimal.ts';
import type { QuotingSettings } from './quoting-settings.ts';
import type { MarketView } from './strategy.ts';

/** The base that may be held, whichever orders fill. */
export interface InventoryRange {
  /** The tightest of `maxBase`, `maxBaseRatio` and what the portfolio leaves; `null` where none binds. */
  readonly most: Decimal | null;
  readonly least: Decimal;
}

export function inventoryRange(
  { base, quote, referencePrice, mostBase }: Pick<MarketView, 'base' | 'quote' | 'referencePrice' | 'mostBase'>,
  { minBase: least, maxBase, maxBaseRatio }: QuotingSettings['inventory'],
): InventoryRange {
  const byAmount = [maxBase, mostBase].filter((bound) => bound !== undefined && bound !== null);
  if (maxBaseRatio === 1) return { least, most: byAmount.length === 0 ? null : byAmount.reduce(minOf) };
  const everything = base.total.add(quote.total.div(referencePrice));
  return { least, most: byAmount.reduce(minOf, everything.mul(new Decimal(maxBaseRatio))) };
}
