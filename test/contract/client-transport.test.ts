import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { realClock } from '../../src/ports/clock.ts';
import { startBlackHole } from './client-black-hole.ts';
import { answer, startRawServer } from './client-raw-server.ts';
import { ANSWER_DEADLINE_MS, DEADLINE_MS, OK_BODY, reset, SIGNED_PATH, transportKit } from './client-transport-kit.ts';

const PATH = SIGNED_PATH;
const { serverOf, transportOf, post, get, closing } = transportKit();

describe('an answer', () => {
  test('arrives with status, headers in lower case, body and both times', async () => {
    const server = await serverOf({
      onRequest: (socket) =>
        socket.write(answer('200 OK', OK_BODY, { Date: 'Tue, 14 Nov 2023 22:13:20 GMT', 'X-A': '1' })),
    });
    const result = await post(transportOf(server.url), server.url);
    expect(result).toMatchObject({ kind: 'response', status: 200, body: OK_BODY });
    expect(result.kind === 'response' && result.headers).toMatchObject({
      'x-a': '1',
      date: 'Tue, 14 Nov 2023 22:13:20 GMT',
    });
    expect(result.receivedAt).toBeGreaterThanOrEqual(result.sentAt);
  });

  test('is asked for with exactly the bytes that were given, uncompressed and without a cookie', async () => {
    const server = await serverOf({
      onRequest: (socket) => socket.write(answer('200 OK', OK_BODY, { 'set-cookie': 'session=1; Path=/' })),
    });
    const transport = transportOf(server.url);
    await post(transport, server.url);
    await post(transport, server.url);
    const [first, second] = server.deliveries;
    expect(first?.text).toContain(`POST ${PATH} HTTP/1.1\r\n`);
    expect(first?.text).toContain('accept-encoding: identity\r\n');
    expect(first?.text).toMatch(/\r\n\r\n\{"symbol":"BTC\/INR"\}$/);
    expect(second?.text.toLowerCase()).not.toContain('cookie');
    expect(server.connections).toBe(1);
  });

  test.each([
    ['400 Bad Request', 400],
    ['429 Too Many Requests', 429],
    ['503 Service Unavailable', 503],
  ])('%s is an answer, not an exception, and is delivered once', async (line, status) => {
    const server = await serverOf({
      onRequest: (socket) => socket.write(answer(line, OK_BODY, { 'retry-after': '0' })),
    });
    expect(await get(transportOf(server.url), server.url)).toMatchObject({ kind: 'response', status });
    expect(server.deliveries).toHaveLength(1);
  });

  test('HTML with status 200 comes through with its content type', async () => {
    const server = await serverOf({
      onRequest: (socket) => socket.write(answer('200 OK', '<html></html>', { 'content-type': 'text/html' })),
    });
    expect(await post(transportOf(server.url), server.url)).toMatchObject({ headers: { 'content-type': 'text/html' } });
  });
});

describe('nothing has left when', () => {
  test('the connection is refused', async () => {
    const closed = await startRawServer({});
    await closed.close();
    const fault = { sent: false, reason: 'refused' };
    expect(await post(transportOf(closed.url), closed.url)).toMatchObject({ kind: 'fault', fault });
  });

  test('the host name does not resolve', async () => {
    const url = 'https://quotekeeper.invalid';
    expect(await post(transportOf(url), url)).toMatchObject({
      kind: 'fault',
      fault: { sent: false, reason: 'dns' },
    });
  });

  test('the connection is never accepted', async () => {
    const blackHole = await startBlackHole();
    closing(() => blackHole.close());
    const fault = { sent: false, reason: 'connect-timeout' };
    expect(await post(transportOf(blackHole.url), blackHole.url, DEADLINE_MS)).toMatchObject({ kind: 'fault', fault });
  });

  test('no connection became free in time', async () => {
    const held = Promise.withResolvers<Socket>();
    const server = await serverOf({ onRequest: held.resolve });
    const transport = transportOf(server.url, { maxConnections: 1 });
    const first = post(transport, server.url);
    const socket = await held.promise;
    const second = post(transport, server.url, DEADLINE_MS);
    // The connection becomes free long after the second one's time is over.
    await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS + ANSWER_DEADLINE_MS));
    socket.write(answer('200 OK', OK_BODY));
    expect(await second).toMatchObject({ kind: 'fault', fault: { sent: false, reason: 'connect-timeout' } });
    expect(await first).toMatchObject({ kind: 'response', status: 200 });
    expect(server.deliveries).toHaveLength(1);
  });

  test('the host is not a configured one', async () => {
    const server = await serverOf({});
    const transport = transportOf('https://venue.invalid');
    expect(await post(transport, server.url)).toMatchObject({
      kind: 'fault',
      fault: { sent: false, reason: 'aborted' },
    });
    expect(server.connections).toBe(0);
  });

  test('the address would be rewritten on its way', async () => {
    const server = await serverOf({});
    const transport = transportOf(server.url);
    const url = `${server.url}/api?symbol=a b`;
    const result = await transport.send({ method: 'GET', url, headers: {}, body: null, deadlineMs: DEADLINE_MS });
    expect(result).toMatchObject({ kind: 'fault', fault: { sent: false } });
    expect(server.connections).toBe(0);
  });

  test('the transport is closed', async () => {
    const server = await serverOf({});
    const transport = transportOf(server.url);
    transport.close();
    expect(await post(transport, server.url)).toMatchObject({
      kind: 'fault',
      fault: { sent: false, reason: 'aborted' },
    });
    expect(server.connections).toBe(0);
  });
});

describe('bytes may have left when', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ['the connection is reset without an answer', 'reset', reset],
    ['the connection is closed without an answer', 'reset', (socket) => socket.end()],
    [
      'the answer is cut, with its length stated',
      'reset',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"data":'),
    ],
    [
      'a chunked answer is cut',
      'reset',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{"data":\r\n'),
    ],
    [
      'the answer is reset in the middle of the body',
      'reset',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"data":', () => setTimeout(reset, 50, socket)),
    ],
    ['the answer is not HTTP', 'other', (socket) => socket.end('SSH-2.0-x\r\n\r\n')],
    [
      'the body is compressed',
      'content-type',
      (socket) => socket.write(answer('200 OK', 'not really gzip', { 'content-encoding': 'gzip' })),
    ],
    [
      'the body is compressed in an unknown way',
      'content-type',
      (socket) => socket.write(answer('200 OK', '{}', { 'content-encoding': 'x-own' })),
    ],
  ])('%s', async (_name, reason, onRequest) => {
    const server = await serverOf({ onRequest });
    const result = await post(transportOf(server.url), server.url);
    expect(result).toMatchObject({ kind: 'fault', fault: { sent: true, reason } });
    expect(server.deliveries).toHaveLength(1);
  });

  test('the transport is closed meanwhile', async () => {
    const server = await serverOf({ onRequest: () => transport.close() });
    const transport = transportOf(server.url);
    expect(await post(transport, server.url)).toMatchObject({
      kind: 'fault',
      fault: { sent: true, reason: 'aborted' },
    });
  });

  test('the deadline is over: no answer, a body that stalls, a body or headers that drip', async () => {
    const dripping = (head: string, drop: string) => (socket: Socket) => {
      socket.write(head);
      const drip = setInterval(() => socket.write(drop), 20);
      socket.on('close', () => clearInterval(drip));
    };
    const slow: Readonly<Record<string, (socket: Socket) => void>> = {
      'no answer': () => undefined,
      'a body stalls': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"data":'),
      'a body drips': dripping('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n', 'x'),
      'headers drip': dripping('HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n'),
    };
    const seen = Object.entries(slow).map(async ([name, onRequest]) => {
      const server = await serverOf({ onRequest });
      const result = await post(transportOf(server.url), server.url, ANSWER_DEADLINE_MS);
      return [name, result.kind === 'fault' && result.fault, server.deliveries.length];
    });
    const timeout = expect.objectContaining({ sent: true, reason: 'timeout' });
    expect(await Promise.all(seen)).toEqual(Object.keys(slow).map((name) => [name, timeout, 1]));
  });
});

describe('a body', () => {
  test('without a stated length that is cut arrives as an answer: only its JSON can tell', async () => {
    const server = await serverOf({ onRequest: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"data":') });
    expect(await post(transportOf(server.url), server.url)).toMatchObject({ kind: 'response', body: '{"data":' });
  });

  test('that is longer than stated is a fault, not its first part', async () => {
    const server = await serverOf({
      onRequest: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"data":{"order_id":"1-2-1"}}'),
    });
    expect(await post(transportOf(server.url), server.url)).toMatchObject({ kind: 'fault', fault: { sent: true } });
  });
});

describe('size', () => {
  const flood = (socket: Socket, head: string): void => {
    const block = Buffer.alloc(1024 * 1024, 0x20);
    let left = 100;
    const next = (): void => {
      left -= 1;
      if (left >= 0 && !socket.destroyed) socket.write(block, next);
    };
    socket.write(head, next);
  };

  test.each([
    ['stated', 'HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n'],
    ['not stated', 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('a body of 100 MB whose length is %s is not read to its end', async (_name, head) => {
    const sentByServer = Promise.withResolvers<number>();
    const server = await serverOf({
      onRequest: (socket) => {
        flood(socket, head);
        socket.on('close', () => sentByServer.resolve(socket.bytesWritten));
      },
    });
    const result = await post(transportOf(server.url), server.url);
    expect(result).toMatchObject({ kind: 'fault', fault: { sent: true, reason: 'too-large' } });
    expect(await sentByServer.promise).toBeLessThan(30 * 1024 * 1024);
  });

  test('a body of the allowed size passes', async () => {
    const body = JSON.stringify('x'.repeat(1_000));
    const server = await serverOf({ onRequest: (socket) => socket.write(answer('200 OK', body)) });
    const transport = transportOf(server.url, { maxBodyBytes: 1_002 });
    expect(await post(transport, server.url)).toMatchObject({ kind: 'response', body });
  });

  test('one byte more is too much', async () => {
    const server = await serverOf({ onRequest: (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_003)}`) });
    const transport = transportOf(server.url, { maxBodyBytes: 1_002 });
    expect(await post(transport, server.url)).toMatchObject({ kind: 'fault', fault: { reason: 'too-large' } });
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to another host is a fault and is not followed', async (status) => {
    const other = await serverOf({ onRequest: (socket) => socket.write(answer('200 OK', OK_BODY)) });
    const location = { location: `${other.url}/steal` };
    const server = await serverOf({ onRequest: (socket) => socket.write(answer(`${status} Elsewhere`, '', location)) });
    const result = await post(transportOf(server.url, { baseUrls: [server.url, other.url] }), server.url);
    expect(result).toMatchObject({ kind: 'fault', fault: { sent: true, reason: 'redirect', status } });
    expect(other.connections).toBe(0);
  });
});

describe('a kept connection', () => {
  test.each<[string, 'GET' | 'POST', (socket: Socket) => void]>([
    ['closed', 'POST', (socket) => socket.end()],
    ['reset', 'POST', reset],
    ['closed', 'GET', (socket) => socket.end()],
    ['reset', 'GET', reset],
  ])('%s as a %s is written delivers it at most once', async (_name, method, end) => {
    let first = true;
    const server = await serverOf({
      onRequest: (socket) => {
        if (first) socket.write(answer('200 OK', OK_BODY));
        else end(socket);
        first = false;
      },
    });
    const transport = transportOf(server.url);
    await post(transport, server.url);
    const result = await (method === 'GET' ? get(transport, server.url) : post(transport, server.url));
    expect(result).toMatchObject({ kind: 'fault', fault: { sent: true, reason: 'reset' } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.deliveries.map((delivery) => delivery.connection)).toEqual([1, 1]);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => socket.end(answer('200 OK', OK_BODY))],
    ['reset', (socket) => socket.write(answer('200 OK', OK_BODY), () => reset(socket))],
  ])(
    '%s by the server right after each answer: no request is delivered twice, none that did not leave',
    async (_name, onRequest) => {
      const server = await serverOf({ onRequest });
      const transport = transportOf(server.url);
      const kept: string[] = [];
      for (let round = 0; round < 100; round++) {
        const id = `round-${round};`;
        const request = { url: `${server.url}/order?${id}`, headers: {}, body: '{}', deadlineMs: 120_000 };
        const result = await transport.send({ method: 'POST', ...request });
        if (result.kind === 'fault' && !result.fault.sent) kept.push(id);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      const ids = server.deliveries.map((delivery) => /round-\d+;/.exec(delivery.text)?.[0]);
      expect(ids.length).toBeGreaterThan(40);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of kept) expect(ids).not.toContain(id);
    },
  );
});

test('a server that resets as it accepts: what is called not sent did not arrive', async () => {
  const server = await serverOf({ onConnection: reset });
  const result = await post(transportOf(server.url), server.url);
  expect(result).toMatchObject({ kind: 'fault' });
  if (result.kind === 'fault' && !result.fault.sent) expect(server.bytesReceived).toBe(0);
});

test.each(['http://venue.example', 'ftp://127.0.0.1', 'not a url', 'https://user:word@venue.example'])(
  'a base URL %s is refused at start',
  (url) => {
    expect(() => createGotTransport({ baseUrls: [url] }, realClock)).toThrow('ase URL');
  },
);
