// Every documented code can be had: by a request that earns it, by the state of the exchange, or by a fault.
import { describe, expect, test } from '@jest/globals';
import { control } from '../../../src/paper/exchange.ts';
import { addKey, revokeKey } from '../../../src/paper/state/settings.ts';
import type { Controls } from '../../../src/paper/state/state.ts';
import { DIALECT, ERROR_CODES, errorIn } from '../../../src/venue/dialect.ts';
import { climbingBids, scriptedCrowd } from './scripted-crowd.ts';
import {
  ALICE,
  BOB,
  BOUND,
  orderBody,
  READER,
  requestFor,
  SmallExchange,
  START,
  smallSettings,
  verdict,
} from './small-exchange.ts';

const withControls = (change: Partial<Controls>, exchange = new SmallExchange()): SmallExchange => {
  control(exchange.state, change);
  return exchange;
};
const order = { body: orderBody('BUY 1.000 @ 5000') };

describe('by what was done to the exchange', () => {
  test('-1404: a disabled endpoint says so, an unknown one says another thing', () => {
    const exchange = withControls({ disabledEndpoints: ['create'] });
    const { status, body } = exchange.ask('create', order);
    expect([status, JSON.parse(body)]).toEqual([404, { code: -1404, msg: 'Endpoint disabled.' }]);
    const unknown = exchange.send({ ...requestFor('wallet', {}, START), path: '/api/v1/nothing' });
    expect(JSON.parse(unknown.body)).toEqual({ code: -1404, msg: 'Endpoint not found.' });
    expect(verdict(exchange.ask('wallet'))).toBe('200');
  });

  test('-2004: a key whose account cannot be found, if it signs right', () => {
    const exchange = withControls({ unidentifiedKeys: [ALICE.apiKey] });
    expect(verdict(exchange.ask('wallet'))).toBe('403 -2004');
    expect(verdict(exchange.ask('wallet', { key: { ...ALICE, secret: 'wrong' } }))).toBe('403 -1022');
    expect(verdict(exchange.ask('wallet', { key: BOB }))).toBe('200');
  });

  test('-2015: a key that was revoked; a key that was added works', () => {
    const exchange = new SmallExchange();
    const key = { apiKey: 'new-key', secret: 'new-secret' };
    const full = { ...key, permissions: ['wallet'] as const, ipWhitelist: null };
    expect(verdict(exchange.ask('wallet', { key }))).toBe('403 -2015');
    expect(addKey(exchange.state, 'alice', full)).toEqual({ ok: true });
    expect(verdict(exchange.ask('wallet', { key }))).toBe('200');
    expect(verdict(exchange.ask('open-orders', { key }))).toBe('403 -2003');
    expect(revokeKey(exchange.state, key.apiKey)).toEqual({ ok: true });
    expect(verdict(exchange.ask('wallet', { key }))).toBe('403 -2015');
  });

  test('keys cannot be added twice, nor to nobody, nor revoked before they exist', () => {
    const { state } = new SmallExchange();
    const full = { ...ALICE, permissions: [], ipWhitelist: null };
    expect(addKey(state, 'bob', full)).toMatchObject({ ok: false });
    expect(addKey(state, 'carol', { ...full, apiKey: 'x' })).toMatchObject({
      ok: false,
    });
    expect(revokeKey(state, 'x')).toMatchObject({ ok: false });
    expect(state.callers.get(ALICE.apiKey)?.account).toBe('alice');
  });

  test('a frozen symbol: creates get 200 with a message, cancels work, another symbol trades', () => {
    const exchange = new SmallExchange();
    const orderId = exchange.place('BUY 1.000 @ 5000');
    control(exchange.state, { frozenSymbols: ['BTC/INR'] });
    expect(exchange.read('create', order)).toEqual({ msg: 'Trading in BTC/INR is suspended.' });
    expect(exchange.place('BUY 1.00 @ 300 ETH/INR')).toMatch(/^1-\d+-1$/);
    expect(verdict(exchange.ask('cancel', { body: { order_id: orderId } }))).toBe('200');
    expect(exchange.read('open-orders')).toMatchObject([{ symbol: 'ETH/INR' }]);
    control(exchange.state, { frozenSymbols: [] });
    expect(exchange.read('create', order)).toHaveProperty('data');
  });

  test('a frozen symbol: the crowd does nothing there, and goes on when it thaws', () => {
    const crowd = scriptedCrowd([...climbingBids(1, 1), ...climbingBids(4, 1_000).map(after(1_000))]);
    const exchange = new SmallExchange(smallSettings({ crowd }));
    exchange.place('SELL 0.200 @ 1002');
    control(exchange.state, { frozenSymbols: ['BTC/INR'] });
    exchange.now += 3_500;
    const book = () => exchange.read('order-book', { query: { symbol: 'BTC/INR' } });
    expect(book()).toEqual({ bids: [['1000', '0.2']], asks: [['1002', '0.2']] });
    control(exchange.state, { frozenSymbols: [] });
    exchange.now += 1_000;
    expect(book()).toEqual({
      bids: [
        ['1001.5', '0.2'],
        ['1000', '0.2'],
      ],
      asks: [['1002', '0.2']],
    });
  });

  test('a frozen account: its creates get 200 with a message, its cancels work, others trade', () => {
    const exchange = new SmallExchange();
    exchange.place('BUY 1.000 @ 5000');
    control(exchange.state, { frozenAccounts: ['alice'] });
    expect(exchange.read('create', order)).toEqual({ msg: 'Trading is suspended for this account.' });
    expect(exchange.read('create', { ...order, key: BOB })).toHaveProperty('data');
    expect(verdict(exchange.ask('cancel-all'))).toBe('200');
    expect(exchange.read('open-orders')).toEqual([]);
  });

  test("the exchange's own clock: its date, the timestamps it takes, the times of its rows", () => {
    const exchange = withControls({ clockOffsetMs: 20_000 });
    expect(verdict(exchange.ask('wallet'))).toBe('400 -1021');
    const timestamp = START + 20_000;
    const made = exchange.ask('create', { ...order, timestamp });
    expect(made.headers.date).toBe('Thu, 01 Jan 2026 00:00:20 GMT');
    expect(exchange.read('open-orders', { timestamp })).toMatchObject([{ time: timestamp }]);
    control(exchange.state, { clockOffsetMs: -20_000 });
    expect(exchange.ask('symbols').headers.date).toBe('Wed, 31 Dec 2025 23:59:40 GMT');
    exchange.ask('create', { body: orderBody('SELL 1.000 @ 5000'), key: BOB, timestamp: START - 20_000 });
    const trades = exchange.read('public-trades', { query: { symbol: 'BTC/INR' } });
    expect(trades).toMatchObject([{ time: START - 20_000 }]);
  });

  test("rate limits tell their moments by the exchange's own clock", () => {
    const limit = [{ requests: 1, perMs: 1_000 }];
    const settings = smallSettings({
      rateLimits: { public: limit, private: [], legacy: [] },
      quirks: { retryAfter: 'date' },
    });
    const exchange = withControls({ clockOffsetMs: 3_600_000 }, new SmallExchange(settings));
    exchange.ask('symbols');
    expect(exchange.ask('symbols').headers).toMatchObject({
      'x-ratelimit-reset': String(START / 1000 + 3_601),
      'retry-after': 'Thu, 01 Jan 2026 01:00:01 GMT',
    });
  });
});

/** What earns each code, beside a fault. */
const ask = (...asked: Parameters<SmallExchange['ask']>) => verdict(new SmallExchange().ask(...asked));
const walletWith = (query: string) => verdict(new SmallExchange().send({ ...requestFor('wallet', {}, START), query }));
const createWith = (field: string, value: string) => ask('create', { body: { ...order.body, [field]: value } });
const tradesWith = (query: Record<string, string>) => ask('spot-trades', { query: { symbol: 'BTC/INR', ...query } });
const FULL = { public: [], private: [{ requests: 0, perMs: 1_000 }], legacy: [] };
const EARNED = new Map<number, () => string>([
  [-1125, () => verdict(withControls({ maintenance: true }).ask('symbols'))],
  [-1404, () => verdict(withControls({ disabledEndpoints: ['wallet'] }).ask('wallet'))],
  [-1001, () => verdict(new SmallExchange().send({ ...requestFor('wallet', {}, START), headers: {} }))],
  [-1003, () => verdict(withControls({ rateLimits: FULL }).ask('wallet'))],
  [-1009, () => ask('symbols', { query: { a: '1' } })],
  [-1015, () => ask('wallet', { key: BOUND, ip: '10.0.0.2' })],
  [-1021, () => ask('wallet', { timestamp: 1 })],
  [-1022, () => walletWith(`timestamp=${START}&signature=x`)],
  [-1023, () => walletWith(`timestamp=${START}&signature=x&recvWindow=0`)],
  [-1102, () => ask('cancel', { body: {} })],
  [-1103, () => ask('order-book')],
  [-1104, () => ask('order-book', { query: { symbol: 'BTC/INR', limit: 'x' } })],
  [-1105, () => ask('order-book', { query: { symbol: 'BTC/INR', limit: '51' } })],
  [-1106, () => walletWith('timestamp=x&signature=x')],
  [-1107, () => tradesWith({ startTime: '2', endTime: '1' })],
  [-1108, () => ask('crypto-deposits', { query: { status: 'REJECTED' } })],
  [-1109, () => tradesWith({ orderId: '1-1-1', fromId: '1' })],
  [-1111, () => ask('assets', { query: { asset: 'b t c' } })],
  [-1112, () => createWith('action', 'HOLD')],
  [-1113, () => createWith('type', 'MARKET')],
  [-1114, () => createWith('price', '0')],
  [-1115, () => createWith('quantity', '0')],
  [-1121, () => createWith('symbol', 'DOGE/INR')],
  [-1122, () => ask('assets', { query: { asset: 'DOGE' } })],
  [-1123, () => createWith('symbol', 'BTCINR')],
  [-1124, () => ask('cancel', { body: { order_id: '5' } })],
  [-2003, () => ask('open-orders', { key: READER })],
  [-2004, () => verdict(withControls({ unidentifiedKeys: [ALICE.apiKey] }).ask('wallet'))],
  [-2015, () => ask('wallet', { key: { apiKey: 'x', secret: 'x' } })],
  [-5013, () => verdict(unfunded('failure').ask('create', { body: orderBody('BUY 10.000 @ 500000') }))],
  [-5014, () => ask('cancel', { body: { order_id: '1-1-1' } })],
]);
/** The rest: nothing goes wrong by itself in here. */
const ONLY_BY_ORDER = [-1000, -3000, -4001, -5015, ...[...Array(12).keys()].map((index) => -5001 - index)];

test.each([...EARNED])('%s can be earned', (code, earn) => {
  expect(earn()).toBe(`${errorIn(DIALECT, code)?.status} ${code}`);
});

test('every documented code is earned or only by order', () => {
  const known = [...EARNED.keys(), ...ONLY_BY_ORDER].sort((a, b) => b - a);
  expect(known).toEqual(ERROR_CODES.map(({ code }) => code).sort((a, b) => b - a));
});

function unfunded(insufficientFunds: 'failure'): SmallExchange {
  return new SmallExchange(smallSettings({ quirks: { insufficientFunds } }));
}

function after<T extends { after: number; price: number }>(ms: number): (order: T) => T {
  return (given) => ({ ...given, after: given.after + ms });
}
