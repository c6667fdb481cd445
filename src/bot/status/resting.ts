// How many own orders may rest on the exchange, in words: what matters most when nothing else works.

import type { StandingCounts, StatusSnapshot } from '../../trader/status/snapshot.ts';
import { countStandings } from '../../trader/status/standing.ts';

export function standingsOf({ symbols }: Pick<StatusSnapshot, 'symbols'>): StandingCounts & { readonly all: number } {
  const orders = symbols.flatMap((symbol) => symbol.orders);
  return { ...countStandings(orders), all: orders.length };
}

/** `1 own order`, `2 own orders`. */
export const ownOrders = (count: number): string => `${count} own ${count === 1 ? 'order' : 'orders'}`;

/** What may rest while nothing is quoted: a sentence, or nothing where no order can. */
export function mayRest(trader: Pick<StatusSnapshot, 'symbols' | 'phase' | 'flat'>): string {
  const { all } = standingsOf(trader);
  if (all > 0) return ` ${ownOrders(all)} may still rest on the exchange.`;
  // A second copy of a create, or one that only a person can tell to be the bot's, is no order that is known.
  return trader.phase === 'stopped' && !trader.flat
    ? ' It is not proved that none of its orders rests on the exchange.'
    : '';
}
