// A dashboard as the JSON that Grafana 10 and later import.
import type { Board, LineStyle, Panel, Row, Words } from './board.ts';
import { ofPrometheus } from './expressions.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const SOURCE: JsonObject = { type: 'prometheus', uid: `\${datasource}` };
const SCREEN_COLUMNS = 24;
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 8;
const NUMBER_HEIGHT = 4;
const TAG = 'quotekeeper';
/** The oldest schema whose panels are all that is used here. */
const SCHEMA_VERSION = 38;

export function grafanaDashboard(board: Board): JsonObject {
  return {
    uid: `quotekeeper-${board.name}`,
    title: board.title,
    description: board.about,
    tags: [TAG],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    links: [OTHER_DASHBOARDS],
    annotations: { list: annotations() },
    templating: { list: variablesOf(board) },
    panels: laidOut(board.rows),
  };
}

/** With what is chosen here, and the same time. */
const OTHER_DASHBOARDS: JsonObject = {
  type: 'dashboards',
  title: 'quotekeeper',
  tags: [TAG],
  asDropdown: false,
  includeVars: true,
  keepTime: true,
  targetBlank: false,
  icon: 'external link',
  tooltip: '',
  url: '',
};

function annotations(): Json[] {
  const annotation = (name: string, expr: string, more: JsonObject): JsonObject => ({
    name,
    datasource: SOURCE,
    enable: true,
    hide: false,
    expr,
    ...more,
  });
  return [
    annotation('Alerts', ofPrometheus('ALERTS', 'alertname=~"Quotekeeper.+"', 'alertstate="firing"'), {
      iconColor: 'red',
      step: '60s',
      titleFormat: '{{alertname}}',
      textFormat: '{{instance}} {{symbol}}',
    }),
    annotation('Starts', `${ofPrometheus('process_start_time_seconds')} * 1000`, {
      iconColor: 'blue',
      useValueForTime: true,
      titleFormat: 'started',
      textFormat: '{{instance}}',
    }),
  ];
}

function variablesOf({ bots, symbols }: Board): Json[] {
  const asked = (name: string, label: string, query: string, several: boolean): JsonObject => ({
    name,
    label,
    type: 'query',
    datasource: SOURCE,
    definition: query,
    query: { query, refId: name },
    refresh: 2,
    sort: 1,
    multi: several,
    includeAll: several,
    // Not the list of all: series without the label are none of it, and new ones come and go.
    ...(several ? { allValue: '.*', current: { selected: true, text: 'All', value: '$__all' } } : { current: {} }),
    options: [],
    regex: '',
    hide: 0,
  });
  const symbol = 'label_values(quotekeeper_quote_state{instance=~"$instance"}, symbol)';
  return [
    { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 },
    asked('instance', 'Bot', 'label_values(quotekeeper_build_info, instance)', bots === 'several'),
    ...(symbols === null ? [] : [asked('symbol', 'Symbol', symbol, symbols === 'several')]),
    {
      name: 'docs',
      label: 'Where docs/operations.md is',
      type: 'textbox',
      query: RUNBOOK,
      current: { selected: true, text: RUNBOOK, value: RUNBOOK },
      options: [{ selected: true, text: RUNBOOK, value: RUNBOOK }],
      hide: 0,
    },
  ];
}

const RUNBOOK = 'docs/operations.md';

/** Rows one below the other, and in each as many panels beside each other as there is room. */
function laidOut(rows: readonly Row[]): Json[] {
  const placed: Json[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({ id: placed.length + 1, ...rowPanel(title, y) });
    y += 1;
    let [x, tallest] = [0, 0];
    for (const panel of panels) {
      const w = panel.width ?? PANEL_WIDTH;
      if (x + w > SCREEN_COLUMNS) [x, y, tallest] = [0, y + tallest, 0];
      const h = panel.height ?? (panel.kind === 'number' ? NUMBER_HEIGHT : PANEL_HEIGHT);
      placed.push({ id: placed.length + 1, gridPos: { x, y, w, h }, ...panelJson(panel) });
      [x, tallest] = [x + w, Math.max(tallest, h)];
    }
    y += tallest;
  }
  return placed;
}

const rowPanel = (title: string, y: number): JsonObject => ({
  type: 'row',
  title,
  collapsed: false,
  gridPos: { x: 0, y, w: SCREEN_COLUMNS, h: 1 },
  panels: [],
});

const TYPES: Readonly<Record<Panel['kind'], string>> = {
  lines: 'timeseries',
  areas: 'timeseries',
  number: 'stat',
  bars: 'bargauge',
  phases: 'state-timeline',
  rows: 'table',
};

function panelJson(panel: Panel): JsonObject {
  return {
    type: TYPES[panel.kind],
    title: panel.title,
    description: descriptionOf(panel),
    datasource: SOURCE,
    links: runbookLinks(panel),
    targets: Object.entries(panel.shows).map(([legend, expr], index) => target(panel, { legend, expr, index })),
    fieldConfig: { defaults: defaultsOf(panel), overrides: overridesOf(panel) },
    options: optionsOf(panel),
    ...(panel.kind === 'rows' ? { transformations: transformationsOf(panel) } : {}),
  };
}

const anchorsOf = ({ alerts = [], chapters = [] }: Panel): readonly string[] => [
  ...alerts.map((alert) => alert.toLowerCase()),
  ...chapters,
];

/** The names of the alerts stand in it too: the links lead nowhere until the variable `docs` is set. */
function descriptionOf(panel: Panel): string {
  const alerts = (panel.alerts ?? []).join(', ');
  return alerts === '' ? panel.about : `${panel.about}\n\nAlerts: ${alerts}.`;
}

function runbookLinks(panel: Panel): Json[] {
  return anchorsOf(panel).map((anchor, index) => ({
    title: `Runbook: ${panel.alerts?.[index] ?? anchor.replaceAll('-', ' ')}`,
    url: `\${docs:raw}#${anchor}`,
    targetBlank: true,
  }));
}

function target({ kind }: Panel, { legend, expr, index }: { legend: string; expr: string; index: number }): JsonObject {
  // What holds now is asked once, not for each moment of the time that is shown.
  const isNow = kind === 'number' || kind === 'bars' || kind === 'rows';
  return {
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: SOURCE,
    editorMode: 'code',
    expr,
    legendFormat: legend,
    instant: isNow,
    range: !isNow,
    format: kind === 'rows' ? 'table' : 'time_series',
  };
}

function defaultsOf({ kind, unit, min, max, from = [], words }: Panel): JsonObject {
  const isColored = words !== undefined || from.length > 0 || kind === 'bars' || kind === 'number';
  const isGraph = kind === 'lines' || kind === 'areas';
  const least = min ?? (kind === 'areas' ? 0 : undefined);
  return {
    unit,
    ...(least === undefined ? {} : { min: least }),
    ...(max === undefined ? {} : { max }),
    color: { mode: isColored && !isGraph ? 'thresholds' : 'palette-classic' },
    thresholds: {
      mode: 'absolute',
      steps: [{ color: 'green', value: null }, ...from.map(([value, color]) => ({ color, value }))],
    },
    mappings: words === undefined ? [] : [mapping(words)],
    custom: isGraph ? graphStyle(kind, from.length > 0) : kind === 'phases' ? { fillOpacity: 80, lineWidth: 0 } : {},
  };
}

function graphStyle(kind: 'lines' | 'areas', hasLimits: boolean): JsonObject {
  return {
    drawStyle: 'line',
    // A number holds until the next scrape: a slope between two of them would be made up.
    lineInterpolation: 'stepAfter',
    lineWidth: 1,
    fillOpacity: kind === 'areas' ? 30 : 0,
    showPoints: 'never',
    spanNulls: false,
    stacking: { mode: kind === 'areas' ? 'normal' : 'none', group: 'A' },
    thresholdsStyle: { mode: hasLimits ? 'dashed' : 'off' },
  };
}

const mapping = (words: Words): JsonObject => ({
  type: 'value',
  options: Object.fromEntries(
    Object.entries(words).map(([value, [text, color]], index) => [value, { text, color, index }]),
  ),
});

function overridesOf({ styles = {} }: Panel): Json[] {
  return Object.entries(styles).map(([legend, style]) => ({
    matcher: { id: 'byName', options: legend },
    properties: propertiesOf(style),
  }));
}

function propertiesOf({ color, line }: LineStyle): Json[] {
  return [
    ...(color === undefined ? [] : [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }]),
    ...(line === 'bold' ? [{ id: 'custom.lineWidth', value: 2 }] : []),
    ...(line === 'dashed' ? [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }] : []),
  ];
}

const NEWEST: JsonObject = { calcs: ['lastNotNull'], fields: '', values: false };

function optionsOf({ kind, words }: Panel): JsonObject {
  switch (kind) {
    case 'lines':
    case 'areas':
      return {
        legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'min', 'max'] },
        tooltip: { mode: 'multi', sort: 'desc' },
      };
    case 'number':
      return {
        reduceOptions: NEWEST,
        colorMode: words === undefined ? 'value' : 'background',
        graphMode: 'none',
        justifyMode: 'center',
        orientation: 'auto',
        textMode: 'value_and_name',
      };
    case 'bars':
      return {
        reduceOptions: NEWEST,
        displayMode: 'basic',
        orientation: 'horizontal',
        showUnfilled: true,
        valueMode: 'text',
        minVizHeight: 12,
      };
    case 'phases':
      return {
        alignValue: 'left',
        mergeValues: true,
        rowHeight: 0.8,
        showValue: 'auto',
        legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
        tooltip: { mode: 'single', sort: 'none' },
      };
    case 'rows':
      return { showHeader: true, cellHeight: 'sm' };
  }
}

/** Labels as columns. The time is now and the value 1, unless the values themselves are the table. */
function transformationsOf({ matrix }: Panel): Json[] {
  if (matrix !== undefined) {
    const { row, column } = matrix;
    return [{ id: 'groupingToMatrix', options: { rowField: row, columnField: column, valueField: 'Value' } }];
  }
  const hidden = ['Time', 'Value', '__name__', 'job'].map((name) => [name, true]);
  return [
    { id: 'organize', options: { excludeByName: Object.fromEntries(hidden), indexByName: {}, renameByName: {} } },
  ];
}
