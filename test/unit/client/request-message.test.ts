import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageOf } from '../../../src/client/request-message.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import type { SpotTradesFilter, VenueRequest } from '../../../src/venue/requests.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const symbol = 'BTC/INR';
const order = { symbol, side: 'buy' as const, price: decimal('5e6'), quantity: decimal('0.00000010') };

describe('what each request says', () => {
  test.each<[VenueRequest, string, string, string | null]>([
    [{ kind: 'order-book', symbol, limit: 50 }, 'GET /api/v1/public/market/orderbook', 'symbol=BTC/INR limit=50', null],
    [{ kind: 'public-trades', symbol, limit: 20 }, 'GET /api/v1/public/market/trades', 'symbol=BTC/INR limit=20', null],
    [{ kind: 'tickers' }, 'GET /api/v1/public/exchange/ticker', '', null],
    [{ kind: 'tickers', symbol }, 'GET /api/v1/public/exchange/ticker', 'symbol=BTC/INR', null],
    [{ kind: 'symbols' }, 'GET /api/v1/public/exchange/symbols', '', null],
    [
      { kind: 'wallet', stamp },
      'GET /api/v1/wallet',
      'omitZeroBalances=false timestamp=1700000000000 recvWindow=2500',
      null,
    ],
    [{ kind: 'open-orders', stamp }, 'GET /api/v1/spot/orders/open', 'timestamp=1700000000000 recvWindow=2500', null],
    [
      { kind: 'open-orders', symbol, stamp },
      'GET /api/v1/spot/orders/open',
      'symbol=BTC/INR timestamp=1700000000000 recvWindow=2500',
      null,
    ],
    [
      { kind: 'create', order, stamp },
      'POST /api/v1/spot/order/create',
      'timestamp=1700000000000 recvWindow=2500',
      '{"symbol":"BTC/INR","action":"BUY","type":"LIMIT","price":"5000000","quantity":"0.0000001"}',
    ],
    [
      { kind: 'create', order: { ...order, side: 'sell' }, stamp },
      'POST /api/v1/spot/order/create',
      'timestamp=1700000000000 recvWindow=2500',
      '{"symbol":"BTC/INR","action":"SELL","type":"LIMIT","price":"5000000","quantity":"0.0000001"}',
    ],
    [
      { kind: 'cancel', orderId: orderId('1-7-1'), stamp },
      'POST /api/v1/spot/order/cancel',
      'timestamp=1700000000000 recvWindow=2500',
      '{"order_id":"1-7-1"}',
    ],
    [
      { kind: 'cancel-symbol', symbol, stamp },
      'POST /api/v1/spot/orders/cancel',
      'timestamp=1700000000000 recvWindow=2500',
      '{"symbol":"BTC/INR"}',
    ],
    [
      { kind: 'cancel-all', stamp },
      'POST /api/v1/spot/orders/cancel/all',
      'timestamp=1700000000000 recvWindow=2500',
      null,
    ],
  ])('%j', (request, line, query, body) => {
    const message = messageOf(request);
    expect(`${message.endpoint.method} ${message.endpoint.path}`).toBe(line);
    expect(message.query.map(([name, value]) => `${name}=${value}`).join(' ')).toBe(query);
    expect(message.body === null ? null : JSON.stringify(message.body)).toBe(body);
  });
});

test('any filter of trades becomes one of the six combinations that the venue allows', () => {
  const time = fc.nat();
  const id = fc.nat().map(String);
  const filter: fc.Arbitrary<SpotTradesFilter> = fc.oneof(
    fc.constant<SpotTradesFilter>({ by: 'symbol' }),
    id.map((text): SpotTradesFilter => ({ by: 'order', orderId: orderId(text) })),
    time.map((startTime): SpotTradesFilter => ({ by: 'start', startTime })),
    time.map((endTime): SpotTradesFilter => ({ by: 'end', endTime })),
    id.map((text): SpotTradesFilter => ({ by: 'from-id', fromId: tradeId(text) })),
    fc.tuple(time, time).map(([startTime, endTime]): SpotTradesFilter => ({ by: 'window', startTime, endTime })),
  );
  const allowed = ['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime+endTime'];
  fc.assert(
    fc.property(filter, (wanted) => {
      const { query } = messageOf({ kind: 'spot-trades', symbol, filter: wanted, limit: 50, stamp });
      const own = query
        .map(([name]) => name)
        .filter((name) => !['symbol', 'limit', 'timestamp', 'recvWindow'].includes(name));
      expect(allowed).toContain(own.join('+'));
      expect(query).toContainEqual(['symbol', symbol]);
    }),
  );
});
