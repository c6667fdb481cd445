// Models that are solved for whole orders, between bounds of inventory.
import type { SideDistances } from './levels.ts';

/** Distance of a quote at an inventory in whole orders; null where nothing more may be bought, or sold. */
type At = (inventory: number) => number | null;

/** The distance of a bid at any inventory: between whole orders it is taken to be straight. */
export function bidBetween(inventory: number, most: number, at: At): number | null {
  if (inventory >= most) return null;
  const held = Math.max(-most, inventory);
  const below = Math.floor(held);
  const [low, high] = [at(below), at(below + 1)];
  if (low === null || high === null) return low;
  return low + (held - below) * (high - low);
}

/** An ask is the bid of who holds as much too few. */
export const askBetween = (inventory: number, most: number, at: At): number | null =>
  bidBetween(-inventory, most, (mirrored) => at(-mirrored));

/**
 * The inventory that prices lean by. A multiplier makes it larger, but carries it to no bound, where a side has no
 * price: it ends an order before, or at the inventory itself.
 */
export function leanWithin(inventory: number, multiplier: number, most: number): number {
  const inside = Math.max(most - 1, Math.abs(inventory));
  return Math.max(-inside, Math.min(inside, inventory * multiplier));
}

/** At a bound a side has no quote, whatever the lean of its distances. */
export const withinBounds = ({ buy, sell }: SideDistances, inventory: number, most: number): SideDistances => ({
  buy: inventory >= most ? null : buy,
  sell: inventory <= -most ? null : sell,
});

/** Why a side without a distance has none. */
export function boundWords({ buy, sell }: SideDistances, most: number): { buy?: string; sell?: string } {
  const words = (what: string): string => `${most} orders too ${what}: mostInventoryOrders is reached.`;
  return { ...(buy === null && { buy: words('much') }), ...(sell === null && { sell: words('few') }) };
}
