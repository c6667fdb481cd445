// The dashboards and rules in config, as Grafana and Prometheus read them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const ROOT = path.resolve(import.meta.dirname, '../../../..');
const DASHBOARDS = 'config/grafana';
export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const recordingSchema = z.strictObject({ record: z.string(), expr: z.string() });
const alertSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
});
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.union([recordingSchema, alertSchema])) })),
});

export type RecordingRule = z.output<typeof recordingSchema>;
export type AlertRule = z.output<typeof alertSchema>;

const rules = (): readonly (RecordingRule | AlertRule)[] =>
  rulesSchema.parse(parse(readText('config/prometheus-alerts.yaml'))).groups.flatMap((group) => group.rules);

export const recordingRules = (): RecordingRule[] => rules().filter((rule) => 'record' in rule);
export const alertRules = (): AlertRule[] => rules().filter((rule) => 'alert' in rule);

const targetSchema = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string(), instant: z.boolean() });
const panelSchema = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  description: z.string().default(''),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  links: z.array(z.object({ title: z.string(), url: z.string() })).default([]),
  fieldConfig: z
    .object({
      defaults: z.object({ unit: z.string() }),
      overrides: z.array(z.object({ matcher: z.object({ options: z.string() }) })),
    })
    .optional(),
  targets: z.array(targetSchema).default([]),
});
const variableSchema = z.object({
  name: z.string(),
  query: z.union([z.string(), z.object({ query: z.string() })]),
});
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  description: z.string(),
  panels: z.array(panelSchema),
  templating: z.object({ list: z.array(variableSchema) }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string() })) }),
});

export type Panel = z.output<typeof panelSchema>;
export interface Dashboard extends z.output<typeof dashboardSchema> {
  readonly file: string;
  readonly text: string;
}

export function dashboards(): Dashboard[] {
  const files = readdirSync(path.join(ROOT, DASHBOARDS)).map((name) => `${DASHBOARDS}/${name}`);
  return files.map((file) => {
    const text = readText(file);
    return { file, text, ...dashboardSchema.parse(JSON.parse(text)) };
  });
}

export interface Asked {
  /** Its place, for a message. */
  readonly at: string;
  readonly expr: string;
}

/** Every expression of a dashboard: panels, annotations. */
export function expressionsOf({ file, panels, annotations }: Dashboard): Asked[] {
  return [
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ refId, expr }) => ({ at: `${file} ${title} ${refId}`, expr })),
    ),
    ...annotations.list.map(({ name, expr }) => ({ at: `${file} annotation ${name}`, expr })),
  ];
}

/** The series behind the lists of bots and symbols at the top. */
export function listedSeries({ file, templating }: Dashboard): (Asked & { readonly label: string })[] {
  return templating.list.flatMap(({ name, query }) => {
    const text = typeof query === 'string' ? query : query.query;
    const [, expr, label] = /^label_values\((.+), (\w+)\)$/.exec(text) ?? [];
    return expr === undefined || label === undefined ? [] : [{ at: `${file} variable ${name}`, expr, label }];
  });
}

/** As Grafana sends it with everything selected. */
export const withVariables = (expr: string, window = '1m'): string =>
  expr.replaceAll(/\$__(?:rate_interval|range)\b/g, window).replaceAll(/\$(?:instance|symbol)\b/g, '.*');
