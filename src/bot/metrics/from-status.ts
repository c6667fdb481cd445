// Metrics that are read off the bot's status: each is a name, a sentence and a function. Gauges that are not known are
// absent.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BotStatus } from '../status/bot-status.ts';

export type Labels = Readonly<Record<string, string>>;

/** One sample. `value` is null where it is not known: then there is no sample, because 0 would be a claim. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number | null;
}

export interface StatusMetric {
  /** Without the prefix; ends in `_total` where it only rises. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  read(status: BotStatus): readonly Reading[];
}

export const PREFIX = 'quotekeeper_';

/** Registers a metric and returns what brings it up to date. */
export function registerStatusMetric(metric: StatusMetric, registry: Registry): (status: BotStatus) => void {
  const config = {
    name: `${PREFIX}${metric.name}`,
    help: metric.help,
    labelNames: metric.labels,
    registers: [registry],
  };
  return metric.name.endsWith('_total') ? total(metric, new Counter(config)) : gauge(metric, new Gauge(config));
}

function gauge(metric: StatusMetric, target: Gauge): (status: BotStatus) => void {
  clear(metric, target);
  return (status) => {
    clear(metric, target);
    for (const { labels, value } of metric.read(status)) if (isKnown(value)) target.set(labels, value);
  };
}

/** `reset` gives a gauge without labels the value 0; unknown is not 0. */
function clear(metric: StatusMetric, target: Gauge): void {
  target.reset();
  if (metric.labels.length === 0) target.remove();
}

/**
 * A total that the ledger or a lane counts. It starts where that stands, which is not 0 after a restart, and a
 * corrected fill may lower it: the counter then waits until it is passed again, because Prometheus would take a step
 * down for a restart.
 */
function total(metric: StatusMetric, target: Counter): (status: BotStatus) => void {
  const shown = new Map<string, number>();
  return (status) => {
    for (const { labels, value } of metric.read(status)) {
      if (!isKnown(value)) continue;
      const key = JSON.stringify(metric.labels.map((name) => labels[name]));
      const before = shown.get(key) ?? 0;
      target.inc(labels, Math.max(0, value - before));
      shown.set(key, Math.max(before, value));
    }
  };
}

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);

/** A decimal as a number: metrics are for graphs, money is counted elsewhere. Null stays null. */
export const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** One reading for each word of a closed list: 1 for the one that holds, 0 for the others. */
export function stateSet<Word extends string>(words: readonly Word[], holds: Word, label: string): Reading[] {
  return words.map((word) => ({ labels: { [label]: word }, value: word === holds ? 1 : 0 }));
}
