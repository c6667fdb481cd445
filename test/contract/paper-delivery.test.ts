// Faults on the way between the caller and the paper exchange, over real sockets: what arrives, what comes back, and
// what was done.
import http from 'node:http';
import type net from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { until } from '../process/bot-process.ts';
import { orderBody } from '../unit/paper/small-exchange.ts';
import { bytesOf, type Heard, partsOf, raw, send, sendRequest, requestNow as signed } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

const running: PaperServer[] = [];

/** A server with orders for faults, oldest first. */
async function start(...orders: object[]): Promise<PaperServer> {
  const server = await startSmall();
  running.push(server);
  server.control({ delivery: orders.map((order) => faultOrderSchema.parse(order)).reduce(addRule, NO_DELIVERY_RULES) });
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const create = () => signed('create', { body: orderBody('BUY 1.000 @ 5000') });
const answersIn = (text: string): readonly string[] => text.match(/HTTP\/1\.1 \d+/g) ?? [];
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ids of alice's open orders, as they are. */
async function orders({ url }: PaperServer): Promise<string[]> {
  const { accounts } = JSON.parse((await send(url, { method: 'GET', target: '/paper/truth' })).body);
  return accounts[0].orders.map(({ orderId }: { orderId: string }) => orderId);
}

/** One create as bytes; what came back, and how many orders there are then. */
async function createRaw(server: PaperServer, forMs?: number): Promise<Heard & { readonly orders: number }> {
  const heard = await raw(server.url, bytesOf(create()), forMs === undefined ? {} : { forMs });
  return { ...heard, orders: (await orders(server)).length };
}

describe('the answer never comes', () => {
  test.each<[string, object, string, number]>([
    ['F01: done, then reset before any byte', { kind: 'reset' }, 'reset', 1],
    ['F01: done, then closed before any byte', { kind: 'drop' }, 'fin', 1],
    ['reset before it was done', { kind: 'reset', processed: false }, 'reset', 0],
    ['closed before it was done', { kind: 'drop', processed: false }, 'fin', 0],
  ])('%s', async (_what, fault, end, done) => {
    const server = await start({ match: { endpoint: 'create' }, fault });
    expect(await createRaw(server)).toMatchObject({ text: '', end, orders: done });
  });

  test(
    'F78: a kept connection is closed as the second request is written; a client that does not resend ' +
      'has sent once',
    async () => {
      const server = await start({ match: { endpoint: 'create' }, skip: 1, fault: { kind: 'drop', processed: false } });
      const heard = await raw(server.url, bytesOf(create()) + bytesOf(create()));
      expect(partsOf(heard.text).status).toBe(200);
      expect(heard.text.match(/order_id/g)).toHaveLength(1);
      expect(heard.end).toBe('fin');
      expect(await orders(server)).toHaveLength(1);
    },
  );
});

describe('another answer comes', () => {
  const HTML = '<html><body>Gateway Time-out</body></html>';

  test('F02: done, and 504 with HTML after a while', async () => {
    const headers = { 'content-type': 'text/html' };
    const fault = { kind: 'status', status: 504, body: HTML, headers, processed: true, afterMs: 150 };
    const server = await start({ match: { method: 'POST' }, fault });
    const startedAt = performance.now();
    const answer = await sendRequest(server.url, create());
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    expect(answer).toMatchObject({ status: 504, body: HTML, headers: { 'content-type': 'text/html' } });
    expect(answer.headers.date).toMatch(/GMT$/);
    expect(answer.headers).not.toHaveProperty('x-paper-instance');
    expect(await orders(server)).toHaveLength(1);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('F03: 503 with a code and Retry-After, done: %s', async (processed, done) => {
    const body = '{"code":-1125,"msg":"Maintenance."}';
    const fault = { kind: 'status', status: 503, body, headers: { 'Retry-After': '1' }, processed };
    const server = await start({ match: { endpoint: 'create' }, fault });
    const answer = await sendRequest(server.url, create());
    expect(answer).toMatchObject({ status: 503, body, headers: { 'retry-after': '1' } });
    expect(await orders(server)).toHaveLength(done);
  });

  test('F75: a page of somebody else’s with status 200, and a wall that says 403', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'x-paper-instance': null };
    const server = await start(
      { fault: { kind: 'body', body: HTML, headers, processed: false } },
      { fault: { kind: 'status', status: 403, body: HTML, headers } },
    );
    const page = await sendRequest(server.url, create());
    expect(page).toMatchObject({ status: 200, body: HTML, headers: { 'content-type': headers['content-type'] } });
    expect(page.headers).not.toHaveProperty('x-paper-instance');
    expect(await sendRequest(server.url, create())).toMatchObject({ status: 403, body: HTML });
    expect(await orders(server)).toEqual([]);
  });

  test('the connection goes on after it', async () => {
    const server = await start({ fault: { kind: 'status', status: 503 } });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    const statuses: number[] = [];
    agent.on('free', (socket: net.Socket) => ports.push(socket.localPort));
    for (let count = 0; count < 2; count += 1)
      statuses.push((await sendRequest(server.url, signed('wallet'), agent)).status);
    await until('the connection is free twice', () => ports.length >= 2);
    agent.destroy();
    expect(statuses).toEqual([503, 200]);
    expect(ports).toHaveLength(2);
    expect(ports[0]).toBe(ports[1]);
  });
});

describe('F04: the answer is cut', () => {
  const WHOLE = '{"data":{"order_id":"1-9007199254740993-1"}}';

  test.each([0, 1, 17, WHOLE.length - 1])('at byte %d, with content-length', async (atByte) => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'truncate', atByte } });
    const heard = await createRaw(server);
    const { status, head, body } = partsOf(heard.text);
    expect({ status, body, end: heard.end }).toEqual({ status: 200, body: WHOLE.slice(0, atByte), end: 'fin' });
    expect(head).toContain(`content-length: ${WHOLE.length}`);
    expect(heard.orders).toBe(1);
  });

  test('without content-length it looks whole: node:http takes it for an answer', async () => {
    const fault = { kind: 'truncate', atByte: 17, framing: 'until-close' };
    const server = await start({ match: { endpoint: 'create' }, fault });
    const answer = await sendRequest(server.url, create());
    expect(answer).toMatchObject({ status: 200, body: WHOLE.slice(0, 17) });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });

  test('in chunks whose last never comes', async () => {
    const server = await start({
      match: { endpoint: 'create' },
      fault: { kind: 'truncate', atByte: 17, framing: 'chunked' },
    });
    const { text, end } = await createRaw(server);
    expect(partsOf(text).head).toContain('transfer-encoding: chunked');
    expect(partsOf(text).body).toBe(`11\r\n${WHOLE.slice(0, 17)}\r\n`);
    expect(end).toBe('fin');
  });

  test('F73: by a reset in the middle of the body', async () => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'reset', atByte: 17 } });
    const { text, end, orders: done } = await createRaw(server);
    expect({ ...partsOf(text), head: '' }).toEqual({ status: 200, head: '', body: WHOLE.slice(0, 17) });
    expect({ end, done }).toEqual({ end: 'reset', done: 1 });
  });

  test('beyond its end it is whole', async () => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'truncate', atByte: 1_000 } });
    const { text } = await raw(server.url, bytesOf(create()), {
      has: (heard) => partsOf(heard).body.length >= WHOLE.length,
    });
    expect(partsOf(text).body).toBe(WHOLE);
  });
});

describe('late', () => {
  test('F09: the caller has given up, and the order is accepted all the same', async () => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'delay', beforeMs: 1_000 } });
    // So much later that it has not come when this looks, also where the machine stands still a while.
    expect(await createRaw(server, 300)).toMatchObject({ text: '', end: 'open', orders: 0 });
    await until('the order', async () => (await orders(server)).length > 0, { everyMs: 5 });
    expect(await orders(server)).toHaveLength(1);
  });

  test('F10: held for longer than the recvWindow, it is refused', async () => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'delay', beforeMs: 200 } });
    const body = orderBody('BUY 1.000 @ 5000');
    const answer = await sendRequest(server.url, signed('create', { body, query: { recvWindow: '100' } }));
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, -1021]);
    expect(await orders(server)).toEqual([]);
  });

  test('what is held when the exchange closes never arrives, and does not hold it up', async () => {
    const server = await start({ match: { endpoint: 'create' }, fault: { kind: 'delay', beforeMs: 60_000 } });
    const heard = raw(server.url, bytesOf(create()));
    await sleep(50);
    running.splice(0);
    const startedAt = performance.now();
    await server.close();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect((await heard).text).toBe('');
  });
});

describe('F74: slow', () => {
  test('byte by byte', async () => {
    const server = await start({ fault: { kind: 'drip', bytes: 4, everyMs: 20 } });
    const { text, at } = await raw(server.url, bytesOf(signed('symbols')), { has: (heard) => heard.endsWith('"]') });
    const { head, body } = partsOf(text);
    expect(head).toContain('content-length: 21');
    expect(JSON.parse(body)).toEqual(['BTC/INR', 'ETH/INR']);
    // Six parts of the body, the last of one byte; the system may deliver some of them together.
    expect(at.length).toBeGreaterThan(3);
    // Not from the first of them on: that may have come late, and the others after it in their time.
    expect(at.at(-1)).toBeGreaterThanOrEqual(100);
  });

  test('it stalls in the middle and the connection stays', async () => {
    const server = await start({ fault: { kind: 'truncate', atByte: 5, ending: 'hold' } });
    const { text, end } = await raw(server.url, bytesOf(signed('symbols')), {
      has: (heard) => heard.endsWith('["BTC'),
      forMs: 400,
    });
    expect(partsOf(text).body).toBe('["BTC');
    expect(end).toBe('open');
  });

  test('who goes away while it drips stops it, and the exchange goes on', async () => {
    const server = await start({ fault: { kind: 'drip', everyMs: 5 } });
    await raw(server.url, bytesOf(signed('symbols')), { forMs: 30 });
    await sleep(50);
    expect((await sendRequest(server.url, signed('symbols'))).status).toBe(200);
  });
});

describe('F76: a body that is not what the headers say', () => {
  test.each([
    ['shorter', '500'],
    ['longer', '3'],
  ])('%s than content-length', async (_what, length) => {
    const fault = { kind: 'body', body: '["BTC/INR"]', headers: { 'Content-Length': length } };
    const server = await start({ fault });
    const { text, end } = await raw(server.url, bytesOf(signed('symbols')));
    expect(partsOf(text).head).toContain(`content-length: ${length}`);
    expect({ body: partsOf(text).body, end }).toEqual({ body: '["BTC/INR"]', end: 'fin' });
  });

  test('no gzip although it says so', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const server = await start({ fault: { kind: 'body', body: 'garbage', headers } });
    const answer = await sendRequest(server.url, signed('symbols'));
    expect(answer).toMatchObject({ body: 'garbage', headers: { 'content-encoding': 'gzip' } });
  });

  test.each(['content-length', 'chunked', 'until-close'])('20 MB, framed by %s', async (framing) => {
    const server = await start({ fault: { kind: 'body', body: '0123456789', repeat: 2_000_000, framing } });
    const { hostname, port } = new URL(server.url);
    const count = await new Promise<number>((resolve, reject) => {
      http
        .get({ hostname, port, path: '/api/v1/public/exchange/symbols' }, (response) => {
          let bytes = 0;
          response.on('data', (part: Buffer) => {
            bytes += part.length;
          });
          response.on('end', () => resolve(bytes));
        })
        .on('error', reject);
    });
    expect(count).toBe(20_000_000);
  });

  test('100 MB that nobody reads to its end', async () => {
    const server = await start({ fault: { kind: 'body', body: '0123456789', repeat: 10_000_000 } });
    await raw(server.url, bytesOf(signed('symbols')), { forMs: 30 });
    expect((await sendRequest(server.url, signed('symbols'))).status).toBe(200);
  });
});

test('a fault on one of several pipelined requests leaves the order of the answers', async () => {
  const match = { endpoint: 'symbols' };
  const server = await start({
    match,
    skip: 1,
    fault: { kind: 'status', status: 503, body: '{"two":2}', beforeMs: 80 },
  });
  const { text } = await raw(server.url, bytesOf(signed('symbols')).repeat(3), {
    has: (heard) => answersIn(heard).length > 2,
  });
  expect(answersIn(text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503', 'HTTP/1.1 200']);
});

test.each([
  ['drop', { kind: 'drop' }, ''],
  ['reset', { kind: 'reset' }, ''],
  ['cut', { kind: 'truncate', atByte: 0 }, 'HTTP/1.1 200'],
])('%s waits for its turn: what was asked before on the connection is answered', async (_what, fault, second) => {
  const match = { endpoint: 'symbols' };
  const server = await start({ match, fault: { kind: 'delay', afterMs: 80 } }, { match, skip: 1, fault });
  const { text, end } = await raw(server.url, bytesOf(signed('symbols')).repeat(2));
  expect(answersIn(text).join(' ')).toBe(`HTTP/1.1 200 ${second}`.trim());
  expect(text).toContain('["BTC/INR","ETH/INR"]');
  expect(end).toBe(fault.kind === 'reset' ? 'reset' : 'fin');
});

test('what is not matched travels as ever, and health and truth always do', async () => {
  const server = await start({ match: { account: 'bob' }, times: null, fault: { kind: 'drop' } });
  expect((await sendRequest(server.url, create())).status).toBe(200);
  expect((await send(server.url, { method: 'GET', target: '/paper/health' })).status).toBe(200);
});
