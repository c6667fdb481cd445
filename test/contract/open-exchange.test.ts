// The client for programs of one's own, over bare sockets: what a gateway's wait holds back.
import type { Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Exchange, openExchange } from '../../src/client/open-exchange.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { answer, type RawServer, startRawServer } from './client-raw-server.ts';

let server: RawServer;
let exchange: Exchange;
afterEach(async () => {
  await exchange.close();
  await server.close();
});

const AHEAD_MS = 2 * 3_600_000;
/** An exchange whose clock is two hours ahead of ours; how many requests it was sent. */
async function startAhead(recvWindowMs = 2_500): Promise<() => number> {
  let asked = 0;
  server = await startRawServer({
    onRequest: (socket, { text }) => {
      asked += 1;
      const now = Date.now() + AHEAD_MS;
      const isTaken = Math.abs(Number(/timestamp=(\d+)/.exec(text)?.[1]) - now) <= recvWindowMs;
      const date = { date: new Date(now).toUTCString() };
      const refusal = answer('400 Bad Request', '{"code":-1021,"msg":"Timestamp outside recvWindow."}', date);
      socket.write(isTaken ? answer('200 OK', '[]', date) : refusal);
    },
  });
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush' });
  return () => asked;
}

const waited = ([first = 0, second = 0]: readonly number[]): number => (second - first) / 1_000;

test('a 503 names when to ask again (specification 7.4)', async () => {
  const body = '{"code":-1125,"msg":"Maintenance."}';
  const head = `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: ${body.length}`;
  server = await startRawServer({ onRequest: (socket) => socket.write(`${head}\r\n\r\n${body}`) });
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush' });
  const { outcome, facts } = await exchange.api.symbols();
  expect(outcome).toMatchObject({ kind: 'throttled', refusal: 'maintenance', retryAt: facts.receivedAt + 30_000 });
});

test('a clock of ours that is hours off costs the first signed request no answer: it is stamped anew', async () => {
  const asked = await startAhead();
  expect((await exchange.api.wallet()).outcome.kind).toBe('read');
  expect(asked()).toBe(2);
});

test('a first create whose refusal names an order is not asked again', async () => {
  let asked = 0;
  server = await startRawServer({
    onRequest: (socket) => {
      asked += 1;
      const body = '{"code":-1021,"msg":"Timestamp outside recvWindow.","data":{"order_id":"1-5-1"}}';
      socket.write(answer('400 Bad Request', body));
    },
  });
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush' });
  const order = { symbol: 'BTC/INR', side: 'buy', price: decimal('1'), quantity: decimal('1') } as const;
  expect((await exchange.api.createOrder(order)).outcome.kind).toBe('unknown');
  expect(asked).toBe(1);
});

test('what is refused by the known clock as well is told, and not asked again', async () => {
  const asked = await startAhead(-1);
  expect((await exchange.api.wallet()).outcome).toMatchObject({ kind: 'rejected', code: -1021 });
  expect((await exchange.api.wallet()).outcome).toMatchObject({ kind: 'rejected', code: -1021 });
  expect(asked()).toBe(3);
});

test('when to ask again is told by the known clock: a Date of minutes ago makes no minutes of seconds', async () => {
  let asked = 0;
  server = await startRawServer({
    onRequest: (socket) => {
      asked += 1;
      const date = (ms: number): string => new Date(Date.now() + ms).toUTCString();
      const busy = { date: date(-300_000), 'retry-after': date(2_000) };
      socket.write(
        asked === 1 ? answer('200 OK', '[]', { date: date(0) }) : answer('429 Too Many Requests', '[]', busy),
      );
    },
  });
  const requestsPerSecond = { public: 50, private: 50 };
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush', requestsPerSecond });
  await exchange.api.symbols();
  const { outcome, facts } = await exchange.api.symbols();
  if (outcome.kind !== 'throttled') throw new Error(`It was ${outcome.kind}.`);
  expect(outcome.retryAt - facts.receivedAt).toBeLessThan(5_000);
});

test('private requests leave at the pace of their own lane', async () => {
  const arrivals: number[] = [];
  server = await startRawServer({
    onRequest: (socket) => {
      arrivals.push(performance.now());
      socket.write(answer('200 OK', '[]'));
    },
  });
  const requestsPerSecond = { public: 50, private: 1 };
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush', requestsPerSecond });
  const begun = performance.now();
  await exchange.api.wallet();
  await exchange.api.wallet();
  expect(arrivals).toHaveLength(2);
  expect(waited([begun, arrivals[1] ?? 0])).toBeGreaterThanOrEqual(0.99);
});

test('the legacy interface is asked where it is said to be', async () => {
  const script = { onRequest: (socket: Socket) => socket.write(answer('200 OK', '{}')) };
  const legacy = await startRawServer(script);
  server = await startRawServer(script);
  const key = { apiKey: 'key-of-a-test', secret: 'hush-hush' };
  exchange = openExchange({ baseUrl: server.url, legacyBaseUrl: legacy.url, ...key });
  await exchange.api.legacyTickers();
  await exchange.close();
  await legacy.close();
  expect([server.deliveries.length, legacy.deliveries.length]).toEqual([0, 1]);
});
