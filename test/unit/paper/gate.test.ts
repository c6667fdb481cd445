// What the gate refuses, with which code and status, and in which order it looks.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { control } from '../../../src/paper/exchange.ts';
import type { PaperRequest, PaperResponse } from '../../../src/paper/wire/messages.ts';
import { DIALECT, errorIn, LEGACY_STATUSES } from '../../../src/venue/dialect.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { nested } from '../client/any-spoil.ts';
import {
  ALICE,
  BOUND,
  orderBody,
  READER,
  type RequestOptions,
  requestFor,
  SmallExchange,
  START,
  smallSettings,
  verdict,
} from './small-exchange.ts';

const LIMITED = smallSettings({
  rateLimits: { public: [{ requests: 0, perMs: 1_000 }], private: [{ requests: 0, perMs: 1_000 }], legacy: [] },
});
const wallet = (change: Partial<PaperRequest> = {}) => ({ ...requestFor('wallet', {}, START), ...change });
/** The wallet request with one query parameter replaced or, with `null`, left out; the signature stays. */
const walletWith = (name: string, value: string | null) => {
  const pairs = wallet()
    .query.split('&')
    .filter((pair) => !pair.startsWith(`${name}=`));
  return wallet({ query: [...pairs, ...(value === null ? [] : [`${name}=${value}`])].join('&') });
};

describe('the gate refuses', () => {
  test.each<[string, string, PaperRequest]>([
    ['404 -1404', 'an unknown path', wallet({ path: '/api/v1/walet' })],
    ['404 -1404', 'a path with a slash too many', wallet({ path: '/api/v1/wallet/' })],
    ['404 -1404', 'the wrong method', wallet({ method: 'POST' })],
    ['500 -1009', 'a query that is not encoded right', wallet({ query: 'a=%zz' })],
    ['403 -1001', 'a private call without a key', wallet({ headers: {} })],
    ['400 -1106', 'a private call without a timestamp', walletWith('timestamp', null)],
    ['403 -1001', 'a private call without a signature', walletWith('signature', null)],
    ['403 -2015', 'a key that nobody has', wallet({ headers: { 'x-exchange-apikey': 'nobody' } })],
    ['403 -1015', 'a key used from elsewhere', requestFor('wallet', { key: BOUND, ip: '10.0.0.2' }, START)],
    ['400 -1106', 'a timestamp that is no number', walletWith('timestamp', 'now')],
    ['400 -1106', 'an empty timestamp', walletWith('timestamp', '')],
    ['400 -1106', 'two timestamps', wallet({ query: `timestamp=1&${wallet().query}` })],
    ['400 -1023', 'a recvWindow of zero', walletWith('recvWindow', '0')],
    ['400 -1023', 'a negative recvWindow', walletWith('recvWindow', '-5')],
    ['400 -1023', 'a recvWindow above a minute', walletWith('recvWindow', '60001')],
    ['400 -1023', 'a recvWindow that is no whole number', walletWith('recvWindow', '1e3')],
    ['400 -1021', 'a timestamp from before the window', requestFor('wallet', { timestamp: START - 5_001 }, START)],
    ['400 -1021', 'a timestamp from after the window', requestFor('wallet', { timestamp: START + 5_001 }, START)],
    ['403 -1022', 'a signature of something else', walletWith('signature', 'ab'.repeat(32))],
    ['403 -1022', 'a signature that is no hex', walletWith('signature', 'hello')],
    ['403 -1022', 'a parameter added after signing', walletWith('omitZeroBalances', 'false')],
    ['403 -2003', 'a key without the permission', requestFor('open-orders', { key: READER }, START)],
    ['500 -1009', 'a body that is not JSON', { ...requestFor('create', {}, START), body: '{"symbol":' }],
    ['500 -1009', 'a body that is no object', { ...requestFor('create', {}, START), body: '[]' }],
    [
      '500 -1009',
      'a body that says it is text',
      {
        ...requestFor('create', {}, START),
        headers: { 'x-exchange-apikey': ALICE.apiKey, 'content-type': 'text/plain' },
      },
    ],
  ])('%s: %s', (expected, _what, request) => {
    const response = new SmallExchange().send(request);
    expect(verdict(response)).toBe(expected);
    expect(errorIn(DIALECT, Number(expected.split(' ')[1]))?.status).toBe(response.status);
    expect(JSON.parse(response.body)).toEqual({ code: expect.any(Number), msg: expect.stringMatching(/\S+\.$/) });
  });

  test('everything while it is under maintenance, and nothing of it afterward', () => {
    const exchange = new SmallExchange();
    control(exchange.state, { maintenance: true });
    expect([verdict(exchange.ask('symbols')), verdict(exchange.ask('wallet'))]).toEqual(['503 -1125', '503 -1125']);
    control(exchange.state, { maintenance: false });
    expect([verdict(exchange.ask('symbols')), verdict(exchange.ask('wallet'))]).toEqual(['200', '200']);
  });
});

describe('the gate lets pass', () => {
  test.each<[string, PaperRequest]>([
    ['a timestamp at the edge of the default window', requestFor('wallet', { timestamp: START - 5_000 }, START)],
    ['a wider window', requestFor('wallet', { timestamp: START - 50_000, query: { recvWindow: '60000' } }, START)],
    ['a key from its own address', requestFor('wallet', { key: BOUND, ip: '10.0.0.1' }, START)],
    ['a signature under another case of its name', wallet({ query: wallet().query.replace('signature', 'Signature') })],
    ['cancel-all without a content type and a body', requestFor('cancel-all', {}, START)],
  ])('%s', (_what, request) => {
    expect(verdict(new SmallExchange().send(request))).toBe('200');
  });

  test('every endpoint of the table', () => {
    const exchange = new SmallExchange();
    const orderId = exchange.place('BUY 1.000 @ 5000');
    const query = { symbol: 'BTC/INR' };
    const asked = {
      tickers: {},
      symbols: {},
      'public-trades': { query },
      'order-book': { query },
      wallet: {},
      'open-orders': {},
      assets: {},
      'crypto-deposits': {},
      'crypto-deposits-historical': {},
      'crypto-withdrawals': {},
      'crypto-withdrawals-historical': {},
      'fiat-deposits': {},
      'fiat-deposits-historical': {},
      'fiat-withdrawals': {},
      'fiat-withdrawals-historical': {},
      'spot-trades': { query },
      'spot-trades-historical': { query },
      'sbs-trades': { query },
      'legacy-best-prices': {},
      'legacy-tickers': {},
      'legacy-depth': { query: { market: 'btcinr' } },
      'legacy-trades': { query: { market: 'btcinr' } },
      create: { body: orderBody('BUY 1.000 @ 5000') },
      cancel: { body: { order_id: orderId } },
      'cancel-symbol': { body: query },
      'cancel-all': {},
    } satisfies Record<EndpointName, RequestOptions>;
    for (const { name, answer } of Object.values(ENDPOINTS)) {
      const { status, body } = exchange.ask(name, asked[name]);
      expect([name, status, answer.safeParse(JSON.parse(body)).success]).toEqual([name, 200, true]);
    }
  });
});

describe('a body that nests deep', () => {
  const signed = requestFor('create', { body: orderBody('BUY 1.000 @ 5000') }, START);
  const withField = (field: string) => ({ ...signed, body: (signed.body ?? '').replace('{', `{${field},`) });
  test.each([
    ['a list of 60 levels, which nobody signed', nested(60), '403 -1022'],
    ['a list of 65 levels', nested(65), '500 -1009'],
    ['a list of 30,000 levels', nested(30_000), '500 -1009'],
    ['maps of 9,000 levels', nested(9_000, 'map'), '500 -1009'],
    ['brackets in a text are no levels', `"${'['.repeat(9_000)}"`, '403 -1022'],
  ])('%s', (_what, value, answered) => {
    expect(verdict(new SmallExchange().send(withField(`"x":${value}`)))).toBe(answered);
  });
});

describe('Q24: cancel-all', () => {
  const bare = requestFor('cancel-all', {}, START);
  const typed = { ...bare, headers: { ...bare.headers, 'content-type': 'application/json' } };
  test.each([
    ['either', '200', '200'],
    ['required', '500 -1009', '200'],
    ['refused', '200', '500 -1009'],
  ] as const)('with a content type that is %s', (cancelAllContentType, withoutType, withType) => {
    const exchange = new SmallExchange(smallSettings({ quirks: { cancelAllContentType } }));
    expect([verdict(exchange.send(bare)), verdict(exchange.send(typed))]).toEqual([withoutType, withType]);
    expect(verdict(exchange.send({ ...typed, body: '{}' }))).toBe(withType);
    expect(verdict(exchange.ask('wallet'))).toBe('200');
  });
});

describe('a signature in a header', () => {
  const inHeader = (name: string, change: (signature: string) => string = (same) => same): PaperRequest => {
    const request = wallet();
    const [query = '', signature = ''] = request.query.split('&signature=');
    return { ...request, query, headers: { ...request.headers, [name]: change(signature) } };
  };
  const accepting = () => new SmallExchange(smallSettings({ quirks: { signatureHeader: 'X-Exchange-Signature' } }));

  test('counts where its name was said, in whatever case', () => {
    expect(verdict(accepting().send(inHeader('x-exchange-signature')))).toBe('200');
    expect(verdict(accepting().send(wallet()))).toBe('200');
  });

  test('is checked as one in the query is', () => {
    const wrong = inHeader('x-exchange-signature', (signature) => signature.replace(/^./, 'x'));
    expect(verdict(accepting().send(wrong))).toBe('403 -1022');
  });

  test('is no signature elsewhere, nor where none may be in a header', () => {
    expect(verdict(accepting().send(inHeader('x-signature')))).toBe('403 -1001');
    expect(verdict(new SmallExchange().send(inHeader('x-exchange-signature')))).toBe('403 -1001');
  });
});

describe('where two things are wrong, the first in this order is said', () => {
  const bad = walletWith('timestamp', '1');
  test.each<[string, PaperRequest]>([
    ['404 -1404', { ...bad, path: '/nowhere' }],
    ['429 -1003', { ...bad, headers: {} }],
  ])('%s', (expected, request) => {
    expect(verdict(new SmallExchange(LIMITED).send(request))).toBe(expected);
  });

  test('a disabled endpoint comes before maintenance, and that before the rate limit', () => {
    const exchange = new SmallExchange(LIMITED);
    control(exchange.state, { maintenance: true });
    expect(verdict(exchange.send(bad))).toBe('503 -1125');
    control(exchange.state, { disabledEndpoints: ['wallet'] });
    expect(verdict(exchange.send(bad))).toBe('404 -1404');
  });

  test('a key without an account comes after the signature, and before the permission', () => {
    const exchange = new SmallExchange();
    control(exchange.state, { unidentifiedKeys: [READER.apiKey] });
    const asked = requestFor('open-orders', { key: READER }, START);
    expect(verdict(exchange.send({ ...asked, query: `timestamp=${START}&signature=y` }))).toBe('403 -1022');
    expect(verdict(exchange.send(asked))).toBe('403 -2004');
  });

  test.each<[string, PaperRequest]>([
    ['403 -1001', wallet({ headers: { 'x-exchange-apikey': 'nobody' }, query: 'timestamp=x' })],
    ['403 -2015', wallet({ headers: { 'x-exchange-apikey': 'nobody' }, query: 'timestamp=x&signature=y' })],
    ['403 -1015', { ...requestFor('wallet', { key: BOUND, ip: '10.0.0.2' }, START), query: 'timestamp=x&signature=y' }],
    ['400 -1106', wallet({ query: 'timestamp=x&signature=y&recvWindow=0' })],
    ['400 -1023', wallet({ query: 'timestamp=1&signature=y&recvWindow=0' })],
    ['400 -1021', wallet({ query: 'timestamp=1&signature=y' })],
    ['403 -1022', { ...requestFor('open-orders', { key: READER }, START), query: `timestamp=${START}&signature=y` }],
    ['403 -2003', requestFor('open-orders', { key: READER, query: { symbol: 'nonsense' } }, START)],
  ])('%s', (expected, request) => {
    expect(verdict(new SmallExchange().send(request))).toBe(expected);
  });
});

test('every answer says when, by which instance, and in JSON', () => {
  const exchange = new SmallExchange();
  exchange.now = START + 1_999;
  const { headers } = exchange.ask('symbols');
  expect(headers).toEqual({
    'content-type': 'application/json; charset=utf-8',
    date: 'Thu, 01 Jan 2026 00:00:01 GMT',
    'x-paper-instance': 'test-instance',
  });
});

test('N2: the code may be text', () => {
  const exchange = new SmallExchange(smallSettings({ quirks: { codeAs: 'string' } }));
  expect(JSON.parse(exchange.ask('order-book').body)).toEqual({ code: '-1103', msg: 'The symbol is required.' });
});

/** Values that were made to confuse: some are right in some place. */
const words = fc.oneof(
  fc.constantFrom('', '0', '1', '-1', '50', '51', '1e3', String(START), 'true', 'BTC/INR', 'btcinr', 'BUY', 'LIMIT'),
  fc.constantFrom('1-5-1', '5000', '0.010', 'null', '[]', '{}', 'NaN', '__proto__', 'constructor', '9'.repeat(400)),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const names = fc.oneof(
  fc.constantFrom('timestamp', 'recvWindow', 'signature', 'SIGNATURE', 'symbol', 'limit', 'orderId', 'startTime'),
  fc.constantFrom('endTime', 'fromId', 'status', 'asset', 'omitZeroBalances', 'market', 'order_id', 'action', 'type'),
  fc.constantFrom('price', 'quantity', '__proto__', 'toString', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const queries = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.tuple(names, words), { maxLength: 8 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')),
);
const bodies = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json({ maxDepth: 3 }),
  fc.dictionary(names, fc.oneof(words, fc.jsonValue({ maxDepth: 2 }))).map((fields) => JSON.stringify(fields)),
);
const headers = fc.dictionary(
  fc.constantFrom('x-exchange-apikey', 'content-type', 'x-exchange-signature', 'host', '__proto__'),
  fc.oneof(words, fc.constantFrom(ALICE.apiKey, READER.apiKey, BOUND.apiKey, 'application/json')),
);
const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', '');
const rows = Object.values(ENDPOINTS);
const paths = fc.oneof(
  fc.constantFrom(...rows.map(({ path }) => path), '/api/depth', '/', '', '/api/v1', '//'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('whatever comes is answered: 200, a documented code with its status, or a status of the legacy table', () => {
  const settings = smallSettings({ quirks: { signatureHeader: 'X-Exchange-Signature', legacyPaths: 'both' } });
  const exchange = new SmallExchange(settings);
  const request = fc.record({ method: methods, path: paths, query: queries, headers, body: bodies });
  fc.assert(
    fc.property(request, fc.constantFrom('10.0.0.1', '::1', ''), (given, ip) => {
      const response = exchange.send({ ...given, ip });
      expect(isDocumented(given.path, response)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('whatever is signed right is answered: 200 or a documented code with its status', () => {
  const signed = rows.filter((row) => row.signed);
  const values = fc.dictionary(names, words, { maxKeys: 5 });
  let answered = 0;
  const exchange = new SmallExchange();
  fc.assert(
    fc.property(fc.constantFrom(...signed), values, values, (row, query, body) => {
      for (const name of Object.keys(query)) if (/^(timestamp|recvWindow|signature)$/i.test(name)) delete query[name];
      delete body.signature;
      const response = exchange.ask(row.name, { query: fillIn(query), body: fillIn(body) });
      expect([row.path, verdict(response), isDocumented(row.path, response)]).toEqual([
        row.path,
        expect.any(String),
        true,
      ]);
      if (response.status === 200 || response.status === 400) answered += 1;
    }),
    { numRuns: 5_000 },
  );
  // It is no proof if everything is refused at the gate.
  expect(answered).toBeGreaterThan(1_250);
});

function isDocumented(path: string, { status, body }: PaperResponse): boolean {
  const parsed: unknown = JSON.parse(body);
  if (status === 200) return true;
  const isLegacy = rows.some((row) => row.interface === 'legacy' && [row.path, row.samplePath].includes(path));
  if (isLegacy) return LEGACY_STATUSES.some((row) => row.status === status);
  const { code, msg } = Object(parsed);
  return typeof msg === 'string' && errorIn(DIALECT, code)?.status === status;
}

/** Half of a surrogate pair can't be sent, and an empty value is not signed by the default. */
function fillIn(values: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(values).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
