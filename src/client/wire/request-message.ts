// What a request says, before it is signed: endpoint, query parameters and body.
import { plain } from '../../domain/decimal.ts';
import { assertNever } from '../../domain/invariant.ts';
import type { OrderRequest, Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { TimeRange } from '../../venue/bounds.ts';
import type { Endpoint } from '../../venue/endpoint.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { SpotTradesFilter, Stamp, TimeFilter, VenueRequest } from '../../venue/requests.ts';
import type { Field } from './canonical-string.ts';
import { legacyMarketKey } from './legacy-market-key.ts';

export type MessageBody = Readonly<Record<string, string>>;

export interface RequestMessage {
  readonly endpoint: Endpoint;
  /** With `timestamp` and `recvWindow` where the request is signed; never with the signature. */
  readonly query: readonly Field[];
  readonly body: MessageBody | null;
}

/**
 * The request as the specification's §4 wants it. A parameter that the request does not name is left out, so that the
 * venue's own default holds; only the six allowed combinations of spot trade filters can come out. `timeOffsetMs` is
 * added to the times of its filter.
 */
export function messageOf(request: VenueRequest, timeOffsetMs: DurationMs = 0): RequestMessage {
  const endpoint = ENDPOINTS[request.kind];
  const query = [...queryOf(request, timeOffsetMs), ...('stamp' in request ? stampFields(request.stamp) : [])];
  return { endpoint, query, body: bodyOf(request) };
}

function queryOf(request: VenueRequest, offsetMs: DurationMs): readonly Field[] {
  switch (request.kind) {
    case 'legacy-depth':
    case 'legacy-trades':
      return [['market', legacyMarketKey(request.symbol)]];
    case 'order-book':
    case 'public-trades':
      return [['symbol', request.symbol], ...optional('limit', request.limit)];
    case 'tickers':
    case 'open-orders':
      return optional('symbol', request.symbol);
    case 'assets':
      return optional('asset', request.asset);
    case 'wallet':
      // Unless it is wanted so, no asset is hidden: one that is can't be told from a cut answer (order-truth §4).
      return [['omitZeroBalances', String(request.omitZeroBalances ?? false)]];
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical': {
      const { asset, status, time } = request.filter;
      return [
        ...optional('asset', asset),
        ...statusFields(status),
        ...timeFields(time, offsetMs),
        ...limitFields(request),
      ];
    }
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical':
      return [
        ...statusFields(request.filter.status),
        ...timeFields(request.filter.time, offsetMs),
        ...limitFields(request),
      ];
    case 'spot-trades':
    case 'spot-trades-historical':
      return [['symbol', request.symbol], ...spotFilterFields(request.filter, offsetMs), ...limitFields(request)];
    case 'sbs-trades': {
      const { orderId, fromId, time } = request.filter;
      const ids = [...optional('orderId', orderId), ...optional('fromId', fromId)];
      return [['symbol', request.symbol], ...ids, ...timeFields(time, offsetMs), ...limitFields(request)];
    }
    case 'legacy-best-prices':
    case 'legacy-tickers':
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

const optional = (name: string, value: string | number | undefined): readonly Field[] =>
  value === undefined ? [] : [[name, String(value)]];

const limitFields = ({ limit }: { readonly limit?: number }): readonly Field[] => optional('limit', limit);

/** The wire's words are those of the answers, in upper case. */
const statusFields = (status: string | undefined): readonly Field[] => optional('status', status?.toUpperCase());

function spotFilterFields(filter: SpotTradesFilter, offsetMs: DurationMs): readonly Field[] {
  switch (filter.by) {
    case 'symbol':
      return [];
    case 'order':
      return [['orderId', filter.orderId]];
    case 'from-id':
      return [['fromId', filter.fromId]];
    case 'window':
      return timeFields({ by: 'range', range: filter.window }, offsetMs);
    default:
      return timeFields(filter, offsetMs);
  }
}

function timeFields(filter: TimeFilter<TimeRange>, offsetMs: DurationMs): readonly Field[] {
  // Nothing is written of before 1970.
  const written = (moment: EpochMs): string => String(offsetMs === 0 ? moment : Math.max(0, moment + offsetMs));
  switch (filter.by) {
    case 'all':
      return [];
    case 'start':
      return [['startTime', written(filter.startTime)]];
    case 'end':
      return [['endTime', written(filter.endTime)]];
    case 'range':
      return [
        ['startTime', written(filter.range.startTime)],
        ['endTime', written(filter.range.endTime)],
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

const ACTIONS: Readonly<Record<Side, string>> = { buy: 'BUY', sell: 'SELL' };

function orderBody(order: OrderRequest): MessageBody {
  return {
    symbol: order.symbol,
    action: ACTIONS[order.side],
    type: 'LIMIT',
    price: plain(order.price),
    quantity: plain(order.quantity),
  };
}
