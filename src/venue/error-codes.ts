// The exchange's error codes as data (specification §7): the meaning of each and the client's options.
import { type DurationMs, SECOND } from '../domain/time.ts';

/** What the client may do after an error. */
export type Remedy =
  /** The request was valid: retry later, with backoff. */
  | 'retry'
  /** Estimate the venue's clock again, then stamp again. */
  | 'sync-clock'
  /** The request is wrong: never repeat it unchanged. */
  | 'fix-request'
  /** Stop trading this symbol. */
  | 'stop-symbol'
  /** Stop everything: keys, permissions or the route itself don't match the configuration. */
  | 'stop-all';

export interface ErrorCode {
  readonly code: number;
  /** HTTP status that carries the code. */
  readonly status: number;
  readonly meaning: string;
  readonly remedy: Remedy;
  /** Whether this answer to a create proves that no order was created. */
  readonly provesNotCreated: boolean;
}

const row = (code: number, status: number, meaning: string, remedy: Remedy, provesNotCreated: boolean): ErrorCode => ({
  code,
  status,
  meaning,
  remedy,
  provesNotCreated,
});

/**
 * Every documented code. 4xx refusals at the gate prove that nothing happened; 5xx and 429 prove nothing, and neither
 * does a refusal of a field that no create has (an order id, a limit): it answers another request (F79).
 */
export const ERROR_CODES: readonly ErrorCode[] = [
  row(-1125, 503, 'Maintenance.', 'retry', false),
  row(-1404, 404, 'Endpoint disabled.', 'stop-all', true),
  row(-1000, 500, 'Request could not be processed.', 'retry', false),
  row(-1001, 403, 'Authentication credentials required.', 'stop-all', true),
  row(-1003, 429, 'Too many requests.', 'retry', false),
  row(-1009, 500, 'Route validation failed.', 'fix-request', false),
  row(-1015, 403, 'IP address not allowed.', 'stop-all', true),
  row(-1021, 400, 'Timestamp outside recvWindow.', 'sync-clock', true),
  row(-1022, 403, 'Invalid signature.', 'stop-all', true),
  row(-1023, 400, 'recvWindow must be positive and within the maximum.', 'stop-all', true),
  row(-1102, 400, 'Order id required.', 'fix-request', false),
  row(-1103, 400, 'Symbol required.', 'fix-request', true),
  row(-1104, 400, 'Limit must be numeric.', 'fix-request', false),
  row(-1105, 400, 'Limit outside allowed range.', 'fix-request', false),
  row(-1106, 400, 'Timestamp parameter invalid.', 'sync-clock', true),
  row(-1107, 400, 'Start time must be before end time and within the allowed window.', 'fix-request', false),
  row(-1108, 400, 'Status parameter invalid.', 'fix-request', false),
  row(-1109, 400, 'Parameters cannot be used together.', 'fix-request', false),
  row(-1111, 400, 'Asset format invalid.', 'fix-request', false),
  row(-1112, 400, 'Action parameter invalid.', 'fix-request', true),
  row(-1113, 400, 'Order type parameter invalid.', 'fix-request', true),
  row(-1114, 400, 'Price parameter invalid.', 'fix-request', true),
  row(-1115, 400, 'Quantity parameter invalid.', 'fix-request', true),
  row(-1121, 400, 'Invalid symbol.', 'stop-symbol', true),
  row(-1122, 400, 'Invalid asset.', 'fix-request', false),
  row(-1123, 400, 'Symbol format invalid, expected BASE/QUOTE.', 'stop-symbol', true),
  row(-1124, 400, 'Order id format invalid.', 'fix-request', false),
  row(-2003, 403, 'Permission not granted.', 'stop-all', true),
  row(-2004, 403, 'Account cannot be identified for the key.', 'stop-all', true),
  row(-2015, 403, 'Invalid API key, IP or permissions.', 'stop-all', true),
  // Authentication, whatever its status: not to be retried until corrected (§7.4).
  row(-3000, 500, 'Authentication error.', 'stop-all', false),
  row(-4001, 500, 'Internal server error.', 'retry', false),
  row(-5001, 500, 'Unable to fetch ticker data.', 'retry', false),
  row(-5002, 500, 'Unable to fetch trades data.', 'retry', false),
  row(-5003, 500, 'Unable to fetch order book data.', 'retry', false),
  row(-5004, 500, 'Unable to fetch fees data.', 'retry', false),
  row(-5005, 500, 'Unable to fetch wallet data.', 'retry', false),
  row(-5006, 500, 'Unable to fetch crypto deposit data.', 'retry', false),
  row(-5007, 500, 'Unable to fetch crypto withdrawal data.', 'retry', false),
  row(-5008, 500, 'Unable to fetch fiat deposit data.', 'retry', false),
  row(-5009, 500, 'Unable to fetch fiat withdrawal data.', 'retry', false),
  row(-5010, 500, 'Unable to fetch open orders.', 'retry', false),
  row(-5011, 500, 'Unable to fetch spot trade history.', 'retry', false),
  row(-5012, 500, 'Unable to fetch simple buy/sell trade history.', 'retry', false),
  row(-5013, 500, 'Unable to create spot order.', 'retry', false),
  row(-5014, 500, 'Unable to cancel spot order.', 'retry', false),
  row(-5015, 500, 'Unable to fetch market symbols.', 'retry', false),
];

const BY_CODE = new Map(ERROR_CODES.map((entry) => [entry.code, entry]));

/** The documented entry of a code, or `undefined` for a code that the specification does not list. */
export function errorCode(code: number): ErrorCode | undefined {
  return BY_CODE.get(code);
}

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

// Tells refusals of the request itself from those about keys, clock or exchange.

/** A disabled endpoint: only that one, not the keys. */
const ENDPOINT_DISABLED = -1404;
/** A missing permission of the key: for a list read only for explanations it does not affect trading. */
const NOT_PERMITTED = -2003;
/** On an optional read these codes only mean that it is not available. */
export const OPTIONAL_READ: readonly number[] = [ENDPOINT_DISABLED, NOT_PERMITTED];

/** Whether a refusal is about the request itself: repeating it is useless. */
export function isOfTheQuestion(code: number): boolean {
  if (OPTIONAL_READ.includes(code)) return true;
  const remedy = errorCode(code)?.remedy;
  return remedy !== 'stop-all' && remedy !== 'sync-clock' && remedy !== 'retry';
}

const SERVER_ERROR = 500;

/** Whether a refused read will be refused again. A server error with an unknown code is a failure like any other. */
export const isRefusedForGood = ({ code, status }: { readonly code: number; readonly status: number }): boolean =>
  isOfTheQuestion(code) && (errorCode(code) !== undefined || status < SERVER_ERROR);

// Recognizes answers by which the exchange wants fewer requests, or none for a while.

const THROTTLED: ReadonlySet<number> = new Set([429, 503, 504]);

/** By an answer's status; false without an answer (specification §7.4). */
export const isThrottled = (status: number | null | undefined): boolean =>
  status !== null && status !== undefined && THROTTLED.has(status);

// How often to retry while the exchange does not answer, for every waiting part of the program.

/**
 * While orders may rest and nothing answers, a request leaves at least this often: longer waits would delay the
 * discovery that the exchange is back. An unanswered request this old no longer blocks others. Only waits that the
 * exchange names are longer.
 */
export const PROBE_EVERY_MS: DurationMs = 5 * SECOND;
