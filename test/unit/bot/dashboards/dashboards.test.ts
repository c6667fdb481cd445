// The dashboards: made of existing metrics and labels, distinct, explained, and linked to the runbook.
import { describe, expect, test } from '@jest/globals';
import { metricCatalogue, wholeCatalogue } from './metric-labels.ts';
import { labelsOf } from './promql.ts';
import {
  alertRules,
  type Dashboard,
  dashboards,
  expressionsOf,
  listedSeries,
  type Panel,
  readText,
  recordingRules,
  withVariables,
} from './read-files.ts';

const all = dashboards();
const catalogue = wholeCatalogue();
const anchors = new Set(
  [...readText('docs/operations.md').matchAll(/^#{2,4} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ),
);
const shown = ({ panels }: Dashboard): Panel[] => panels.filter(({ type }) => type !== 'row');
const linked = ({ links }: Panel): string[] => links.map(({ url }) => url.split('#')[1] ?? '');

test('every alert is linked from a panel that shows its metric', () => {
  const links = new Set(all.flatMap(shown).flatMap(linked));
  expect(alertRules().filter(({ alert }) => !links.has(alert.toLowerCase()))).toEqual([]);
});

test('every recorded metric is used by an alert or shown by a panel', () => {
  const read = [...alertRules(), ...all.flatMap(expressionsOf)].map(({ expr }) => expr).join('\n');
  const idle = recordingRules().filter(({ record }) => !read.includes(record));
  expect(idle.map(({ record }) => record)).toEqual([]);
});

test('no recorded metric has another metric’s name, and all are made of existing metrics', () => {
  const known = new Map(metricCatalogue());
  for (const { record, expr } of recordingRules()) {
    expect(record).toMatch(/^quotekeeper:[a-z_]+:[a-z0-9_]+$/);
    known.set(record, labelsOf(expr, known));
  }
});

describe.each(all.map((dashboard) => [dashboard.file, dashboard] as const))('%s', (_file, dashboard) => {
  const panels = shown(dashboard);

  test('queries existing metrics, with their labels', () => {
    const asked = [...expressionsOf(dashboard), ...listedSeries(dashboard)];
    expect(asked.length).toBeGreaterThan(20);
    for (const { expr } of asked) labelsOf(withVariables(expr), catalogue);
  });

  test('lists bots and symbols by existing labels', () => {
    const listed = listedSeries(dashboard);
    expect(listed.map(({ label }) => label)).toContain('instance');
    for (const { expr, label } of listed) expect(labelsOf(withVariables(expr), catalogue)).toContain(label);
  });

  test('shows only the chosen bots, except for watchdogs, which have no bot label', () => {
    const others = expressionsOf(dashboard).filter(({ expr }) => !expr.includes('instance=~"$instance"'));
    expect(others.filter(({ expr }) => !expr.includes('quotekeeper_watchdog_'))).toEqual([]);
  });

  test('names the lines of a panel by existing labels, each differently', () => {
    for (const { title, type, targets } of panels.filter(({ type }) => type !== 'table')) {
      for (const { expr, legendFormat } of targets) {
        const has = labelsOf(withVariables(expr), catalogue);
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
        expect({ expr, unknown: named.filter((label) => !has.has(label)) }).toEqual({ expr, unknown: [] });
      }
      const legends = new Set(targets.map(({ legendFormat }) => legendFormat));
      expect([type, title, legends.size]).toEqual([type, title, targets.length]);
    }
  });

  test('explains each panel, with its unit', () => {
    for (const { title, description, fieldConfig } of panels) {
      expect(description).toMatch(/^[A-Z1`].{15,}[.:?)]$/s);
      expect({ title, unit: fieldConfig?.defaults.unit }).toEqual({ title, unit: expect.stringMatching(/./) });
    }
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(dashboard.description).toMatch(/^[A-Z].*\.$/);
  });

  test('links to existing chapters', () => {
    const lost = panels.flatMap(linked).filter((anchor) => !anchors.has(anchor));
    expect(lost).toEqual([]);
    for (const { links, description } of panels)
      for (const { title } of links.filter(({ title }) => title.includes('Quotekeeper')))
        expect(description).toContain(title.replace('Runbook: ', ''));
  });

  test('styles existing lines', () => {
    for (const { targets, fieldConfig } of panels) {
      const legends = targets.map(
        ({ legendFormat }) => new RegExp(`^${legendFormat.replaceAll(/\{\{\w+\}\}/g, '.+')}$`),
      );
      for (const { matcher } of fieldConfig?.overrides ?? [])
        expect([matcher.options, legends.some((legend) => legend.test(matcher.options))]).toEqual([
          matcher.options,
          true,
        ]);
    }
  });

  test('has its colors by name: each has a shade for dark and one for light', () => {
    expect(dashboard.text).not.toMatch(/"(?:#[0-9a-f]{3,8}|rgba?\()/i);
  });

  test('puts no panel over another one or beyond the screen', () => {
    const taken = new Set<string>();
    for (const { gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken).not.toContain(`${x} ${y}`);
          taken.add(`${x} ${y}`);
        }
    }
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
