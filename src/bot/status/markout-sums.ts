// Markouts of this process as the page shows them: by symbol, side and time after the fill.

export interface MarkoutSum {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Seconds after the fill; 0 is the fill itself. */
  readonly horizon: number;
  readonly fills: number;
  /** In quote; above zero is in our favor. */
  readonly gained: number;
  /** What these fills were worth, in quote. */
  readonly filled: number;
}

export interface MarkoutSums {
  add(symbol: string, markout: Omit<MarkoutSum, 'symbol' | 'fills'>): void;
  all(): readonly MarkoutSum[];
}

export function markoutSums(): MarkoutSums {
  const sums = new Map<string, MarkoutSum>();
  return {
    add(symbol, { side, horizon, gained, filled }) {
      const key = `${symbol} ${side} ${horizon}`;
      const before = sums.get(key) ?? { fills: 0, gained: 0, filled: 0 };
      sums.set(key, {
        ...{ symbol, side, horizon, fills: before.fills + 1 },
        gained: before.gained + gained,
        filled: before.filled + filled,
      });
    },
    all: () => [...sums.values()],
  };
}
