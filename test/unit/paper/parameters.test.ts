// What each endpoint refuses of its own parameters, and with which code.
import { describe, expect, test } from '@jest/globals';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { orderBody, type RequestOptions, SmallExchange, smallSettings, verdict } from './small-exchange.ts';

const BTC = { symbol: 'BTC/INR' };
const query = (values: Record<string, string>): RequestOptions => ({ query: values });
const body = (values: Record<string, string>): RequestOptions => ({ body: values });
const order = (values: Record<string, string>): RequestOptions => body({ ...orderBody('BUY 1.000 @ 5000'), ...values });
const without = (name: string): RequestOptions => {
  const { [name]: _gone, ...rest } = orderBody('BUY 1.000 @ 5000');
  return body(rest);
};
const trades = (values: Record<string, string>) => query({ ...BTC, ...values });
const LONG = '1'.repeat(400);

test.each<[EndpointName, string, RequestOptions, string]>([
  ['tickers', 'no symbol at all', {}, '200'],
  ['tickers', 'an empty symbol', query({ symbol: '' }), '400 -1123'],
  ['tickers', 'a symbol in small letters', query({ symbol: 'btc/inr' }), '400 -1123'],
  ['tickers', 'a symbol that is not traded', query({ symbol: 'DOGE/INR' }), '400 -1121'],
  ['symbols', 'a parameter, though it takes none', query(BTC), '500 -1009'],
  ['public-trades', 'no symbol', {}, '400 -1103'],
  ['public-trades', 'a symbol without a slash', query({ symbol: 'BTCINR' }), '400 -1123'],
  ['public-trades', 'an unknown symbol', query({ symbol: 'BTC/USD' }), '400 -1121'],
  ['public-trades', 'a limit that is a word', query({ ...BTC, limit: 'all' }), '400 -1104'],
  ['public-trades', 'an empty limit', query({ ...BTC, limit: '' }), '400 -1104'],
  ['public-trades', 'a limit of zero', query({ ...BTC, limit: '0' }), '400 -1105'],
  ['order-book', 'a limit above fifty', query({ ...BTC, limit: '51' }), '400 -1105'],
  ['order-book', 'a negative limit', query({ ...BTC, limit: '-1' }), '400 -1105'],
  ['order-book', 'half a limit', query({ ...BTC, limit: '2.5' }), '400 -1105'],
  ['order-book', 'the largest limit', query({ ...BTC, limit: '50' }), '200'],
  ['order-book', 'no symbol', {}, '400 -1103'],
  ['order-book', 'a limit without end', query({ ...BTC, limit: LONG }), '400 -1105'],
  ['wallet', 'a recvWindow without end', query({ recvWindow: LONG }), '400 -1023'],
  ['spot-trades', 'a start without end', trades({ startTime: LONG }), '400 -1107'],
  ['spot-trades', 'a fromId without end', trades({ fromId: LONG }), '500 -1009'],
  ['sbs-trades', 'an order id without end', trades({ orderId: LONG }), '400 -1124'],
  ['cancel', 'an order id without end', body({ order_id: `1-${LONG}-1` }), '400 -1124'],
  ['create', 'a price without end', order({ price: LONG }), '400 -1114'],
  ['create', 'a quantity without end', order({ quantity: LONG }), '400 -1115'],
  ['wallet', 'a flag that is neither true nor false', query({ omitZeroBalances: 'yes' }), '500 -1009'],
  ['open-orders', 'no symbol', {}, '200'],
  ['open-orders', 'a bad symbol', query({ symbol: 'BTC-INR' }), '400 -1123'],
  ['open-orders', 'an unknown symbol', query({ symbol: 'X/Y' }), '400 -1121'],
  ['spot-trades', 'no symbol', {}, '400 -1103'],
  ['spot-trades', 'a start time that is a word', trades({ startTime: 'monday' }), '400 -1107'],
  ['spot-trades', 'an end time with a point', trades({ endTime: '1.5' }), '400 -1107'],
  ['spot-trades', 'an end at its start', trades({ startTime: '2', endTime: '2' }), '200'],
  ['spot-trades', 'order and time together', trades({ orderId: '1-1-1', startTime: '1' }), '400 -1109'],
  ['spot-trades', 'fromId and time together', trades({ fromId: '1', endTime: '1' }), '400 -1109'],
  ['spot-trades', 'a fromId beyond 2^53', trades({ fromId: '99999999999999999999' }), '200'],
  ['create', 'no symbol', without('symbol'), '400 -1103'],
  ['create', 'a bad symbol', order({ symbol: 'BTC/' }), '400 -1123'],
  ['create', 'an unknown symbol', order({ symbol: 'DOGE/INR' }), '400 -1121'],
  ['create', 'no action', without('action'), '400 -1112'],
  ['create', 'an action in small letters', order({ action: 'buy' }), '400 -1112'],
  ['create', 'no type', without('type'), '400 -1113'],
  ['create', 'a market order', order({ type: 'MARKET' }), '400 -1113'],
  ['create', 'no price', without('price'), '400 -1114'],
  ['create', 'a price of zero', order({ price: '0' }), '400 -1114'],
  ['create', 'a negative price', order({ price: '-5' }), '400 -1114'],
  ['create', 'a price with an exponent', order({ price: '5e3' }), '400 -1114'],
  ['create', 'a price with a comma', order({ price: '5,000' }), '400 -1114'],
  ['create', 'a price off the tick', order({ price: '5000.25' }), '400 -1114'],
  ['create', 'a price beyond all ticks', order({ price: '9'.repeat(30) }), '400 -1114'],
  ['create', 'no quantity', without('quantity'), '400 -1115'],
  ['create', 'a quantity of zero', order({ quantity: '0.000' }), '400 -1115'],
  ['create', 'a quantity that is a word', order({ quantity: 'all' }), '400 -1115'],
  ['create', 'a quantity off the lot', order({ quantity: '0.0005' }), '400 -1115'],
  ['create', 'less than the least notional', order({ quantity: '0.001' }), '400 -1115'],
  ['cancel', 'no order id', body({}), '400 -1102'],
  ['cancel', 'an order id of another shape', body({ order_id: '12345' }), '400 -1124'],
  ['cancel', 'an order that never was', body({ order_id: '1-12345-1' }), '500 -5014'],
  ['cancel-symbol', 'no symbol', body({}), '400 -1103'],
  ['cancel-symbol', 'a bad symbol', body({ symbol: 'x' }), '400 -1123'],
  ['cancel-symbol', 'an unknown symbol', body({ symbol: 'X/Y' }), '400 -1121'],
])('%s with %s: %s is answered with %s', (name, _what, options, expected) => {
  expect(verdict(new SmallExchange().ask(name, options))).toBe(expected);
});

describe('the first wrong parameter is said', () => {
  test.each<[EndpointName, RequestOptions, string]>([
    ['order-book', query({ limit: 'x' }), '400 -1103'],
    ['spot-trades', trades({ limit: 'x', orderId: '17' }), '400 -1104'],
    ['spot-trades', trades({ orderId: '17', startTime: 'x' }), '400 -1124'],
    ['spot-trades', trades({ orderId: '1-1-1', startTime: '5', endTime: '1' }), '400 -1107'],
    ['create', order({ action: 'x', type: 'x', price: 'x', quantity: 'x' }), '400 -1112'],
    ['create', order({ type: 'x', price: 'x', quantity: 'x' }), '400 -1113'],
    ['create', order({ price: 'x', quantity: 'x' }), '400 -1114'],
  ])('%s %j: %s', (name, options, expected) => {
    expect(verdict(new SmallExchange().ask(name, options))).toBe(expected);
  });
});

describe('Q23: what the market turns down', () => {
  const offTick = order({ price: '5000.25' });
  const tooMuch = order({ quantity: '1000.000' });
  test.each([
    ['code', '400 -1114', '400 -1115'],
    ['msg', '200', '200'],
    ['failure', '500 -5013', '500 -5013'],
  ] as const)('as %s', (form, expectedOffTick, expectedTooMuch) => {
    const exchange = new SmallExchange(smallSettings({ quirks: { offStep: form, insufficientFunds: form } }));
    expect(verdict(exchange.ask('create', offTick))).toBe(expectedOffTick);
    expect(verdict(exchange.ask('create', tooMuch))).toBe(expectedTooMuch);
    expect(exchange.read('open-orders')).toEqual([]);
  });

  test('by default a lack of funds is 200 with a message and no order', () => {
    expect(new SmallExchange().read('create', tooMuch)).toEqual({ msg: 'Insufficient balance.' });
  });
});

test('Q9: where crossing is refused, an order that would take is answered 200 with a message', () => {
  const { engine } = smallSettings();
  const exchange = new SmallExchange(smallSettings({ engine: { ...engine, crossing: 'rejected' } }));
  exchange.place('SELL 1.000 @ 5000');
  expect(exchange.read('create', order({ price: '5000' }))).toEqual({ msg: expect.any(String) });
});
