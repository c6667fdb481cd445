import type { CheckContext } from '../checks/context.ts';

/**
 * Whether the market has more orders of the account than a list shows: such lists prove nothing, and nothing is placed
 * by them.
 */
export function isListCut(context: CheckContext, symbol: string): boolean {
  const { openOrdersCap } = context.exchange().controls.quirks;
  if (openOrdersCap === null) return false;
  return context.oracle.live().filter((order) => order.symbol === symbol).length >= openOrdersCap;
}
