import type { Scene } from '../checks/scene.ts';

/**
 * Whether the market has more orders of the account than a list shows: such lists prove nothing, and nothing is placed
 * by them.
 */
export function isListCut(scene: Scene, symbol: string): boolean {
  const { openOrdersCap } = scene.exchange().controls.quirks;
  if (openOrdersCap === null) return false;
  return scene.oracle.live().filter((order) => order.symbol === symbol).length >= openOrdersCap;
}
