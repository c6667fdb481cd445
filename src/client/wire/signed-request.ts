// A request as it goes on the wire: address, headers, body, and the signature over exactly these.
import { invariant } from '../../domain/invariant.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { HttpRequest } from '../../ports/transport.ts';
import type { Endpoint } from '../../venue/endpoints.ts';
import { bodyText, queryText, type SigningRules } from './canonical-string.ts';
import type { RequestMessage } from './request-message.ts';
import type { Secret } from './secret.ts';
import { signatureOf } from './signature.ts';

export interface SigningSettings extends SigningRules {
  readonly baseUrl: string;
  /** Base of the legacy public interface. Absent: it is not there to be asked. */
  readonly legacyBaseUrl?: string;
  /** Q13: the paths of the specification's request lines, or those of its sample calls. Absent: `versioned`. */
  readonly legacyPaths?: 'versioned' | 'sample';
  /** Name of the header that carries the key. */
  readonly apiKeyHeader: string;
  readonly key: Secret;
  readonly secret: Secret;
  /** Where the signature goes: the query parameter `signature`, or a header of this name. */
  readonly signatureIn: 'query' | { readonly header: string };
  readonly userAgent: string;
}

export interface WireRequest {
  readonly http: HttpRequest;
  /** The signature in use, `null` on public requests. A secret: a signed address can be sent again. */
  readonly signature: string | null;
}

/**
 * Builds and signs. The query string that is signed is the one that is sent: it is built here, once. Throws for a
 * message to an interface whose base URL is not set.
 */
export function wireRequestOf(message: RequestMessage, settings: SigningSettings, deadlineMs: DurationMs): WireRequest {
  const { endpoint, body } = message;
  const query = queryText(message.query, settings);
  const signature = endpoint.signed ? signatureOf(query.canonical + bodyText(body, settings), settings.secret) : null;
  const inQuery = signature !== null && settings.signatureIn === 'query';
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
    deadlineMs,
  };
  return { http, signature };
}

/** Where a request to the endpoint goes, without its query; `null` where the base URL of its interface is not set. */
export function addressOf(endpoint: Endpoint, settings: SigningSettings): string | null {
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
  headers[settings.apiKeyHeader] = settings.key.reveal();
  if (settings.signatureIn !== 'query') headers[settings.signatureIn.header] = signature;
  return headers;
}

const joinedQuery = (query: string, last: string): string => (query === '' ? last : `${query}&${last}`);
const trimmed = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');
