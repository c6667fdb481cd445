// What anybody may send costs the paper exchange little, and keeps nobody else waiting.
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Connections } from '../../src/paper/server/connections.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { smallSettings } from '../unit/paper/small-exchange.ts';
import { raw, send } from './paper-connection.ts';
import { Pipeline } from './paper-pipeline.ts';
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

describe('a connection on which much is asked at once', () => {
  test('every request is answered, in its order', async () => {
    const { url } = await start();
    const pipeline = new Pipeline(url);
    const targets = Array.from({ length: 3_000 }, (_, index) => (index % 3 === 0 ? SYMBOLS : `/nothing/${index}`));
    const answers = await pipeline.send(targets.map((target) => Buffer.from(get(target))));
    expect(answers.map(({ status }) => status)).toEqual(targets.map((target) => (target === SYMBOLS ? 200 : 404)));
    pipeline.close();
  });

  test('more than may wait end their connection, and keep nobody else waiting', async () => {
    const asked: string[] = [];
    const bare = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      setTimeout(() => response.end(request.url), 1);
    });
    new Connections().watch(bare, { connections: 2, waiting: 64 });
    await once(bare.listen(0, '127.0.0.1'), 'listening');
    const address = bare.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write([...Array(500)].map((_, index) => get(`/${index}`)).join(''));
    await once(socket, 'close');
    expect(asked.length).toBeLessThan(65);
    const honest = await send(`http://127.0.0.1:${port}`, { method: 'GET', target: '/honest' });
    expect(honest.status).toBe(200);
    expect(asked.at(-1)).toBe('/honest');
    bare.close();
  });

  test('who reads late gets every answer', async () => {
    const { url } = await start();
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(get(OPENAPI).repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    socket.write(get('/nothing', 'Host: x\r\nConnection: close'));
    let text = '';
    for await (const part of socket) text += String(part);
    expect(text.split('HTTP/1.1 200 ')).toHaveLength(101);
    expect(text).toContain('HTTP/1.1 404 ');
  });

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

describe('two Host headers are refused', () => {
  test.each(['1.1', '1.0'])('by the exchange, with HTTP/%s', async (version) => {
    const { url } = await start();
    const bytes = get(SYMBOLS, 'Host: x\r\nhost: x').replace('HTTP/1.1', `HTTP/${version}`);
    const { text } = await raw(url, bytes + get(SYMBOLS));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(text).toContain('The header Host is given more than once.');
  });

  test('by its control interface', async () => {
    const { controlUrl } = await start();
    const { host } = new URL(controlUrl ?? '');
    const { text } = await raw(controlUrl ?? '', get('/state', `Host: ${host}\r\nHost: ${host}\r\nConnection: close`));
    expect(text).toMatch(/^HTTP\/1\.1 403/);
  });
});
