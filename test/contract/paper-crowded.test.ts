// What anybody may send costs the paper exchange little, and keeps nobody else waiting.
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { smallSettings } from '../unit/paper/small-exchange.ts';
import { raw, send } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

const SYMBOLS = '/api/v1/public/exchange/symbols';
const OPENAPI = '/openapi.json';
const get = (target: string, headers = 'Host: x'): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`;

let server: PaperServer | null = null;

async function start(publicRequests: number | null = null): Promise<PaperServer> {
  const windows = publicRequests === null ? [] : [{ requests: publicRequests, perMs: 60_000 }];
  server = await startSmall({
    settings: smallSettings({ rateLimits: { public: windows, private: [], legacy: [] } }),
    controlPort: 0,
  });
  return server;
}

afterEach(async () => server?.close());

test('who never reads is not read any more', async () => {
  const { url } = await start();
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  const chunk = get(OPENAPI).repeat(1_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000, socket.write(chunk.repeat(200))));
  expect(socket.writableLength).toBeGreaterThan(0);
  expect((await send(url, { method: 'GET', target: '/paper/health' })).status).toBe(200);
  socket.destroy();
});

test('more connections than the exchange has cost memory for no more', async () => {
  const { url } = await start();
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    [...Array(300)].map(async () => {
      const socket = net.connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    }),
  );
  expect((await send(url, { method: 'GET', target: '/paper/health' })).status).toBe(200);
  await Promise.all(sockets.slice(0, 45).map((socket) => socket.closed || once(socket.resume(), 'close')));
  expect(sockets.slice(45).filter((socket) => socket.destroyed)).toEqual([]);
  for (const socket of sockets) socket.destroy();
});

test('/openapi.json is counted as any other public request', async () => {
  const { url } = await start(2);
  const ask = (target: string) => send(url, { method: 'GET', target });
  const [first, second, third] = [await ask(OPENAPI), await ask(OPENAPI), await ask(OPENAPI)];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  expect(second.body).toBe(first.body);
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(third.body)).toMatchObject({ code: -1003 });
  expect(third.headers).toHaveProperty('retry-after');
  expect((await ask(SYMBOLS)).status).toBe(429);
});

test('the control interface refuses two Host headers', async () => {
  const { controlUrl } = await start();
  const { host } = new URL(controlUrl ?? '');
  const { text } = await raw(controlUrl ?? '', get('/state', `Host: ${host}\r\nHost: ${host}\r\nConnection: close`));
  expect(text).toMatch(/^HTTP\/1\.1 403/);
});
