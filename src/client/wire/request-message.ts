// A request before it is signed: endpoint, query parameters and body.
import { plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { assertNever } from '../../domain/invariant.ts';
import type { OrderRequest, Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { TimeRange } from '../../venue/bounds.ts';
import type { Dialect } from '../../venue/dialect.ts';
import { ENDPOINTS, type Endpoint } from '../../venue/endpoints.ts';
import type { LegacyMarketKey, SpotTradesFilter, Stamp, TimeFilter, VenueRequest } from '../../venue/requests.ts';

type MessageBody = Readonly<Record<string, string>>;

export interface RequestMessage {
  readonly endpoint: Endpoint;
  /** With `timestamp` and `recvWindow` if the request is signed; never with the signature. */
  readonly query: readonly Field[];
  readonly body: MessageBody | null;
}

/**
 * The request in the form of the specification's §4. Absent parameters are left out, so that the venue's own defaults
 * hold; only the six allowed combinations of spot trade filters are possible. `timeOffsetMs` is added to the times of
 * its filter.
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
      // By default no asset is omitted: a hidden asset can't be told from a cut answer (order-truth §4).
      return [['omitZeroBalances', String(request.omitZeroBalances ?? false)]];
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical':
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical': {
      const { filter } = request;
      return [
        ...('asset' in filter ? optional('asset', filter.asset) : []),
        // The wire uses the words of the answers, in upper case.
        ...optional('status', filter.status?.toUpperCase()),
        ...timeFields(filter.time, offsetMs),
        ...limitFields(request),
      ];
    }
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
  // Times before 1970 can't be written.
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

// The signed text, and the query string that is sent: both from one list of fields, built once (specification §5.4).

/** One query parameter or body field. `null` and `undefined` are left out; a name may repeat in a query. */
export type Field = readonly [name: string, value: unknown];

export type SigningRules = Pick<Dialect, 'emptyValues' | 'percentEncoding'>;

interface QueryText {
  /** The text that the signature covers. */
  readonly canonical: string;
  /** The text on the wire, without the signature. */
  readonly wire: string;
}

const SIGNATURE = 'signature';

/**
 * The query, sorted by name and then by value. With `encoded`, canonical and wire are the same bytes. With `raw` they
 * differ only where a value can't be in a query unencoded; a symbol such as `BTC/INR` is sent with its slash, so that a
 * venue may verify either the received or the decoded text. A skipped empty value is not sent either.
 */
export function queryText(fields: readonly Field[], rules: SigningRules): QueryText {
  const pairs = sortedPairs(fields, rules);
  if (rules.percentEncoding === 'encoded') {
    const text = percentEncoded(pairs);
    return { canonical: text, wire: text };
  }
  return { canonical: joined(pairs, unchanged), wire: percentEncoded(pairs).replaceAll('%2F', '/') };
}

/** The body's part of the signed text. Objects and arrays are compact JSON; values are never percent-encoded. */
export function bodyText(body: Readonly<Record<string, unknown>> | null, rules: SigningRules): string {
  return body === null ? '' : joined(sortedPairs(Object.entries(body), rules), unchanged);
}

type Pair = readonly [name: string, value: string];

function sortedPairs(fields: readonly Field[], rules: SigningRules): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [name, value] of fields) {
    const text = textOf(value);
    if (text === null || name.toLowerCase() === SIGNATURE) continue;
    if (text === '' && rules.emptyValues === 'skip') continue;
    pairs.push([name.toWellFormed(), text]);
  }
  return pairs.sort(byNameThenValue);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A lone surrogate has no UTF-8 form: the signer and the socket would each replace it in their own way.
  return text.toWellFormed();
}

function byNameThenValue(a: Pair, b: Pair): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const joined = (pairs: readonly Pair[], encode: (text: string) => string): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

const unchanged = (text: string): string => text;
// URL parsers encode an apostrophe in a query: encode it here so that it arrives unchanged.
const percentEncoded = (pairs: readonly Pair[]): string => joined(pairs, encodeURIComponent).replaceAll("'", '%27');

// The legacy interface's name of a market. It can't be turned back into a symbol without the list of symbols.

/** `BTC/INR` → `btcinr`. Two symbols can have one key: `AB/C` and `A/BC`. */
export function legacyMarketKey(symbol: InstrumentSymbol): LegacyMarketKey {
  return symbol.replace('/', '').toLowerCase();
}
