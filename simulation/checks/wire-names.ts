// Which intent's create a message is: told from its signed bytes and the journal alone.
import type { HttpRequest } from '../../src/ports/transport.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type Claim, type Claims, termsOf } from './claims.ts';
import type { Outgoing } from './context.ts';

export interface WireNames {
  /** An intent is durable. */
  written(claim: Claim): void;
  /** A message leaves. */
  outgoing(request: HttpRequest, endpoint: EndpointName, query: URLSearchParams): Outgoing;
  /** The intent of a create that left before, however often its bytes arrive. */
  claimOf(request: HttpRequest): Claim | undefined;
}

export function createWireNames(claims: Claims): WireNames {
  /** Intents by the terms that their creates will show. */
  const byTerms = new Map<string, Claim[]>();
  /** Signed bytes → intent. */
  const byBytes = new Map<string, string>();

  /** The oldest intent of these terms that has not left, or the last that did. */
  function named(request: HttpRequest, body: Outgoing['body'], query: URLSearchParams): Claim | null {
    const { symbol = '', action = '', price = '0', quantity = '0' } = body;
    const timestamp = Number(query.get('timestamp'));
    const terms = termsOf({ symbol, side: action.toLowerCase(), price, quantity, timestamp });
    const candidates = byTerms.get(terms) ?? [];
    const claim = (candidates.length > 1 ? candidates.shift() : candidates[0]) ?? null;
    if (claim !== null) byBytes.set(bytesOf(request), claim.intentId);
    return claim;
  }

  return {
    written(claim) {
      const terms = termsOf(claim);
      byTerms.set(terms, [...(byTerms.get(terms) ?? []), claim]);
    },
    outgoing(request, endpoint, query) {
      const body = request.body === null ? {} : (JSON.parse(request.body) as Outgoing['body']);
      return { endpoint, request, body, query, claim: endpoint === 'create' ? named(request, body, query) : null };
    },
    claimOf: (request) => (request.body === null ? undefined : claims.intents.get(byBytes.get(bytesOf(request)) ?? '')),
  };
}

const bytesOf = ({ url, body }: HttpRequest): string => `${url}${body ?? ''}`;
