// The alerts: made of existing metrics and labels, with a chapter for the person who is woken.
import { describe, expect, test } from '@jest/globals';
import { wholeCatalogue } from './dashboards/metric-labels.ts';
import { labelsOf } from './dashboards/promql.ts';
import { alertRules, readText } from './dashboards/read-files.ts';

const rules = alertRules();
const catalogue = wholeCatalogue();
const chapters = [...readText('docs/operations.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

test('every alert has a chapter, every chapter an alert, in the same order', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.map(({ alert }) => alert)).toEqual(chapters);
});

describe.each(rules)('$alert', ({ alert, expr, annotations }) => {
  test('leads to its chapter', () => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  test('says which bot and how much', () => {
    expect(annotations.description).toMatch(/\$labels\.instance/);
    expect(annotations.summary).toMatch(/^[A-Z{].*\.$/);
  });

  test('uses existing metrics, and names their labels', () => {
    const has = labelsOf(expr, catalogue);
    const named = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label = '']) => label);
    expect(named.filter((label) => !has.has(label))).toEqual([]);
  });
});
