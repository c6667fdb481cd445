// Every metric that an expression may query, with its labels after scraping.
import { Registry } from 'prom-client';
import { z } from 'zod';
import { watchdogMetrics } from '../../../../src/bot/dead-man/watchdog-report.ts';
import { createMetrics } from '../../../../src/bot/metrics/metrics.ts';
import { samplesOf } from '../metrics-samples.ts';
import { type Catalogue, labelsOf } from './promql.ts';
import { alertRules, recordingRules } from './read-files.ts';

/** Added by scraping. */
const TARGET = ['job', 'instance'];

const metricSchema = z.object({ name: z.string(), type: z.string(), labelNames: z.array(z.string()) });

/** The metrics that the program registers: its own and those of the process. */
function registered(): Map<string, ReadonlySet<string>> {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  const found = z.array(metricSchema).parse(registry.getMetricsAsArray());
  metrics.close();
  return new Map(
    found.flatMap(({ name, type, labelNames }): [string, ReadonlySet<string>][] => {
      const labels = new Set([...TARGET, ...labelNames]);
      if (type !== 'histogram') return [[name, labels]];
      const bucket = new Set([...labels, 'le']);
      return [
        [`${name}_bucket`, bucket],
        [`${name}_sum`, labels],
        [`${name}_count`, labels],
      ];
    }),
  );
}

/** The metrics that the watchdog writes for the node exporter. */
function ofWatchdog(): [string, ReadonlySet<string>][] {
  const state = { phase: 'watching', lived: true, silentSince: null, kill: null } as const;
  const text = watchdogMetrics(state, new Map([['acknowledged', 1]]), 0);
  return [...samplesOf(text).keys()].map((sample) => {
    const [name = '', labels = ''] = sample.split('{');
    return [name, new Set([...TARGET, ...[...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)])];
  });
}

/** All except recorded ones. */
export function metricCatalogue(): Catalogue {
  const alerts = new Set(['alertname', 'alertstate', 'severity', ...TARGET]);
  return new Map([...registered(), ...ofWatchdog(), ['up', new Set(TARGET)], ['ALERTS', alerts]]);
}

/** Includes the recorded ones of config/prometheus-alerts.yaml, and the labels of its alerts. */
export function wholeCatalogue(): Catalogue {
  const all = new Map(metricCatalogue());
  for (const { record, expr } of recordingRules()) all.set(record, labelsOf(expr, all));
  const alerts = alertRules().flatMap(({ expr }) => [...labelsOf(expr, all)]);
  all.set('ALERTS', new Set([...(all.get('ALERTS') ?? []), ...alerts]));
  return all;
}
