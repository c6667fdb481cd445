// A request on the wire: address, headers, body, and the signature over exactly these.
import { createHmac } from 'node:crypto';
import { type Decimal, parseDecimal, plain } from '../../domain/decimal.ts';
import { assertNever, invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import { parsedUrl } from '../../domain/text.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { HttpRequest } from '../../ports/transport.ts';
import type { Dialect } from '../../venue/dialect.ts';
import { ENDPOINTS, type Endpoint } from '../../venue/endpoints.ts';
import type { CancelRequest, CreateRequest } from '../../venue/requests.ts';
import { bodyText, queryText, type RequestMessage } from './request-message.ts';
import type { Secret } from './secret.ts';

export interface SigningSettings {
  readonly dialect: Dialect;
  readonly baseUrl: string;
  /** Base of the legacy public interface. Absent: that interface is not available. */
  readonly legacyBaseUrl?: string;
  /** Q13: the paths of the specification's request lines, or of its sample calls. Absent: `versioned`. */
  readonly legacyPaths?: 'versioned' | 'sample';
  readonly key: Secret;
  readonly secret: Secret;
  readonly userAgent: string;
  /** Total time until an answer must be complete. */
  readonly deadlineMs: DurationMs;
}

export interface WireRequest {
  readonly http: HttpRequest;
  /** The signature, `null` on public requests. A secret: a signed address can be replayed. */
  readonly signature: string | null;
}

/**
 * Builds and signs a request. The query string is built once, here, so the signed one is the one sent. Throws for a
 * message to an interface whose base URL is not set.
 */
export function wireRequestOf(message: RequestMessage, settings: SigningSettings): WireRequest {
  const { endpoint, body } = message;
  const { dialect } = settings;
  const query = queryText(message.query, dialect);
  const signature = endpoint.signed ? signatureOf(query.canonical + bodyText(body, dialect), settings.secret) : null;
  const inQuery = signature !== null && dialect.signatureIn === 'query';
  const search = inQuery ? joinedQuery(query.wire, `signature=${signature}`) : query.wire;
  const address = addressOf(endpoint, settings);
  invariant(
    address !== null,
    `The ${endpoint.interface} interface has no base URL: ${endpoint.name} has nowhere to go.`,
  );
  const http: HttpRequest = {
    method: endpoint.method,
    url: search === '' ? address : `${address}?${search}`,
    headers: headersOf(message, settings, signature),
    body: body === null ? null : JSON.stringify(body),
    deadlineMs: settings.deadlineMs,
  };
  return { http, signature };
}

/** The address of an endpoint without its query; `null` if the base URL of its interface is not set. */
export function addressOf(
  endpoint: Endpoint,
  settings: Pick<SigningSettings, 'baseUrl' | 'legacyBaseUrl' | 'legacyPaths'>,
): string | null {
  if (endpoint.interface === 'current') return `${trimmed(settings.baseUrl)}${endpoint.path}`;
  const { legacyBaseUrl, legacyPaths = 'versioned' } = settings;
  const path = legacyPaths === 'sample' ? (endpoint.samplePath ?? endpoint.path) : endpoint.path;
  return legacyBaseUrl === undefined ? null : `${trimmed(legacyBaseUrl)}${path}`;
}

function headersOf(
  message: RequestMessage,
  settings: SigningSettings,
  signature: string | null,
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': settings.userAgent };
  // Not on a request without a body: whether the venue wants it there is not specified (Q24), and there is nothing to
  // describe.
  if (message.body !== null) headers['content-type'] = 'application/json';
  if (signature === null) return headers;
  const { apiKeyHeader, signatureIn } = settings.dialect;
  headers[apiKeyHeader] = settings.key.reveal();
  if (signatureIn !== 'query') headers[signatureIn.header] = signature;
  return headers;
}

const joinedQuery = (query: string, last: string): string => (query === '' ? last : `${query}&${last}`);
const trimmed = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');

// HMAC SHA-256 over the canonical string, in lower-case hexadecimal (specification §5.4).

/** 64 hexadecimal digits. */
export function signatureOf(canonical: string, secret: Secret): string {
  return createHmac('sha256', secret.signingKey()).update(canonical, 'utf8').digest('hex');
}

// The final check of a request that can move money: parses its bytes and compares the result with the caller's request
// (order-truth §10, check 17).

const SIDES: ReadonlyMap<unknown, Side> = new Map([
  ['BUY', 'buy'],
  ['SELL', 'sell'],
]);

/** Throws where the request asks for anything else, for whatever reason: nothing has been sent yet. */
export function assertSameWrite(
  http: Pick<HttpRequest, 'method' | 'url' | 'body'>,
  asked: CreateRequest | CancelRequest,
): void {
  const { method, path } = ENDPOINTS[asked.kind];
  const isThere = http.method === method && parsedUrl(http.url)?.pathname.endsWith(path) === true;
  invariant(
    isThere && asksFor(http.body, asked),
    () => `The request that was about to leave is not ${wordsOf(asked)}.`,
  );
}

function asksFor(body: string | null, asked: CreateRequest | CancelRequest): boolean {
  const sent = fieldsOf(body);
  switch (asked.kind) {
    case 'create': {
      const { symbol, side, price, quantity } = asked.order;
      const isOrder = sent.symbol === symbol && SIDES.get(sent.action) === side && sent.type === 'LIMIT';
      const isSoMuch = isAmount(sent.price, price) && isAmount(sent.quantity, quantity);
      return isOrder && isSoMuch && Object.keys(sent).length === 5;
    }
    case 'cancel':
      return sent.order_id === asked.orderId && Object.keys(sent).length === 1;
    case 'cancel-symbol':
      return sent.symbol === asked.symbol && Object.keys(sent).length === 1;
    case 'cancel-all':
      return body === null;
    default:
      return assertNever(asked);
  }
}

const isAmount = (text: unknown, amount: Decimal): boolean =>
  typeof text === 'string' && parseDecimal(text)?.eq(amount) === true;

function fieldsOf(body: string | null): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(body ?? '{}');
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

function wordsOf(asked: CreateRequest | CancelRequest): string {
  if (asked.kind !== 'create') return `the ${asked.kind} that was asked for`;
  const { symbol, side, price, quantity } = asked.order;
  return `the approved order ${symbol} ${side} ${plain(quantity)} @ ${plain(price)}`;
}
