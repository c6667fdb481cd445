// How far lists were seen to trail, and how far they are assumed to.
import type { BotStatus } from '../status/bot-status.ts';
import type { Reading, StatusMetric } from './from-status.ts';

const MS = 1_000;
const QUANTILES = [
  ['0.5', 'p50'],
  ['0.9', 'p90'],
  ['0.99', 'p99'],
  ['1', 'max'],
] as const;

const quantiles =
  (which: 'atLeastMs' | 'atMostMs') =>
  ({ trader }: BotStatus): Reading[] =>
    trader.readLags.kinds.flatMap(({ kind, [which]: ranks }) =>
      QUANTILES.map(([quantile, name]) => ({
        labels: { kind, quantile },
        value: ranks === null ? null : ranks[name] / MS,
      })),
    );

export const LAG_METRICS: readonly StatusMetric[] = [
  {
    name: 'read_lag_at_least_seconds',
    help: 'By so much lists trailed at least, of the last 500 own events of a kind. Absent before the first.',
    labels: ['kind', 'quantile'],
    read: quantiles('atLeastMs'),
  },
  {
    name: 'read_lag_at_most_seconds',
    help: 'By so much they trailed at most: mostly how often they are read. Absent before the first.',
    labels: ['kind', 'quantile'],
    read: quantiles('atMostMs'),
  },
  {
    name: 'read_lag_samples',
    help: 'How many events that is of, 500 at most.',
    labels: ['kind'],
    read: ({ trader }) => trader.readLags.kinds.map(({ kind, samples }) => ({ labels: { kind }, value: samples })),
  },
  {
    name: 'read_lag_assumed_seconds',
    help: 'How far lists are assumed to trail at most (assumptions.readLagBoundMs).',
    labels: [],
    read: ({ trader }) => [{ labels: {}, value: trader.readLags.assumedMs / MS }],
  },
  {
    name: 'read_lag_broken_seconds',
    help: 'By so much a list was proved to trail within the last day, where that is more than is assumed; else 0.',
    labels: [],
    read: ({ trader }) => [{ labels: {}, value: (trader.readLags.broken?.atLeastMs ?? 0) / MS }],
  },
];
