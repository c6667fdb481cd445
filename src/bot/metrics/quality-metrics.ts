// Lag of lists, lifetime of quotes, and prices after fills.
import { BLOCKS } from '../../quoting/block.ts';
import { TRACKS } from '../../trader/state/time-account.ts';
import type { BotStatus, MarkoutSum } from '../status/bot-status.ts';
import { metric, type Row, type StatusMetric } from './from-status.ts';
import { MARKOUT_HORIZONS } from './markouts.ts';

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

/** All of them from the start: a counter that appears with its first event shows no increase. */
const markoutRows =
  (valuesOf: (sum: MarkoutSum | undefined) => readonly Row[]) =>
  ({ trader, markouts }: BotStatus): Row[] =>
    trader.symbols.flatMap(({ symbol }) =>
      (['buy', 'sell'] as const).flatMap((side) =>
        MARKOUT_HORIZONS.flatMap((horizon) => {
          const sum = markouts.find((each) => each.symbol === symbol && each.side === side && each.horizon === horizon);
          return valuesOf(sum).map((row): Row => [symbol, side, String(horizon), ...row]);
        }),
      ),
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
  metric(
    'read_lag_assumed_seconds',
    'How far lists are assumed to trail at most (assumptions.readLagBoundMs).',
    ({ trader }) => trader.readLags.assumedMs / MS,
  ),
  metric(
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
  metric(
    'markout_quote_total{symbol,side,horizon,result}',
    'Gain or loss of own fills against the trusted price this many seconds later, in quote; horizon 0 is the fill ' +
      'itself. Fills of this process, where that price is known.',
    markoutRows((sum) => [
      ['gain', (sum?.gained ?? 0) + (sum?.lost ?? 0)],
      ['loss', sum?.lost ?? 0],
    ]),
  ),
  metric(
    'markout_filled_quote_total{symbol,side,horizon}',
    'Value of these fills, in quote.',
    markoutRows((sum) => [[sum?.filled ?? 0]]),
  ),
];
