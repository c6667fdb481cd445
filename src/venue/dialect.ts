// The dialect of an exchange: what may differ between exchanges of this kind. The client is built with one; the paper
// exchange answers by that of the specification; the rest of the program knows only kinds of refusals.
import type { RefusalKind } from './refusals.ts';
import type { ReadKind } from './requests.ts';

export interface ErrorCode {
  readonly code: number;
  /** HTTP status that carries the code. */
  readonly status: number;
  readonly kind: RefusalKind;
  readonly meaning: string;
}

export interface Dialect {
  /** For sentences. */
  readonly name: string;
  /** Name of the header that carries the API key. */
  readonly apiKeyHeader: string;
  /** Where to put the signature: the query parameter `signature`, or a header of this name. */
  readonly signatureIn: 'query' | { readonly header: string };
  /** Q1: an empty text is left out of the signed text, or signed as `name=`. */
  readonly emptyValues: 'skip' | 'include';
  /** Q22: what is signed of a query: names and values unchanged, or in percent-encoded form. */
  readonly percentEncoding: 'raw' | 'encoded';
  readonly errors: readonly ErrorCode[];
  /** Reads that the exchange does not have: the client answers them itself, as refused for good. */
  readonly lacks: readonly ReadKind[];
  /** Whether own trades can be requested from an id on; else they are requested from a time on. */
  readonly tradesById: boolean;
  /** Page sizes at which the list of open orders may be cut: it has no `limit` (Q4). Empty: it is never cut. */
  readonly openOrdersCaps: readonly number[];
}

const row = (code: number, status: number, kind: RefusalKind, meaning: string): ErrorCode => ({
  code,
  status,
  kind,
  meaning,
});

/** Every code of the specification (§7). */
export const ERROR_CODES: readonly ErrorCode[] = [
  row(-1125, 503, 'maintenance', 'Maintenance.'),
  row(-1404, 404, 'not-offered', 'Endpoint disabled.'),
  row(-1000, 500, 'failure', 'Request could not be processed.'),
  row(-1001, 403, 'no-key', 'Authentication credentials required.'),
  row(-1003, 429, 'rate', 'Too many requests.'),
  row(-1009, 500, 'request', 'Route validation failed.'),
  row(-1015, 403, 'address', 'IP address not allowed.'),
  row(-1021, 400, 'clock', 'Timestamp outside recvWindow.'),
  row(-1022, 403, 'signature', 'Invalid signature.'),
  row(-1023, 400, 'access', 'recvWindow must be positive and within the maximum.'),
  row(-1102, 400, 'other-request', 'Order id required.'),
  row(-1103, 400, 'request', 'Symbol required.'),
  row(-1104, 400, 'other-request', 'Limit must be numeric.'),
  row(-1105, 400, 'other-request', 'Limit outside allowed range.'),
  row(-1106, 400, 'clock', 'Timestamp parameter invalid.'),
  row(-1107, 400, 'other-request', 'Start time must be before end time and within the allowed window.'),
  row(-1108, 400, 'other-request', 'Status parameter invalid.'),
  row(-1109, 400, 'other-request', 'Parameters cannot be used together.'),
  row(-1111, 400, 'other-request', 'Asset format invalid.'),
  row(-1112, 400, 'request', 'Action parameter invalid.'),
  row(-1113, 400, 'request', 'Order type parameter invalid.'),
  row(-1114, 400, 'request', 'Price parameter invalid.'),
  row(-1115, 400, 'request', 'Quantity parameter invalid.'),
  row(-1121, 400, 'symbol', 'Invalid symbol.'),
  row(-1122, 400, 'other-request', 'Invalid asset.'),
  row(-1123, 400, 'symbol', 'Symbol format invalid, expected BASE/QUOTE.'),
  row(-1124, 400, 'other-request', 'Order id format invalid.'),
  row(-2003, 403, 'permission', 'Permission not granted.'),
  row(-2004, 403, 'account', 'Account cannot be identified for the key.'),
  row(-2015, 403, 'key', 'Invalid API key, IP or permissions.'),
  row(-3000, 500, 'access', 'Authentication error.'),
  row(-4001, 500, 'failure', 'Internal server error.'),
  row(-5001, 500, 'failure', 'Unable to fetch ticker data.'),
  row(-5002, 500, 'failure', 'Unable to fetch trades data.'),
  row(-5003, 500, 'failure', 'Unable to fetch order book data.'),
  row(-5004, 500, 'failure', 'Unable to fetch fees data.'),
  row(-5005, 500, 'failure', 'Unable to fetch wallet data.'),
  row(-5006, 500, 'failure', 'Unable to fetch crypto deposit data.'),
  row(-5007, 500, 'failure', 'Unable to fetch crypto withdrawal data.'),
  row(-5008, 500, 'failure', 'Unable to fetch fiat deposit data.'),
  row(-5009, 500, 'failure', 'Unable to fetch fiat withdrawal data.'),
  row(-5010, 500, 'failure', 'Unable to fetch open orders.'),
  row(-5011, 500, 'failure', 'Unable to fetch spot trade history.'),
  row(-5012, 500, 'failure', 'Unable to fetch simple buy/sell trade history.'),
  row(-5013, 500, 'failure', 'Unable to create spot order.'),
  row(-5014, 500, 'cancel-failure', 'Unable to cancel spot order.'),
  row(-5015, 500, 'failure', 'Unable to fetch market symbols.'),
];

/** The entry of a code, or `undefined` for one that the dialect does not list. */
export const errorIn = ({ errors }: Pick<Dialect, 'errors'>, code: number): ErrorCode | undefined =>
  errors.find((entry) => entry.code === code);

/**
 * Whether this answer to a create proves that no order was created. 4xx refusals at the gate prove that nothing
 * happened; 5xx and 429 prove nothing, and neither does a refusal of a field that no create has.
 */
export const provesNotCreated = (entry: ErrorCode | undefined): boolean =>
  entry !== undefined && entry.status < 500 && entry.kind !== 'rate' && entry.kind !== 'other-request';

/** The exchange of the specification. */
export const DIALECT: Dialect = {
  name: 'specification',
  apiKeyHeader: 'X-EXCHANGE-APIKEY',
  signatureIn: 'query',
  emptyValues: 'skip',
  percentEncoding: 'raw',
  errors: ERROR_CODES,
  lacks: [],
  tradesById: true,
  openOrdersCaps: [20, 50],
};

/**
 * Meanings of the legacy statuses (specification §7): that interface has no codes, and its bodies are not documented.
 */
export const LEGACY_STATUSES: readonly {
  readonly status: number;
  readonly meaning: string;
  readonly retry: boolean;
}[] = [
  { status: 400, meaning: 'Invalid request.', retry: false },
  { status: 403, meaning: 'Data is for administrators only.', retry: false },
  { status: 404, meaning: 'Data not found.', retry: false },
  { status: 405, meaning: 'Invalid method.', retry: false },
  { status: 429, meaning: 'Too many requests.', retry: true },
  { status: 500, meaning: 'Server problem.', retry: true },
  { status: 503, meaning: 'Temporarily offline for maintenance.', retry: true },
];
