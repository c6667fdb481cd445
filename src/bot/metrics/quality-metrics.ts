// Lag of lists, lifetime of quotes, and prices after fills.

import { Counter, type Registry } from 'prom-client';
import { BLOCKS } from '../../quoting/block.ts';
import { TRACKS } from '../../trader/state/time-account.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { metric, PREFIX, type Row, type StatusMetric, single } from './from-status.ts';
import { MARKOUT_HORIZONS, type Markout } from './markouts.ts';

const MS = 1_000;
const QUANTILES = [
  ['0.5', 'p50'],
  ['0.9', 'p90'],
  ['0.99', 'p99'],
  ['1', 'max'],
] as const;

const quantiles =
  (which: 'atLeastMs' | 'atMostMs') =>
  ({ trader }: BotStatus): Row[] =>
    trader.readLags.kinds.flatMap(({ kind, [which]: ranks }) =>
      QUANTILES.map(([quantile, name]): Row => [kind, quantile, ranks === null ? null : ranks[name] / MS]),
    );

export const QUALITY_METRICS: readonly StatusMetric[] = [
  metric(
    'read_lag_at_least_seconds{kind,quantile}',
    'By so much lists trailed at least, of the last 500 own events of a kind. Absent before the first.',
    quantiles('atLeastMs'),
  ),
  metric(
    'read_lag_at_most_seconds{kind,quantile}',
    'By so much they trailed at most: mostly how often they are read. Absent before the first.',
    quantiles('atMostMs'),
  ),
  metric('read_lag_samples{kind}', 'How many events that is of, 500 at most.', ({ trader }) =>
    trader.readLags.kinds.map(({ kind, samples }) => [kind, samples]),
  ),
  single(
    'read_lag_assumed_seconds',
    'How far lists are assumed to trail at most (assumptions.readLagBoundMs).',
    ({ trader }) => trader.readLags.assumedMs / MS,
  ),
  single(
    'read_lag_broken_seconds',
    'By so much a list was proved to trail within the last day, where that is more than is assumed; else 0.',
    ({ trader }) => (trader.readLags.broken?.atLeastMs ?? 0) / MS,
  ),
  metric(
    'presence_seconds_total{symbol,side}',
    'Seconds with a live and fresh order on the side since the start of the process; `both`: two-sided.',
    ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.map((side): Row => [symbol, side, sinceStart[side].freshMs / MS]),
      ),
  ),
  metric(
    'presence_lost_seconds_total{symbol,side,reason}',
    'Seconds without one, each by its one reason; docs/operations.md lists them. With the others all seconds.',
    ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.flatMap((side) => {
          const lost = new Map(sinceStart[side].lost.map(({ reason, ms }) => [reason, ms]));
          // Includes reasons with no time yet: a counter that appears with its first event shows no increase.
          return BLOCKS.map((reason): Row => [symbol, side, reason, (lost.get(reason) ?? 0) / MS]);
        }),
      ),
  ),
];

export interface MarkoutCounters {
  /** Starts at zero: a counter that appears with its first event shows no increase. */
  begin(symbol: string): void;
  count(symbol: string, markout: Markout): void;
}

export function markoutCounters(registry: Registry): MarkoutCounters {
  const gained = new Counter({
    name: `${PREFIX}markout_quote_total`,
    help:
      'Gain or loss of own fills against the trusted price this many seconds later, in quote; horizon 0 is ' +
      'the fill itself. Fills of this process, where that price is known.',
    labelNames: ['symbol', 'side', 'horizon', 'result'],
    registers: [registry],
  });
  const filled = new Counter({
    name: `${PREFIX}markout_filled_quote_total`,
    help: 'Value of these fills, in quote.',
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
