// Requests as bytes, several of them and other things in one segment: every write that was done is answered 200 once,
// what comes after the end of a connection is not done, and whatever comes back is HTTP. The client is a socket and
// nothing else.
import { createHmac } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decimal } from '../../src/domain/decimal.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { realClock } from '../../src/ports/clock.ts';
import { RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import { smallSettings } from '../unit/paper/small-exchange.ts';
import { startSmall } from './paper-servers.ts';

const CREATE = '/api/v1/spot/order/create';
const KEY = 'alice-key';
const SECRET = 'alice-secret';
const BALANCES = { INR: decimal('1000000000000') };

let server: PaperServer;

beforeAll(async () => {
  const settings = smallSettings({ rateLimits: { public: [], private: [], legacy: [] } });
  const key = { apiKey: KEY, secret: SECRET, permissions: ['wallet', 'orders', 'trades'], ipWhitelist: null } as const;
  server = await startSmall({
    settings: { ...settings, accounts: [{ name: 'alice', keys: [key], balances: BALANCES }] },
  });
});
beforeEach(() => server.control({ quirks: SPEC_QUIRKS }));
afterAll(() => server.close());

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

interface Shape {
  readonly secret?: string;
  readonly extra?: readonly string[];
  readonly isChunked?: boolean;
}

/** An order that rests far below every other. */
function create({ secret = SECRET, extra = [], isChunked = false }: Shape = {}): string {
  const fields = { action: 'BUY', price: '1000', quantity: '1', symbol: 'BTC/INR', type: 'LIMIT' };
  const query = `recvWindow=${RECV_WINDOW_MAX_MS}&timestamp=${realClock.now()}`;
  const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const signature = createHmac('sha256', secret)
    .update(`${query}${text.join('&')}`)
    .digest('hex');
  const body = JSON.stringify(fields);
  const head = [`POST ${CREATE}?${query}&signature=${signature} HTTP/1.1`, 'Host: x', `X-EXCHANGE-APIKEY: ${KEY}`];
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return lines(...head, 'Content-Type: application/json', length, ...extra) + sent;
}

const SYMBOLS = lines('GET /api/v1/public/exchange/symbols HTTP/1.1', 'Host: x');

interface Heard {
  readonly answers: readonly { readonly status: number; readonly body: string }[];
  /** What is left over and is no whole answer. */
  readonly rest: string;
}

/**
 * Writes each part in a segment of its own and listens until `wanted` answers are there and a while more, or the end.
 */
function talk(parts: readonly string[], { wanted, halfClose }: { wanted: number; halfClose: boolean }): Promise<Heard> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = net.connect({ port: Number(port), host: hostname, noDelay: true, allowHalfOpen: true });
    let text = '';
    let lingering: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(lingering);
      socket.destroy();
      resolve(parsed(text));
    };
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (parsed(text).answers.length >= wanted && lingering === undefined) lingering = setTimeout(done, 5);
    });
    socket.on('end', done).on('error', done);
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part, 'latin1');
        await new Promise((next) => setTimeout(next, 1));
      }
      if (halfClose) socket.end();
    });
  });
}

function parsed(text: string): Heard {
  const answers: { status: number; body: string }[] = [];
  let rest = text;
  for (;;) {
    const match = /^HTTP\/1\.1 (\d{3}) [^\r\n]+\r\n((?:[a-z-]+: [^\r\n]*\r\n)+)\r\n/i.exec(rest);
    const length = Number(/^content-length: (\d+)/im.exec(match?.[2] ?? '')?.[1] ?? Number.NaN);
    const from = match?.[0].length ?? 0;
    if (match === null || !(rest.length >= from + length)) return { answers, rest };
    answers.push({ status: Number(match[1]), body: rest.slice(from, from + length) });
    rest = rest.slice(from + length);
  }
}

async function openOrders(): Promise<readonly string[]> {
  const response = await fetch(`${server.url}/paper/truth`);
  const { accounts }: { accounts: { orders: { orderId: string }[] }[] } = JSON.parse(await response.text());
  return accounts.flatMap(({ orders }) => orders.map(({ orderId }) => orderId));
}

const idsIn = ({ answers }: Heard): readonly string[] =>
  answers.flatMap(({ body }) => /"order_id":"([^"]+)"/.exec(body)?.[1] ?? []);

describe('what follows in the same segment', () => {
  const END = ['Connection: close'];
  test.each<[string, () => string, readonly number[]]>([
    ['bytes that are no HTTP', () => `${create()}garbage\r\n\r\n`, [200, 400]],
    ['one byte', () => `${create()}}`, [200, 400]],
    ['an empty line', () => `${create()}\r\n`, [200]],
    ['half a request', () => `${create()}POST /`, [200]],
    ['bytes that are no HTTP, after two writes', () => `${create()}${create()}\0`, [200, 200, 400]],
    ['a request, after Connection: close', () => create({ extra: END }) + SYMBOLS, [200]],
    ['a write, after Connection: close', () => create({ extra: END }) + create(), [200]],
    ['bytes that are no HTTP, after Connection: close', () => `${create({ extra: END })}garbage`, [200]],
    ['a write, after one without Host', () => create().replace('Host: x\r\n', '') + create(), [400]],
    ['a write, after an expectation that nobody meets', () => create({ extra: ['Expect: gold'] }) + create(), [417]],
    [
      'a body that is too large',
      () => create() + lines('POST / HTTP/1.1', 'Host: x', 'Content-Length: 99999'),
      [200, 413],
    ],
    ['CONNECT', () => create() + lines('CONNECT a:1 HTTP/1.1', 'Host: x'), [200, 404]],
    [
      'a chunk of no length',
      () => create() + lines('POST / HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', 'zz'),
      [200, 400],
    ],
  ])('%s', async (_what, bytes, statuses) => {
    for (const matchingLagMs of [0, 20]) {
      server.control({ quirks: { ...SPEC_QUIRKS, matchingLagMs } });
      const before = await openOrders();
      const heard = await talk([bytes()], { wanted: statuses.length, halfClose: false });
      expect([heard.answers.map(({ status }) => status), heard.rest]).toEqual([statuses, '']);
      const made = (await openOrders()).filter((orderId) => !before.includes(orderId));
      expect(idsIn(heard)).toEqual(made);
    }
  });

  test('the end of the caller’s half of the connection', async () => {
    server.control({ quirks: { ...SPEC_QUIRKS, matchingLagMs: 30 } });
    const heard = await talk([create() + create()], { wanted: 2, halfClose: true });
    expect(heard.answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a query that is not encoded right gets 500 with -1009', async () => {
    const target = `POST ${CREATE}?timestamp=%zz HTTP/1.1`;
    const heard = await talk([lines(target, 'Host: x', 'Content-Length: 0')], { wanted: 1, halfClose: false });
    expect(heard.answers).toEqual([{ status: 500, body: expect.stringContaining('"code":-1009') }]);
  });
});
