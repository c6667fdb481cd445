// P4: CPU of the client per signed POST against bare got with the same options, both behind Bottleneck.
import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import Bottleneck from 'bottleneck';
import got from 'got';
import { createExchangeClient } from '../src/client/exchange-client.ts';
import { createLane } from '../src/client/pace/lane.ts';
import { createGotTransport } from '../src/client/transport/got-transport.ts';
import { Secret } from '../src/client/wire/secret.ts';
import { decimal } from '../src/domain/decimal.ts';
import { realClock } from '../src/ports/clock.ts';
import { realRandom } from '../src/ports/random.ts';
import { DIALECT } from '../src/venue/dialect.ts';
import type { VenueRequest } from '../src/venue/requests.ts';
import { type BenchResult, median } from './measure.ts';

const REQUESTS = 1_000;
const ROUNDS = 5;
const IN_FLIGHT = 16;
/** So many that the lane never waits. */
const REQUESTS_PER_SECOND = 1_000_000;
const ORDER_ID = '1-9007199254740993-1';

interface Caller {
  readonly name: string;
  /** One POST; returns the order's id. */
  readonly post: () => Promise<string>;
  readonly close: () => Promise<void> | void;
}

export async function run(): Promise<BenchResult> {
  const server = spawn(process.execPath, [`${import.meta.dirname}/client-server.ts`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => server.stdout.once('data', (text) => resolve(Number(text))));
  const url = `http://127.0.0.1:${port}`;
  const callers = [ours(url), peer(url)];
  const cpuUs = callers.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, caller] of callers.entries()) {
      const spent = await cpuPerRequest(caller);
      if (round > 0) cpuUs[index]?.push(spent);
    }
  }
  for (const caller of callers) await caller.close();
  server.stdin.end();
  return { title: 'P4 client, CPU per signed POST, 16 in flight', lines: linesOf(callers, cpuUs) };
}

function linesOf(callers: readonly Caller[], cpuUs: readonly number[][]): string[] {
  const base = median(cpuUs.at(-1) ?? []);
  return callers.map(({ name }, index) => {
    const runs = cpuUs[index] ?? [];
    const spread = `${Math.min(...runs).toFixed(0)}–${Math.max(...runs).toFixed(0)} µs`;
    return (
      `${name.padEnd(28)} ${median(runs).toFixed(0).padStart(5)} µs  ${(median(runs) / base).toFixed(2)} ×  ` +
      `(${spread})`
    );
  });
}

async function cpuPerRequest(caller: Caller): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  let left = REQUESTS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const id = await caller.post();
      if (id !== ORDER_ID) throw new Error(`${caller.name} read the order id ${id}, not ${ORDER_ID}.`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

function ours(url: string): Caller {
  const transport = createGotTransport({ baseUrls: [url] }, realClock);
  const client = createExchangeClient({
    settings: {
      baseUrl: url,
      dialect: DIALECT,
      key: new Secret('bench-key'),
      secret: new Secret('bench-secret'),
      deadlineMs: 10_000,
      userAgent: 'quotekeeper/bench',
    },
    transport,
    clock: realClock,
  });
  const settings = { requestsPerSecond: REQUESTS_PER_SECOND, maxInFlight: IN_FLIGHT };
  const lane = createLane(settings, { clock: realClock, random: realRandom });
  const order = { symbol: 'BTC/INR', side: 'buy' as const, price: decimal('5000000.1'), quantity: decimal('0.001') };
  const post = async (): Promise<string> => {
    let id = '';
    await lane.ticket(async () => {
      const request: VenueRequest = { kind: 'create', order, stamp: { timestamp: realClock.now(), recvWindow: 2_500 } };
      const { kind, outcome, facts } = await client.perform(request);
      lane.learn(facts, false);
      if (kind === 'create' && outcome.kind === 'accepted') id = outcome.orderId;
    });
    return id;
  };
  const close = async (): Promise<void> => {
    await lane.stop();
    client.close();
  };
  return { name: 'client', post, close };
}

/** What one would write by hand: the same agent, options, headers and sizes; nothing signed, checked or typed. */
function peer(url: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, maxFreeSockets: 32 });
  const bare = got.extend({
    agent: { http: agent },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    responseType: 'text',
    https: { rejectUnauthorized: true },
  });
  const limiter = new Bottleneck({ maxConcurrent: IN_FLIGHT, minTime: 1_000 / REQUESTS_PER_SECOND });
  const address = `${url}/api/v1/spot/order/create?recvWindow=2500&timestamp=1700000000000&signature=${'0'.repeat(64)}`;
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': 'quotekeeper/bench',
    'X-EXCHANGE-APIKEY': 'bench-key',
  };
  const body = JSON.stringify({
    symbol: 'BTC/INR',
    action: 'BUY',
    type: 'LIMIT',
    price: '5000000.1',
    quantity: '0.001',
  });
  const post = async (): Promise<string> => {
    const send = async () => bare(address, { method: 'POST', headers, body, timeout: { request: 10_000 } });
    const response = await limiter.schedule(send);
    const parsed: unknown = JSON.parse(response.body);
    return idOf(parsed);
  };
  return { name: 'bare got (peer)', post, close: () => agent.destroy() };
}

function idOf(parsed: unknown): string {
  const data = typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : null;
  const id = typeof data === 'object' && data !== null && 'order_id' in data ? data.order_id : null;
  return typeof id === 'string' ? id : '';
}
