// What the gate refuses, with which code and status, and in which order it looks.
import { describe, expect, test } from '@jest/globals';
import { control } from '../../../src/paper/exchange.ts';
import type { PaperRequest } from '../../../src/paper/messages.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { errorCode } from '../../../src/venue/error-codes.ts';
import {
  ALICE,
  BOUND,
  orderBody,
  READER,
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
    ['403 -1001', 'a private call without a timestamp', walletWith('timestamp', null)],
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
    expect(errorCode(Number(expected.split(' ')[1]))?.status).toBe(response.status);
    expect(JSON.parse(response.body)).toEqual({ code: expect.any(Number), msg: expect.stringMatching(/\S+\.$/) });
  });

  test('everything while it is under maintenance, and nothing of it afterwards', () => {
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
    ['cancel-all with a content type and no body', requestFor('cancel-all', {}, START)],
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
      'spot-trades': { query },
      create: { body: orderBody('BUY 1.000 @ 5000') },
      cancel: { body: { order_id: orderId } },
      'cancel-symbol': { body: query },
      'cancel-all': {},
    };
    for (const { name, answer } of Object.values(ENDPOINTS)) {
      const { status, body } = exchange.ask(name, asked[name]);
      expect([name, status, answer.safeParse(JSON.parse(body)).success]).toEqual([name, 200, true]);
    }
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

  test('maintenance comes before the rate limit', () => {
    const exchange = new SmallExchange(LIMITED);
    control(exchange.state, { maintenance: true });
    expect(verdict(exchange.send(bad))).toBe('503 -1125');
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
