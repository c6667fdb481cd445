// What the base cost that own fills bought and did not sell again.
import { type Decimal, minOf, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import type { TradeId } from '../../../domain/ids.ts';
import { parseSymbol } from '../../../domain/instrument.ts';
import { amountDecimal } from '../../../ledger/amount.ts';
import type { Pnl } from '../../../ledger/pnl.ts';

/** What own buys brought: one, or the oldest in one where there are too many. */
export interface OwnLot {
  /** Of the newest buy in it. */
  readonly tradeId: TradeId;
  /** Base. */
  readonly quantity: Decimal;
  /** Price × quantity, in quote. */
  readonly worth: Decimal;
  /** In quote. */
  readonly fee: Decimal;
}

/**
 * The average of `costOf` over the newest own buys that add up to what is held, in quote per base. Null where nothing
 * is held, or where the buys that are remembered don't add up to it.
 */
export function costOfHeld(
  { pnl, ownLots }: { readonly pnl: Pick<Pnl, 'inventory'>; readonly ownLots: readonly OwnLot[] },
  costOf: (lot: OwnLot) => Decimal,
): Decimal | null {
  let missing = amountDecimal(pnl.inventory);
  if (missing.lte(0)) return null;
  const held = missing;
  let cost = ZERO;
  for (const lot of ownLots.toReversed()) {
    const part = minOf(missing, lot.quantity);
    cost = cost.add(costOf(lot).mul(part).div(lot.quantity));
    missing = missing.sub(part);
    if (missing.isZero()) return cost.div(held);
  }
  return null;
}

/** A fee in base is worth the fill's price; one in a third asset has no price here. */
export function feeWorth({ symbol, price, commission, commissionAsset }: Fill): Decimal {
  const assets = parseSymbol(symbol);
  if (commissionAsset === assets?.quote) return commission;
  return commissionAsset === assets?.base ? commission.mul(price) : ZERO;
}
