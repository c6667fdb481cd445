import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateRequest } from '../../../src/client/wire/request-check.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { anyRequest } from './any-request.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const symbol = 'BTC/INR';
const order = { symbol, side: 'buy', price: decimal('5'), quantity: decimal('1') } as const;
const all = { by: 'all' } as const;

test.each<[VenueRequest, string]>([
  [{ kind: 'order-book', symbol: 'BTCINR' }, 'The symbol is "BTCINR", not BASE/QUOTE in upper case.'],
  [{ kind: 'tickers', symbol: 'btc/inr' }, 'The symbol is "btc/inr", not BASE/QUOTE in upper case.'],
  [{ kind: 'legacy-depth', symbol: '' }, 'The symbol is "", not BASE/QUOTE in upper case.'],
  [{ kind: 'assets', asset: 'btc' }, 'The asset is "btc", not an asset in upper case.'],
  [
    { kind: 'crypto-deposits', filter: { time: all, asset: 'B TC' }, stamp },
    'The asset is "B TC", not an asset in upper case.',
  ],
  [
    { kind: 'fiat-deposits', filter: { time: { by: 'start', startTime: -1 } }, stamp },
    'The startTime is -1, not whole milliseconds since epoch.',
  ],
  [
    { kind: 'spot-trades', symbol, filter: { by: 'end', endTime: Number.NaN }, stamp },
    'The endTime is NaN, not whole milliseconds since epoch.',
  ],
  [
    { kind: 'spot-trades', symbol, filter: { by: 'from-id', fromId: tradeId('1-2') }, stamp },
    'The trade id is "1-2", not a number of plain digits.',
  ],
  [
    { kind: 'spot-trades', symbol, filter: { by: 'order', orderId: orderId('') }, stamp },
    'The order id is "", not a text of 1 to 64 characters without white space.',
  ],
  [
    { kind: 'sbs-trades', symbol, filter: { time: all, orderId: tradeId('1-7-1') }, stamp },
    'The order id is "1-7-1", not a number of plain digits.',
  ],
  [{ kind: 'sbs-trades', symbol: 'BTC/USDT', filter: { time: all }, stamp }, 'The symbol is BTC/USDT, not COIN/INR.'],
  [{ kind: 'create', order: { ...order, price: decimal('0') }, stamp }, 'The price is 0, not above zero.'],
  [{ kind: 'create', order: { ...order, quantity: decimal('-1') }, stamp }, 'The quantity is -1, not above zero.'],
  [{ kind: 'create', order: { ...order, price: decimal(Number.NaN) }, stamp }, 'The price is NaN, not above zero.'],
  [{ kind: 'create', order: { ...order, symbol: 'BTC' }, stamp }, 'The symbol is "BTC", not BASE/QUOTE in upper case.'],
  [
    { kind: 'cancel', orderId: orderId('1 2'), stamp },
    'The order id is "1 2", not a text of 1 to 64 characters without white space.',
  ],
  [{ kind: 'wallet', stamp: { ...stamp, recvWindow: 0 } }, 'The recvWindow is 0 ms, not 1 to 60000.'],
  [{ kind: 'wallet', stamp: { ...stamp, recvWindow: 60_001 } }, 'The recvWindow is 60001 ms, not 1 to 60000.'],
  [
    { kind: 'cancel-all', stamp: { ...stamp, timestamp: 1.5 } },
    'The timestamp is 1.5, not whole milliseconds since epoch.',
  ],
])('%j', (request, sentence) => expect(validateRequest(request)).toBe(sentence));

test('a limit that came from elsewhere', () => {
  const request: VenueRequest = JSON.parse('{"kind":"order-book","symbol":"BTC/INR","limit":51}');
  expect(validateRequest(request)).toBe('The limit is 51, not a whole number from 1 to 50.');
});

test('an order id of any shape that the venue gave can be canceled', () => {
  expect(validateRequest({ kind: 'cancel', orderId: orderId('9007199254740993'), stamp })).toBeNull();
});

test('nothing is wrong with a request whose values are in their bounds', () => {
  fc.assert(
    fc.property(anyRequest, (request) => expect(validateRequest(request)).toBeNull()),
    { numRuns: 1_000 },
  );
});
