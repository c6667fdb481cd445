// For what share of the last minute a symbol had a live order. A scrape sees a moment in fifteen seconds: gaps that
// come and go slip through.
import type { StatusSnapshot, SymbolView } from '../../trader/snapshot.ts';

/** How often is looked, and over how many looks the share is. */
export const LOOK_EVERY_MS = 1_000;
const LOOKS = 60;

export interface QuotedShare {
  /** To be called every second. */
  look(trader: Pick<StatusSnapshot, 'phase' | 'symbols'>): void;
  /**
   * Null where quoting is not meant to go on: the bot is not running, or the symbol is halted. Those have alerts of
   * their own.
   */
  of(symbol: string): number | null;
}

export function quotedShare(): QuotedShare {
  const looks = new Map<string, boolean[]>();
  return {
    look({ phase, symbols }) {
      for (const view of symbols) {
        if (phase !== 'running' || view.state === 'halted') looks.delete(view.symbol);
        else looks.set(view.symbol, [...(looks.get(view.symbol) ?? []), hasLiveOrder(view)].slice(-LOOKS));
      }
    },
    of(symbol) {
      const seen = looks.get(symbol) ?? [];
      return seen.length === 0 ? null : seen.filter(Boolean).length / seen.length;
    },
  };
}

const hasLiveOrder = ({ sides }: SymbolView): boolean => sides.buy.state === 'quoted' || sides.sell.state === 'quoted';
