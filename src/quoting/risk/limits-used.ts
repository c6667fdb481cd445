// How much of the limits on what is open and held is used: what an operator watches before the gate denies.
import { Decimal, maxOf } from '../../domain/decimal.ts';
import { everyBidFilled, openNotionalOf } from './exposure-checks.ts';
import type { RiskContext } from './risk-context.ts';

/** By their keys under `limits` of a run. */
export const WATCHED_LIMITS = [
  'maxOpenOrders',
  'maxOpenOrdersOverAll',
  'maxOpenNotional',
  'maxOpenNotionalOverAll',
  'maxInventoryBase',
  'repeatedFills',
] as const;
export type WatchedLimit = (typeof WATCHED_LIMITS)[number];

/** What is used of a limit over the limit: 1 is all of it. */
export type LimitsUsed = Readonly<Record<WatchedLimit, number>>;

/**
 * Counts as checks 5, 6 and 8 of docs/risk.md do, without an order to judge. `oneSidedFills`: what one side filled more
 * than the other within the window of check 8, in quote.
 */
export function limitsUsed(
  context: Pick<RiskContext, 'orders' | 'totals' | 'limits' | 'base' | 'baseInOtherMarkets'>,
  oneSidedFills: Decimal,
): LimitsUsed {
  const { orders, totals, limits } = context;
  const { maxOpenOrders, maxOpenOrdersOverAll, maxOpenNotional, maxInventoryBase } = limits;
  const { maxOpenNotionalOverAll: overAll } = limits;
  const open = openNotionalOf(orders);
  return {
    maxOpenOrders: orders.length / maxOpenOrders,
    maxOpenOrdersOverAll: totals.openOrders / maxOpenOrdersOverAll,
    maxOpenNotional: ratio(open, maxOpenNotional),
    maxOpenNotionalOverAll: overAll === undefined ? 0 : ratio(maxOf(totals.openNotional, open), overAll),
    maxInventoryBase: ratio(everyBidFilled(context), maxInventoryBase),
    repeatedFills: ratio(oneSidedFills, limits.maxOrderNotional.mul(new Decimal(limits.repeatedFills))),
  };
}

const ratio = (used: Decimal, limit: Decimal): number =>
  used.div(limit).toDecimalPlaces(6, Decimal.ROUND_UP).toNumber();
