// A real Prometheus scrapes the page: it finds the target up, stores the numbers, and evaluates the rules.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createLog } from '../../src/bot/base/log.ts';
import { createMetrics } from '../../src/bot/metrics/metrics.ts';
import { startWeb } from '../../src/bot/web/web-server.ts';
import { statusFixture } from '../browser/status-fixture.ts';
import { findTool } from './tools.ts';

const prometheus = findTool('prometheus', 'a real Prometheus that scrapes the page');
const withTool = prometheus === null ? test.skip : test;
const RULES = path.resolve(import.meta.dirname, '../../config/prometheus-alerts.yaml');

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openPage(): Promise<string> {
  const metrics = createMetrics();
  const log = createLog({ level: 'silent' }, { stream: { write: () => true }, isTerminal: false });
  const status = () => statusFixture({ latched: 'A test set it.' });
  const always = () => true;
  const web = await startWeb({ host: '127.0.0.1', port: 0, status, ready: always, healthy: always, metrics, log });
  closing.push(metrics.close, () => web.close());
  return new URL(web.url).host;
}

/** A port that was free a moment ago: Prometheus can't be asked which one the system gave it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startPrometheus(target: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-prometheus-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const config = path.join(folder, 'prometheus.yml');
  writeFileSync(config, configurationFor(target));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--storage.tsdb.retention.size=64MB',
    '--log.level=error',
  ];
  const child = spawn(prometheus ?? '', args, { stdio: 'ignore' });
  closing.push(() => ended(child));
  return `http://${address}`;
}

const configurationFor = (target: string): string => `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${JSON.stringify(RULES)}]
scrape_configs:
  - job_name: quotekeeper
    static_configs: [{ targets: [${JSON.stringify(target)}] }]
`;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

/** The samples of an expression as soon as there are any; Prometheus needs some seconds to start and to scrape. */
async function query(prometheusUrl: string, expression: string) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const url = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const answer = await fetch(url).then(
      (response) => (response.ok ? response.json() : null),
      () => null,
    );
    const parsed = answerSchema.safeParse(answer);
    if (parsed.success && parsed.data.data.result.length > 0) return parsed.data.data.result;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Prometheus had no sample of ${expression} after 20 seconds.`);
}

withTool(
  'Prometheus finds the bot up, reads its numbers, and raises the alert of the kill latch',
  async () => {
    const url = await startPrometheus(await openPage());
    const [reference] = await query(url, 'quotekeeper_reference_price{symbol="BTC/INR"}');
    expect(reference?.value[1]).toBe('5508460.5');
    expect((await query(url, 'up{job="quotekeeper"}'))[0]?.value[1]).toBe('1');
    expect((await query(url, 'quotekeeper_event_loop_delay_seconds_count'))[0]?.metric.job).toBe('quotekeeper');
    const [alert] = await query(url, 'ALERTS{alertname="QuotekeeperLatched", alertstate="firing"}');
    expect(alert?.metric.severity).toBe('critical');
  },
  60_000,
);
