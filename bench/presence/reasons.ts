// Why there was no quote, in the trader's own words: its state of each side, asked once a second.
// Asking runs the strategy and so may change what the trader does next: only where it is wanted.
import { type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { World } from '../../src/sim/play.ts';
import { takeSnapshot } from '../../src/trader/take-snapshot.ts';
import type { Span } from './spans.ts';

export interface Reasons {
  watch(world: World): void;
  /** Seconds of sides without a quote, by the state that the side had; all symbols and sides together. */
  lost(): Readonly<Record<string, number>>;
}

export function createReasons({ from, until }: Span): Reasons {
  const lost = new Map<string, number>();
  let askAt: EpochMs = from;
  return {
    watch({ trader, now }) {
      if (now < askAt || now >= until) return;
      const seconds = 1 + Math.floor((now - askAt) / SECOND);
      askAt += seconds * SECOND;
      for (const { sides } of takeSnapshot(trader, now).symbols) {
        for (const { state } of [sides.buy, sides.sell])
          if (state !== 'quoted') lost.set(state, (lost.get(state) ?? 0) + seconds);
      }
    },
    lost: () => Object.fromEntries(lost),
  };
}
