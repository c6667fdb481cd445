// The fold of the lots that own buys brought: as many as what is held needs, oldest first by trade.
import { ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds } from '../../../domain/ids.ts';
import { amountDecimal } from '../../../ledger/amount.ts';
import type { DurableMarket } from '../market.ts';
import { feeWorth, type OwnLot } from '../remembered/held-cost.ts';

/** So many stay though nothing of them is held: a sale may be taken back. */
const KEPT = 20;
/** Beyond it the two oldest become one: what is held still costs the same. */
const MOST_LOTS = 100;

/** Once the own fill is in the profit. */
export function addToLots(market: DurableMarket, fill: Fill): void {
  if (fill.side === 'buy')
    market.ownLots = [...market.ownLots, lotOf(fill)].sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  while (hasTooMany(market)) market.ownLots = market.ownLots.slice(1);
  const [oldest, next, ...rest] = market.ownLots;
  if (oldest !== undefined && next !== undefined && market.ownLots.length > MOST_LOTS)
    market.ownLots = [together(oldest, next), ...rest];
}

/** The fill is taken back, or booked anew. */
export function takeFromLots(market: DurableMarket, { tradeId, side }: Pick<Fill, 'tradeId' | 'side'>): void {
  if (side === 'sell') return;
  market.ownLots = market.ownLots.filter((lot) => compareTradeIds(lot.tradeId, tradeId) !== 0);
}

const lotOf = (fill: Fill): OwnLot => ({
  tradeId: fill.tradeId,
  quantity: fill.quantity,
  worth: fill.price.mul(fill.quantity),
  fee: feeWorth(fill),
});

/** Whether the oldest is of what was sold again. */
function hasTooMany({ ownLots, pnl }: DurableMarket): boolean {
  if (ownLots.length <= KEPT) return false;
  const newer = ownLots.slice(1).reduce((sum, { quantity }) => sum.add(quantity), ZERO);
  return newer.gte(amountDecimal(pnl.inventory));
}

const together = (older: OwnLot, newer: OwnLot): OwnLot => ({
  tradeId: newer.tradeId,
  quantity: older.quantity.add(newer.quantity),
  worth: older.worth.add(newer.worth),
  fee: older.fee.add(newer.fee),
});
