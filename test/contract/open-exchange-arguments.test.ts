// The client for programs of one's own: settings and spans of another form throw, and nothing is sent.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Exchange, openExchange } from '../../src/client/open-exchange.ts';
import { type RawServer, startRawServer } from './client-raw-server.ts';

const RIGHT = { baseUrl: 'http://127.0.0.1:1', apiKey: 'key-of-a-test', secret: 'hush-hush' };
let server: RawServer;
let exchange: Exchange;
beforeAll(async () => {
  server = await startRawServer({});
  exchange = openExchange({ ...RIGHT, baseUrl: server.url });
});
afterAll(async () => {
  await exchange.close();
  await server.close();
});

test.each<[string, unknown]>([
  ['openExchange: the argument is missing; expected an object with baseUrl,', undefined],
  ['openExchange: baseUrl is missing; expected the URL of the exchange', { ...RIGHT, baseUrl: undefined }],
  ['openExchange: baseUrl is "[secret]"; expected the URL', { ...RIGHT, baseUrl: 'hush-hush' }],
  ['openExchange: baseUrl is "https://x.example/?a"; expected', { ...RIGHT, baseUrl: 'https://x.example/?a' }],
  ['or http on this machine', { ...RIGHT, baseUrl: 'http://x.example' }],
  ['timeOffsetsMs.spot-trades is 5; expected whole quarter hours', { ...RIGHT, timeOffsetsMs: { 'spot-trades': 5 } }],
  [
    'openExchange: apiKey is [secret]; expected a text of 8 characters or more without white',
    { ...RIGHT, apiKey: 'key of a test' },
  ],
  ['openExchange: apiKey is [secret]; expected', { ...RIGHT, apiKey: 5 }],
  ['openExchange: secret is [secret]; expected', { ...RIGHT, secret: '' }],
  ['openExchange: secret is [secret]; expected', { ...RIGHT, secret: 'hush-hush\n' }],
  ['openExchange: apiKeyHeader is "a b"; expected the header of the key: letters,', { ...RIGHT, apiKeyHeader: 'a b' }],
  ['openExchange: legacyPaths is "v2"; expected "versioned" or "sample".', { ...RIGHT, legacyPaths: 'v2' }],
  ['openExchange: recvWindowMs is 60001; expected whole milliseconds from 1', { ...RIGHT, recvWindowMs: 60_001 }],
  ['openExchange: recvWindowMs is 0.5; expected whole milliseconds', { ...RIGHT, recvWindowMs: 0.5 }],
  ['openExchange: recvWindowMs is 2.5; expected whole milliseconds', { ...RIGHT, recvWindowMs: 2.5 }],
  ['openExchange: deadlineMs is Infinity; expected milliseconds from 1 to', { ...RIGHT, deadlineMs: Infinity }],
  ['openExchange: deadlineMs is 1000000000000; expected', { ...RIGHT, deadlineMs: 1e12 }],
  ['requestsPerSecond.private is missing; expected a number', { ...RIGHT, requestsPerSecond: { public: 1 } }],
  ['requestsPerSecond.public is 0; expected', { ...RIGHT, requestsPerSecond: { public: 0, private: 1 } }],
  ['openExchange: openOrdersUncapped is "no"; expected true or false.', { ...RIGHT, openOrdersUncapped: 'no' }],
  ['openExchange: timeOffsetsMs.', { ...RIGHT, timeOffsetsMs: { tickets: 0 } }],
  ['openExchange: sandbox is true; expected only baseUrl,', { ...RIGHT, sandbox: true }],
])('%s', (sentence, settings) => {
  expect(() => Reflect.apply(openExchange, undefined, [settings])).toThrow(sentence);
  expect(server.bytesReceived).toBe(0);
});

test.each([
  ...['https://x.example/#', 'https://x.example?', 'https://x.example/a/?', 'HTTPS://x.example', 'https://X.example'],
  ...['https://x.example ', ' https://x.example', 'https://x.example\n', 'https://x.example/p q'],
  ...['https://x.example/é', 'https://x.example/a/../b', 'https://x.example:443', 'https://me:pass@x.example'],
  ...['https://@x.example', 'https:x', 'http://127.1:9000', 'https://x.example\\a', 'https://me@x.example/'],
])('the base URL %j is refused', (baseUrl) => {
  for (const field of ['baseUrl', 'legacyBaseUrl'])
    expect(() => Reflect.apply(openExchange, undefined, [{ ...RIGHT, [field]: baseUrl }])).toThrow(
      `openExchange: ${field} is ${JSON.stringify(baseUrl)}; expected the URL of the exchange`,
    );
});

test.each(['https://x.example', 'https://x.example/', 'https://x.example:8443/a/b', 'http://[::1]:9000'])(
  'the base URL %s is taken',
  async (baseUrl) => {
    await openExchange({ ...RIGHT, baseUrl }).close();
  },
);

test.each([
  ...['__proto__', 'accept-encoding', 'Host', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Expect', 'TE'],
  ...['Connection', 'Upgrade', 'Cookie', 'User-Agent', 'Proxy-Authorization', 'Date', 'constructor', '-', '7', ''],
])('the header %j carries no key', (apiKeyHeader) => {
  expect(() => openExchange({ ...RIGHT, apiKeyHeader })).toThrow(
    `openExchange: apiKeyHeader is "${apiKeyHeader}"; expected the header of the key`,
  );
});

test.each(['X-API-KEY', 'x-exchange-apikey', 'ApiKey', 'Authorization', 'X-Host'])(
  'the header %s does',
  async (name) => {
    await openExchange({ ...RIGHT, apiKeyHeader: name }).close();
  },
);

test.each(['apiKey', 'secret'])(
  'a short %s is refused: masked in an answer, it would change ids and names',
  (field) => {
    const short = { ...RIGHT, [field]: '1234567' };
    expect(() => openExchange(short)).toThrow(
      `openExchange: ${field} is [secret]; expected a text of 8 characters or more`,
    );
  },
);

class FromClass {
  get recvWindowMs(): number {
    return 60_000;
  }
}
test.each<[string, object]>([
  ['the argument', Object.assign(new FromClass(), RIGHT)],
  ['timeOffsetsMs', { ...RIGHT, timeOffsetsMs: new Map([['spot-trades', 5]]) }],
])('settings that are not plain are refused: %s', (field, settings) => {
  expect(() => Reflect.apply(openExchange, undefined, [settings])).toThrow(
    `openExchange: ${field} is an object that is not plain; expected `,
  );
});

test.each<[string, string, unknown]>([
  ['spotTrades', 'the argument is missing; expected an object with symbol, from, after, to.', undefined],
  ['spotTrades', 'symbol is "btcinr"; expected BASE/QUOTE in upper case.', { symbol: 'btcinr', from: 0 }],
  ['spotTrades', 'from is missing; expected a moment, or `after` with the outcome of an', { symbol: 'BTC/INR' }],
  ['spotTrades', 'from is "0"; expected whole milliseconds since epoch', { symbol: 'BTC/INR', from: '0' }],
  ['spotTrades', 'to is 4; expected where the reading begins, or later.', { symbol: 'BTC/INR', from: 5, to: 4 }],
  ['spotTrades', 'until is 4; expected only symbol, from, after, to.', { symbol: 'BTC/INR', from: 5, until: 4 }],
  ['spotTrades', 'after is an object; expected the outcome', { symbol: 'BTC/INR', after: { kind: 'complete' } }],
  ['spotTrades', 'after is an object; expected nothing', { symbol: 'BTC/INR', from: 5, after: { settledUntil: 4 } }],
  ['sbsTrades', 'symbol is "BTC/USDT"; expected COIN/INR in upper case.', { symbol: 'BTC/USDT', from: 0 }],
  ['cryptoTransfers', 'direction is "in"; expected "deposit" or "withdrawal".', { direction: 'in', from: 0 }],
  ['cryptoTransfers', 'asset is "btc"; expected an asset in', { direction: 'deposit', asset: 'btc', from: 0 }],
  ['fiatTransfers', 'to is null; expected whole milliseconds', { direction: 'withdrawal', from: 0, to: null }],
])('the history %s: %s', (name, sentence, of) => {
  const call = () => Reflect.apply(Reflect.get(exchange, name), exchange, [of]);
  expect(call).toThrow(`${name}: ${sentence}`);
  expect(server.bytesReceived).toBe(0);
});
