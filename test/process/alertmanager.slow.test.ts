// A real Alertmanager with the example of config, faster: who is told what, what is kept back, and the all-clear.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { alertRules, readText } from '../unit/bot/dashboards/read-files.ts';
import { pause, until } from './bot-process.ts';
import { portForServer } from './prometheus.ts';
import { endedOf, findTool } from './tools.ts';

const executable = findTool('prometheus-alertmanager', 'a real Alertmanager with the example of config');
const withTool = executable === null ? test.skip : test;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const messageSchema = z.object({
  receiver: z.string(),
  alerts: z.array(z.object({ status: z.enum(['firing', 'resolved']), labels: z.record(z.string(), z.string()) })),
});

/** What the receivers of the example are told: `page: firing QuotekeeperDown a`, each once, in order. */
async function startReceivers(): Promise<{ readonly port: number; readonly told: string[] }> {
  const told: string[] = [];
  const server = createServer(async (request, response) => {
    const { receiver, alerts } = messageSchema.parse(await json(request));
    for (const { status, labels } of alerts) {
      const line = `${receiver}: ${status} ${labels.alertname} ${labels.instance}`;
      if (!told.includes(line)) told.push(line);
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, told };
}

/** The example with these receivers, and every wait of its routes a second or less. */
function configurationFor(port: number): string {
  return readText('config/alertmanager.example.yaml')
    .replaceAll('127.0.0.1:9099', `127.0.0.1:${port}`)
    .replaceAll(/(group_wait|group_interval): \w+/g, '$1: 300ms');
}

async function startAlertmanager(port: number): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-alertmanager-'));
  const config = path.join(folder, 'alertmanager.yml');
  writeFileSync(config, configurationFor(port));
  const address = `127.0.0.1:${await portForServer()}`;
  const args = [
    `--config.file=${config}`,
    `--storage.path=${path.join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--cluster.listen-address=',
  ];
  const child = spawn(executable ?? '', args, { stdio: 'ignore' });
  closing.push(async () => {
    await endedOf(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = `http://${address}`;
  await until('Alertmanager is ready', async () => (await fetch(`${url}/-/ready`)).ok);
  return url;
}

/** As Prometheus tells of it; over at once where it has ended. */
async function tell(url: string, name: string, instance: string, ended = false): Promise<void> {
  const alertname = `Quotekeeper${name}`;
  const severity = alertRules().find(({ alert }) => alert === alertname)?.labels.severity ?? 'unknown';
  const labels = { alertname, severity, job: 'quotekeeper', instance };
  const moment = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const times = { startsAt: moment(-60_000), endsAt: moment(ended ? -1 : 600_000) };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    headers,
    body: JSON.stringify([{ labels, ...times }]),
  });
  expect(response.status).toBe(200);
}

withTool(
  'a bot that is down keeps back what else is said of it; another bot is heard, and the end is an all-clear',
  async () => {
    const { port, told } = await startReceivers();
    const url = await startAlertmanager(port);
    const heard = (line: string): Promise<unknown> => until(line, () => told.includes(line));

    await tell(url, 'Latched', 'a');
    await heard('page: firing QuotekeeperLatched a');
    await tell(url, 'Down', 'a');
    await heard('page: firing QuotekeeperDown a');
    for (const name of ['NotQuoting', 'SurfaceStale']) await tell(url, name, 'a');
    await tell(url, 'Latched', 'a', true);
    for (const name of ['SymbolHalted', 'SurfaceStale']) await tell(url, name, 'b');
    await heard('page: firing QuotekeeperSymbolHalted b');
    await heard('warn: firing QuotekeeperSurfaceStale b');
    await pause(2_000);
    expect(told.toSorted()).toEqual([
      'page: firing QuotekeeperDown a',
      'page: firing QuotekeeperLatched a',
      'page: firing QuotekeeperSymbolHalted b',
      'warn: firing QuotekeeperSurfaceStale b',
    ]);

    await tell(url, 'Down', 'a', true);
    await heard('page: resolved QuotekeeperDown a');
    await heard('page: firing QuotekeeperNotQuoting a');
    await tell(url, 'SurfaceStale', 'b', true);
    await heard('warn: resolved QuotekeeperSurfaceStale b');
  },
);

withTool('what follows from an exchange that does not answer is not said beside it', async () => {
  const { port, told } = await startReceivers();
  const url = await startAlertmanager(port);
  await tell(url, 'ExchangeSilent', 'a');
  await until('told', () => told.includes('page: firing QuotekeeperExchangeSilent a'));
  for (const name of ['HeartbeatOld', 'NotQuoting', 'Throttled', 'UnknownOrders']) await tell(url, name, 'a');
  await until('told', () => told.includes('page: firing QuotekeeperUnknownOrders a'));
  await pause(2_000);
  expect(told).toEqual(['page: firing QuotekeeperExchangeSilent a', 'page: firing QuotekeeperUnknownOrders a']);
});
