// Markouts as counters: gains and losses apart, because a counter only rises. What is gained less what is lost, over
// what was filled, is the average of any time, weighted by size, over symbols and restarts.
import { Counter, type Registry } from 'prom-client';
import { PREFIX } from './from-status.ts';
import { MARKOUT_HORIZONS, type Markout } from './markouts.ts';

export interface MarkoutCounters {
  /** From zero: a counter that appears with its first event shows no increase. */
  begin(symbol: string): void;
  count(symbol: string, markout: Markout): void;
}

export function markoutCounters(registry: Registry): MarkoutCounters {
  const gained = new Counter({
    name: `${PREFIX}markout_quote_total`,
    help:
      'What own fills gained or lost against the trusted price so many seconds after them, in quote; horizon 0 is ' +
      'the fill itself. Fills of this process, where that price is known.',
    labelNames: ['symbol', 'side', 'horizon', 'result'],
    registers: [registry],
  });
  const filled = new Counter({
    name: `${PREFIX}markout_filled_quote_total`,
    help: 'What these fills were worth, in quote.',
    labelNames: ['symbol', 'side', 'horizon'],
    registers: [registry],
  });
  function count(symbol: string, { side, horizon, gained: result, filled: worth }: Markout): void {
    const labels = { symbol, side, horizon: String(horizon) };
    gained.inc({ ...labels, result: 'gain' }, Math.max(0, result));
    gained.inc({ ...labels, result: 'loss' }, Math.max(0, -result));
    filled.inc(labels, worth);
  }
  return {
    begin(symbol) {
      for (const horizon of MARKOUT_HORIZONS)
        for (const side of ['buy', 'sell'] as const) count(symbol, { side, horizon, gained: 0, filled: 0 });
    },
    count,
  };
}
