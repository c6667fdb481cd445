import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type RequestOptions, requestFor } from '../unit/paper/small-exchange.ts';
import { partsOf, raw, send } from './paper-connection.ts';
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

describe('odd requests get a status and a code', () => {
  test.each<[string, string, number, number | null]>([
    ['HTTP/1.0 without Host', `GET ${SYMBOLS} HTTP/1.0\r\n\r\n`, 200, null],
    ['the whole address', `GET http://elsewhere.example${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 200, null],
    ['the whole address without a path', `GET http://elsewhere.example HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['TRACE', `TRACE ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a method that HTTP knows and nobody uses', `UNSUBSCRIBE ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a path of 12,000 characters', `GET /${'a'.repeat(12_000)} HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a path that names the prototype', `GET /__proto__?__proto__=1 HTTP/1.1\r\nHost: x\r\n${END}`, 404, -1404],
    ['a query that is not encoded', `GET ${SYMBOLS}?a=%zz HTTP/1.1\r\nHost: x\r\n${END}`, 500, -1009],
    ['500 headers', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\n${headers(500, 'b')}${END}`, 200, null],
    [
      'an upgrade',
      `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
      200,
      null,
    ],
    ['a body with GET', `GET ${SYMBOLS} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n${END}abc`, 200, null],
  ])('%s', async (_what, bytes, status, code) => {
    const answer = partsOf((await raw(url, Buffer.from(bytes, 'latin1'), { forMs: 300 })).text);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/\ndate: .* gmt/);
    if (code !== null) expect(JSON.parse(answer.body)).toEqual({ code, msg: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n'],
    ['half a request', `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"sym`],
  ])('%s get 400', async (_what, bytes) => {
    expect(partsOf((await raw(url, bytes, { half: true })).text).status).toBe(400);
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

test('a body that is too large is refused with 413', async () => {
  const answer = await send(url, { method: 'POST', target: CREATE, body: Buffer.alloc(100_000, 'x') });
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body)).toEqual({ error: 'The body is larger than 65536 bytes.' });
});
