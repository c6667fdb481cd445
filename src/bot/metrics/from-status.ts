// Metrics derived from the bot's status: each is a name, a sentence and a function. Unknown gauges are absent.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BotStatus } from '../status/bot-status.ts';

/** A number, or a decimal as text: metrics are for graphs. Null if unknown, because 0 would be a claim. */
type Value = number | string | null;
/** Values of the labels, then the sample. */
export type Row = readonly [...labels: string[], value: Value];
/** A value alone: that of a metric without labels of its own. */
export type Rows = readonly Row[] | Value;

export interface StatusMetric {
  /** Without the prefix; ends in `_total` if it only increases. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  readonly read: (status: BotStatus) => Rows;
}

export const PREFIX = 'quotekeeper_';

/** `signature`: the name with its labels, `denied_total{symbol,code}`. */
export function metric(signature: string, help: string, read: StatusMetric['read']): StatusMetric {
  const [name = '', ...labels] = signature.split(/[{,}]/).filter((part) => part !== '');
  return { name, labels, help, read };
}

export const rowsOf = (read: Rows): readonly Row[] => (Array.isArray(read) ? read : [[read as Value]]);

/** Registers a metric and returns its update function. */
export function registerStatusMetric(
  { name, help, labels, read }: StatusMetric,
  registry: Registry,
): (status: BotStatus) => void {
  const config = { name: `${PREFIX}${name}`, help, labelNames: labels, registers: [registry] };
  const show = name.endsWith('_total') ? total(new Counter(config)) : gauge(new Gauge(config), labels);
  return (status) =>
    show(
      rowsOf(read(status)).flatMap((row): Sample[] => {
        const value = Number(row.at(-1) ?? Number.NaN);
        if (!Number.isFinite(value)) return [];
        return [[Object.fromEntries(labels.map((label, index) => [label, String(row[index])])), value]];
      }),
    );
}

type Sample = readonly [labels: Record<string, string>, value: number];

function gauge(target: Gauge, labels: readonly string[]): (samples: readonly Sample[]) => void {
  const clear = (): void => {
    target.reset();
    // `reset` sets a gauge without labels to 0, but unknown is not 0.
    if (labels.length === 0) target.remove();
  };
  clear();
  return (samples) => {
    clear();
    for (const [each, value] of samples) target.set(each, value);
  };
}

/**
 * A total that the ledger or a lane counts. It starts at their value, which is not 0 after a restart. A corrected fill
 * may lower that; the counter then waits until it is exceeded again, since Prometheus would take a decrease for a
 * restart.
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

/** One row per word of a closed list: 1 for the current one, 0 for the others. */
export const stateSet = <Word extends string>(words: readonly Word[], holds: Word): [Word, number][] =>
  words.map((word) => [word, Number(word === holds)]);
