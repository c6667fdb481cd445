// Every expression of every dashboard, and everything that is recorded, asked of a real Prometheus that scrapes a bot
// which trades: each is understood and has something to show.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  alertRules,
  dashboards,
  expressionsOf,
  listedSeries,
  recordingRules,
  withVariables,
} from '../unit/bot/dashboards/read-files.ts';
import { endProjects, LIVELY, newProject, until } from './bot-process.ts';
import { type Prometheus, queryOnce, startPrometheus } from './prometheus.ts';
import { findTool } from './tools.ts';

const executable = findTool('prometheus', 'every expression of the dashboards against a real Prometheus');
const withTool = executable === null ? test.skip : test;
const PATIENCE_MS = 150_000;

/** What a bot that is well has not, by where it stands, and when it would have it. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  'overview.json Alerts A': 'no alert is pending or fires',
  'overview.json annotation Alerts': 'no alert fires',
  'symbol.json annotation Alerts': 'no alert fires',
  'requests.json annotation Alerts': 'no alert fires',
  'order-truth.json annotation Alerts': 'no alert fires',
  'overview.json What the rest was lost to A': 'only while time is lost',
  'symbol.json Buy side: what the rest was lost to A': 'only while time is lost',
  'symbol.json Sell side: what the rest was lost to A': 'only while time is lost',
  'symbol.json Denied A': 'only after a denial',
  'requests.json What did not go well A': 'only after an error',
  'requests.json Answers by status A': 'only after an error',
  'requests.json Oldest message that waits A': 'only with channels (`notify`)',
  'requests.json Oldest message that waits B': 'only with channels (`notify`)',
  'requests.json Messages to people A': 'only with channels (`notify`)',
  'order-truth.json Creates without a certain answer A': 'only after a lost answer',
  'order-truth.json Orders that are not counted on A': 'only while orders leave or are unknown',
  'order-truth.json Halted now A': 'only while a symbol is halted',
  'order-truth.json Halts in an hour A': 'only after a halt',
};

const closing: (() => Promise<void> | void)[] = [];
let prometheus: Prometheus;

beforeAll(async () => {
  if (executable === null) return;
  const project = await newProject({ ...LIVELY, 'watchdog.mode': 'required' });
  const watchdog = project.start(['watchdog', project.config]);
  await project.readyBot();
  await watchdog.said('"op":"bot-lives"');
  // As the node exporter does with the files of its folder.
  const file = path.join(project.stateFolder, 'watchdog.prom');
  const textfiles = createServer((_request, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  closing.push(() => void textfiles.close());
  await once(textfiles, 'listening');
  const address = textfiles.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  prometheus = await startPrometheus(executable, {
    quotekeeper: `127.0.0.1:${project.pagePort}`,
    node: `127.0.0.1:${port}`,
  });
  closing.push(prometheus.end);
});

afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await endProjects();
});

const asked = [
  ...dashboards().flatMap((each) => [...expressionsOf(each), ...listedSeries(each)]),
  ...recordingRules().map(({ record, expr }) => ({ at: `recorded ${record}`, expr })),
  ...recordingRules().map(({ record }) => ({ at: `series ${record}`, expr: record })),
].map(({ at, expr }) => ({ at: at.replace(/^config\/grafana\//, ''), expr: withVariables(expr, '30s') }));

/** Those that have no series yet. Throws where Prometheus refuses one. */
async function empty(of: readonly (typeof asked)[number][]): Promise<(typeof asked)[number][]> {
  const found: (typeof asked)[number][] = [];
  for (const each of of) if (((await queryOnce(prometheus, each.expr)) ?? []).length === 0) found.push(each);
  return found;
}

withTool(
  'every expression is understood, and has a series: but for those that a bot that is well has not',
  async () => {
    let left: readonly (typeof asked)[number][] = asked;
    const allShown = async (): Promise<boolean> => {
      left = await empty(left);
      return left.every(({ at }) => MAY_BE_EMPTY[at] !== undefined);
    };
    await until('all have series', allShown, { withinMs: PATIENCE_MS, everyMs: 1_000 }).catch(() => {});
    expect(left.filter(({ at }) => MAY_BE_EMPTY[at] === undefined)).toEqual([]);
    expect(asked.length).toBeGreaterThan(100);
    console.log(
      `${asked.length} expressions; empty: ${left.map(({ at }) => `${at} (${MAY_BE_EMPTY[at]})`).join(', ')}.`,
    );
  },
);

withTool('every alert is understood', async () => {
  for (const { expr } of alertRules()) await queryOnce(prometheus, expr);
});

withTool('fills are followed by their markouts, at the fill and five seconds later', async () => {
  for (const horizon of ['0', '5']) {
    const expr = `sum(quotekeeper_markout_filled_quote_total{horizon="${horizon}"}) > 0`;
    await until(`markouts after ${horizon} s`, async () => ((await queryOnce(prometheus, expr)) ?? []).length > 0);
  }
});

test('what may be empty is asked for', () => {
  const known = new Set(asked.map(({ at }) => at));
  expect(Object.keys(MAY_BE_EMPTY).filter((at) => !known.has(at))).toEqual([]);
});
