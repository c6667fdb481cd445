import type { CheckContext } from '../checks/context.ts';

/**
 * Whether the account has more orders in the market than a list shows: such lists prove nothing, and no order relies on
 * them.
 */
export function isListCut(context: CheckContext, symbol: string): boolean {
  const { openOrdersCap } = context.exchange().controls.quirks;
  if (openOrdersCap === null) return false;
  return context.oracle.live().filter((order) => order.symbol === symbol).length >= openOrdersCap;
}
