// A real Prometheus that scrapes what a test has started, once a second, and evaluates the rules of config.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { endedOf } from './tools.ts';

const RULES = path.resolve(import.meta.dirname, '../../config/prometheus-alerts.yaml');

/** A port that was free a moment ago: Prometheus can't be asked which one the system gave it. */
export async function portForServer(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export interface Prometheus {
  readonly url: string;
  end(): Promise<void>;
}

/** `executable`: as `findTool` found it. `jobs`: name → `host:port`. */
export async function startPrometheus(executable: string, jobs: Readonly<Record<string, string>>): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-prometheus-'));
  const config = path.join(folder, 'prometheus.yml');
  writeFileSync(config, configurationFor(jobs));
  const address = `127.0.0.1:${await portForServer()}`;
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--storage.tsdb.retention.size=64MB',
    '--log.level=error',
  ];
  const child = spawn(executable, args, { stdio: 'ignore' });
  const end = async (): Promise<void> => {
    await endedOf(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { url: `http://${address}`, end };
}

/** In JSON, which is YAML. */
const configurationFor = (jobs: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [RULES],
    scrape_configs: Object.entries(jobs).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  });

const samplesSchema = z.array(
  z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
);
const answerSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), data: z.object({ result: samplesSchema }) }),
  z.object({ status: z.literal('error'), error: z.string() }),
]);
export type Sample = z.output<typeof samplesSchema>[number];

/** What holds now, once; null while Prometheus does not answer yet. Throws where it refuses the expression. */
export async function queryOnce({ url }: Prometheus, expression: string): Promise<readonly Sample[] | null> {
  const body = new URLSearchParams({ query: expression });
  const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body }).catch(() => null);
  const parsed = answerSchema.safeParse(await response?.json().catch(() => null));
  if (!parsed.success) return null;
  if (parsed.data.status === 'error') throw new Error(`${parsed.data.error}: ${expression}`);
  return parsed.data.data.result;
}
