// Whatever is sent to the paper exchange, it answers with a code or closes the connection, goes on, and no balance
// moves.
import http from 'node:http';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { realClock } from '../../src/ports/clock.ts';
import { RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { orderBody, type RequestOptions, requestFor } from '../unit/paper/small-exchange.ts';
import { bytesOf, partsOf, raw, send, sendRequest } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

let server: PaperServer;
let url = '';
let balances = '';

const signed = (name: EndpointName, options: RequestOptions = {}) => requestFor(name, options, realClock.now());
const truthOf = async (): Promise<string> => {
  const { accounts } = JSON.parse((await send(url, { method: 'GET', target: '/paper/truth?others=true' })).body);
  return JSON.stringify(accounts);
};

beforeAll(async () => {
  server = await startSmall();
  url = server.url;
  balances = await truthOf();
});
afterEach(async () => {
  expect((await send(url, { method: 'GET', target: '/paper/health' })).status).toBe(200);
  expect(await truthOf()).toBe(balances);
});
afterAll(() => server.close());

const SYMBOLS = '/api/v1/public/exchange/symbols';
const CREATE = '/api/v1/spot/order/create';
const END = 'Connection: close\r\n\r\n';
const headers = (count: number, value: string) =>
  [...Array(count)].map((_, index) => `a${index}: ${value}\r\n`).join('');

describe('odd requests get a status and a sentence', () => {
  test.each<[string, string, number, number | null | 'http']>([
    ['no HTTP', 'hello\r\n\r\n', 400, 'http'],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'http'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'http'],
    ['HTTP/1.2', `GET ${SYMBOLS} HTTP/1.2\r\nHost: x\r\n${END}`, 400, 'http'],
    ['HTTP/1.1 without Host', `GET ${SYMBOLS} HTTP/1.1\r\n${END}`, 400, 'http'],
    ['HTTP/1.0 without Host', `GET ${SYMBOLS} HTTP/1.0\r\n\r\n`, 200, null],
    ['the whole address', `GET http://elsewhere.example${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 200, null],
    ['the whole address without a path', `GET http://elsewhere.example HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['CONNECT', `CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`, 404, -1404],
    ['TRACE', `TRACE ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a method that HTTP knows and nobody uses', `UNSUBSCRIBE ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a method that nobody knows', `ABSURD ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 400, 'http'],
    ['a byte 0 in the path', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'http'],
    ['a letter that no path may have', `GET /\xfc HTTP/1.1\r\nHost: x\r\n${END}`, 400, 'http'],
    ['a path of 12,000 characters', `GET /${'a'.repeat(12_000)} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a path that names the prototype', `GET /__proto__?__proto__=1 HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['500 headers', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${headers(500, 'b')}${END}`, 200, null],
    ['3,000 headers', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${headers(3_000, 'b')}${END}`, 431, 'http'],
    ['one header of 1 MB', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${headers(1, 'b'.repeat(1e6))}${END}`, 431, 'http'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400, 'http'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET',
      400,
      'http',
    ],
    ['a chunk of no length', `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${END}zz\r\n`, 400, 'http'],
    [
      'an extension of a chunk without end',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
      400,
      'http',
    ],
    [
      'an upgrade',
      `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
      200,
      null,
    ],
    ['an expectation that nobody meets', `POST / HTTP/1.1\r\nHost: x\r\nExpect: gold\r\n\r\n`, 417, 'http'],
    ['a body with GET', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n${END}abc`, 200, null],
    ['a length that is no number', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n${END}`, 400, 'http'],
    [
      'a length beyond all bounds',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999999999\r\n\r\n`,
      413,
      'http',
    ],
  ])('%s', async (_what, bytes, status, code) => {
    const answer = partsOf((await raw(url, Buffer.from(bytes, 'latin1'), { forMs: 300 })).text);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/\ndate: .* gmt/);
    const sentence = expect.stringMatching(/^[A-Z].*\.$/);
    const told = code === 'http' ? { error: sentence } : { code, msg: sentence };
    if (code !== null) expect(JSON.parse(answer.body)).toEqual(told);
  });

  test('HEAD is answered without a body, and the connection goes on', async () => {
    const head = `HEAD ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { text } = await raw(url, head + bytesOf(signed('symbols')), { forMs: 300 });
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
    expect(text).toMatch(/\r\n\r\nHTTP/);
  });

  test('nothing at all, then goodbye', async () => {
    expect(await raw(url, '', { half: true })).toMatchObject({ text: '', end: 'fin' });
  });

  test('a body that is not UTF-8, and one nested 30,000 deep', async () => {
    const authentic = signed('create', { body: {} });
    const target = `${authentic.path}?${authentic.query}`;
    const given = { 'content-type': 'application/json', 'x-exchange-apikey': 'alice-key' };
    const bodies = [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`];
    for (const body of bodies) {
      const answer = await send(url, { method: 'POST', target, headers: given, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(JSON.parse(answer.body).code).toBeLessThan(0);
    }
  });
});

describe('a body that is too large', () => {
  const bytes = (length: number) => Buffer.alloc(length, 'x');

  test('of 10 MB is refused with 413; node:http reads the answer while it still writes', async () => {
    for (let count = 0; count < 5; count += 1) {
      const answer = await send(url, { method: 'POST', target: CREATE, body: bytes(10_000_000) });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body)).toEqual({ error: 'The body is larger than 65536 bytes.' });
    }
  });

  test.each([
    ['by its length', `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n`],
    ['by its chunks', `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5F5E100\r\n`],
    ['although GET has none', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n`],
  ])('is known %s and not read to its end', async (_what, head) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    let answer = '';
    let taken = 0;
    let answeredAt = Number.NaN;
    socket.on('data', (part) => {
      answer += part.toString('latin1');
      answeredAt = performance.now();
    });
    socket.on('error', () => {});
    socket.write(head);
    for (let count = 0; count < 100; count += 1) {
      socket.write(bytes(1_000_000), (error) => {
        if (!error) taken += 1;
      });
    }
    await new Promise((resolve) => socket.on('close', resolve));
    expect(partsOf(answer).status).toBe(413);
    // Long enough for a caller that writes before it reads: closed at once, the answer could be lost to a reset.
    expect(performance.now() - answeredAt).toBeGreaterThan(500);
    // Megabytes: what the system itself keeps for a socket, and not more.
    expect(taken).toBeLessThan(20);
  });
});

describe('connections', () => {
  test('half a request and half a connection are refused', async () => {
    const bytes = `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"sym`;
    expect(partsOf((await raw(url, bytes, { half: true })).text).status).toBe(400);
  });

  test('Expect: 100-continue is met before the body is sent', async () => {
    const { path, query, headers: given } = signed('create', { body: orderBody('BUY 1 @ 1') });
    const request = http.request(`${url}${path}?${query}`, {
      method: 'POST',
      headers: { ...(given as Record<string, string>), expect: '100-continue' },
    });
    const [answer] = await Promise.all([
      new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve)),
      new Promise<void>((resolve) => {
        request.on('continue', () => {
          request.end(JSON.stringify(orderBody('BUY 1 @ 1')));
          resolve();
        });
        request.flushHeaders();
      }),
    ]);
    answer.resume();
    // Below the minimum notional: refused, but read.
    expect(answer.statusCode).toBe(400);
  });

  test('a request that never becomes whole gets 408', async () => {
    const bytes = `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"sym`;
    const { text, end, at } = await raw(url, bytes, { forMs: 14_000 });
    expect(partsOf(text).status).toBe(408);
    expect(end).toBe('fin');
    expect(at[0]).toBeGreaterThan(9_000);
  });

  test('1,000 idle connections, 100 that dawdle and 100 that never read keep nobody waiting', async () => {
    const { hostname, port } = new URL(url);
    const opened = (first: string) =>
      new Promise<net.Socket>((resolve, reject) => {
        const socket = net.connect(Number(port), hostname, () => {
          if (first !== '') socket.write(first);
          resolve(socket);
        });
        socket.once('error', reject);
        socket.on('error', () => {});
      });
    const idle = [...Array(1_000)].map(() => opened(''));
    const dawdling = [...Array(100)].map(() => opened('GET / HTTP/1.1\r\nHos'));
    const deaf = [...Array(100)].map(() => opened(bytesOf(signed('symbols')).repeat(100)));
    const sockets = await Promise.all([...idle, ...dawdling, ...deaf]);
    const slowest = { ms: 0 };
    for (let count = 0; count < 50; count += 1) {
      const startedAt = performance.now();
      // A busy machine may take longer than the usual window.
      const patient = signed('wallet', { query: { recvWindow: String(RECV_WINDOW_MAX_MS) } });
      expect((await sendRequest(url, patient)).status).toBe(200);
      slowest.ms = Math.max(slowest.ms, performance.now() - startedAt);
    }
    for (const socket of sockets) socket.destroy();
    expect(slowest.ms).toBeLessThan(10_000);
  });
});
