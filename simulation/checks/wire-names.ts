// Finds the intent of a create message from its signed bytes and the journal alone.
import type { HttpRequest } from '../../src/ports/transport.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import type { Outgoing } from './context.ts';
import { type JournalIntent, type JournalModel, termsOf } from './journal-model.ts';

export interface WireNames {
  /** An intent is durable. */
  written(intent: JournalIntent): void;
  /** A message leaves. */
  outgoing(request: HttpRequest, endpoint: EndpointName, query: URLSearchParams): Outgoing;
  /** The intent of a create that left before, however often its bytes arrive. */
  intentOf(request: HttpRequest): JournalIntent | undefined;
}

export function createWireNames(journal: JournalModel): WireNames {
  /** Intents by their creates' terms. */
  const byTerms = new Map<string, JournalIntent[]>();
  /** Signed bytes → intent. */
  const byBytes = new Map<string, string>();

  /** The oldest unsent intent of these terms, or the last sent. */
  function named(request: HttpRequest, body: Outgoing['body'], query: URLSearchParams): JournalIntent | null {
    const { symbol = '', action = '', price = '0', quantity = '0' } = body;
    const timestamp = Number(query.get('timestamp'));
    const terms = termsOf({ symbol, side: action.toLowerCase(), price, quantity, timestamp });
    const candidates = byTerms.get(terms) ?? [];
    const intent = (candidates.length > 1 ? candidates.shift() : candidates[0]) ?? null;
    if (intent !== null) byBytes.set(bytesOf(request), intent.intentId);
    return intent;
  }

  return {
    written(intent) {
      const terms = termsOf(intent);
      byTerms.set(terms, [...(byTerms.get(terms) ?? []), intent]);
    },
    outgoing(request, endpoint, query) {
      const body = request.body === null ? {} : (JSON.parse(request.body) as Outgoing['body']);
      return { endpoint, request, body, query, intent: endpoint === 'create' ? named(request, body, query) : null };
    },
    intentOf: (request) =>
      request.body === null ? undefined : journal.intents.get(byBytes.get(bytesOf(request)) ?? ''),
  };
}

const bytesOf = ({ url, body }: HttpRequest): string => `${url}${body ?? ''}`;
