// Metrics that are read off the bot's status: each is a name, a sentence and a function. Gauges that are not known are
// absent.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BotStatus } from '../status/bot-status.ts';

/** Values of the labels, then the sample: null where it is not known, because 0 would be a claim. */
export type Row = readonly [...labels: string[], value: number | null];

export interface StatusMetric<Status = BotStatus> {
  /** Without the prefix; ends in `_total` where it only rises. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  readonly read: (status: Status) => readonly Row[];
}

export const PREFIX = 'quotekeeper_';

/** `signature`: the name with its labels, `denied_total{symbol,code}`. */
export function metric<Status = BotStatus>(
  signature: string,
  help: string,
  read: (status: Status) => readonly Row[],
): StatusMetric<Status> {
  const [name = '', ...labels] = signature.split(/[{,}]/).filter((part) => part !== '');
  return { name, labels, help, read };
}

/** One without labels. */
export const single = <Status = BotStatus>(
  name: string,
  help: string,
  value: (status: Status) => number | null,
): StatusMetric<Status> => metric<Status>(name, help, (status) => [[value(status)]]);

/** Registers a metric and returns what brings it up to date. */
export function registerStatusMetric(
  { name, help, labels, read }: StatusMetric,
  registry: Registry,
): (status: BotStatus) => void {
  const config = { name: `${PREFIX}${name}`, help, labelNames: labels, registers: [registry] };
  const show = name.endsWith('_total') ? total(new Counter(config)) : gauge(new Gauge(config), labels);
  return (status) =>
    show(
      read(status).flatMap((row): Sample[] => {
        const value = row.at(-1);
        if (typeof value !== 'number' || !Number.isFinite(value)) return [];
        return [[Object.fromEntries(labels.map((label, index) => [label, String(row[index])])), value]];
      }),
    );
}

type Sample = readonly [labels: Record<string, string>, value: number];

function gauge(target: Gauge, labels: readonly string[]): (samples: readonly Sample[]) => void {
  const clear = (): void => {
    target.reset();
    // `reset` gives a gauge without labels the value 0; unknown is not 0.
    if (labels.length === 0) target.remove();
  };
  clear();
  return (samples) => {
    clear();
    for (const [each, value] of samples) target.set(each, value);
  };
}

/**
 * A total that the ledger or a lane counts. It starts where that stands, which is not 0 after a restart, and a
 * corrected fill may lower it: the counter then waits until it is passed again, because Prometheus would take a step
 * down for a restart.
 */
function total(target: Counter): (samples: readonly Sample[]) => void {
  const shown = new Map<string, number>();
  return (samples) => {
    for (const [labels, value] of samples) {
      const key = JSON.stringify(labels);
      const before = shown.get(key) ?? 0;
      target.inc(labels, Math.max(0, value - before));
      shown.set(key, Math.max(before, value));
    }
  };
}

/** A decimal as a number: metrics are for graphs, money is counted elsewhere. Null stays null. */
export const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** One row for each word of a closed list: 1 for the one that holds, 0 for the others. */
export const stateSet = <Word extends string>(words: readonly Word[], holds: Word): [Word, number][] =>
  words.map((word) => [word, Number(word === holds)]);
