// What a request says, before it is signed: endpoint, query parameters and body.
import { plain } from '../domain/decimal.ts';
import { assertNever } from '../domain/invariant.ts';
import type { OrderRequest } from '../domain/order.ts';
import { ENDPOINTS, type Endpoint } from '../venue/endpoints.ts';
import type { SpotTradesFilter, Stamp, VenueRequest } from '../venue/requests.ts';
import type { Field } from './canonical-string.ts';

export type MessageBody = Readonly<Record<string, string>>;

export interface RequestMessage {
  readonly endpoint: Endpoint;
  /** With `timestamp` and `recvWindow` where the request is signed; never with the signature. */
  readonly query: readonly Field[];
  readonly body: MessageBody | null;
}

/** The request as the specification's §4 wants it. Only the six allowed combinations of trade filters can come out. */
export function messageOf(request: VenueRequest): RequestMessage {
  const endpoint = ENDPOINTS[request.kind];
  const query = [...queryOf(request), ...('stamp' in request ? stampFields(request.stamp) : [])];
  return { endpoint, query, body: bodyOf(request) };
}

function queryOf(request: VenueRequest): readonly Field[] {
  switch (request.kind) {
    case 'order-book':
    case 'public-trades':
      return [
        ['symbol', request.symbol],
        ['limit', String(request.limit)],
      ];
    case 'tickers':
    case 'open-orders':
      return request.symbol === undefined ? [] : [['symbol', request.symbol]];
    case 'wallet':
      // Without it, assets whose balance is zero are hidden and can't be told from a cut answer (order-truth §4).
      return [['omitZeroBalances', 'false']];
    case 'spot-trades':
      return [['symbol', request.symbol], ...filterFields(request.filter), ['limit', String(request.limit)]];
    case 'symbols':
    case 'create':
    case 'cancel':
    case 'cancel-symbol':
    case 'cancel-all':
      return [];
    default:
      return assertNever(request);
  }
}

function filterFields(filter: SpotTradesFilter): readonly Field[] {
  switch (filter.by) {
    case 'symbol':
      return [];
    case 'order':
      return [['orderId', filter.orderId]];
    case 'start':
      return [['startTime', String(filter.startTime)]];
    case 'end':
      return [['endTime', String(filter.endTime)]];
    case 'from-id':
      return [['fromId', filter.fromId]];
    case 'window':
      return [
        ['startTime', String(filter.startTime)],
        ['endTime', String(filter.endTime)],
      ];
    default:
      return assertNever(filter);
  }
}

function stampFields(stamp: Stamp): readonly Field[] {
  return [
    ['timestamp', String(stamp.timestamp)],
    ['recvWindow', String(stamp.recvWindow)],
  ];
}

function bodyOf(request: VenueRequest): MessageBody | null {
  switch (request.kind) {
    case 'create':
      return orderBody(request.order);
    case 'cancel':
      return { order_id: request.orderId };
    case 'cancel-symbol':
      return { symbol: request.symbol };
    default:
      return null;
  }
}

function orderBody(order: OrderRequest): MessageBody {
  return {
    symbol: order.symbol,
    action: order.side === 'buy' ? 'BUY' : 'SELL',
    type: 'LIMIT',
    price: plain(order.price),
    quantity: plain(order.quantity),
  };
}
