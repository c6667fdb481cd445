// The alerts and what they rest on: metrics that exist, and a chapter for whoever is woken.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../../src/bot/metrics/metrics.ts';
import { statusFixture } from '../../browser/status-fixture.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const rules = rulesSchema.parse(parse(read('config/prometheus-alerts.yaml'))).groups.flatMap((group) => group.rules);
const chapters = [...read('docs/operations.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

async function metricNames(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics();
  metrics.update(statusFixture());
  metrics.observeJournalCommit(0.001);
  const text = await metrics.text();
  metrics.close();
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    declared.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
}

test('every alert has a chapter, every chapter an alert, in the same order', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.map(({ alert }) => alert)).toEqual(chapters);
});

describe.each(rules)('$alert', ({ alert, expr, annotations }) => {
  test('leads to its chapter', () => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  test('says who and how much', () => {
    expect(annotations.description).toMatch(/\$labels\.instance/);
    expect(annotations.summary).toMatch(/^[A-Z{].*\.$/);
  });

  test('reads metrics that there are', async () => {
    const names = await metricNames();
    const used = [...expr.matchAll(/\bquotekeeper_\w+/g)].map(([name]) => name);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
    expect(used.length > 0 || expr.includes('up{job="quotekeeper"}')).toBe(true);
  });
});
