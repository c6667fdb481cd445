// The venue over HTTP: builds, signs, sends once, and says what became of it.
import { assertNever, invariant } from '../domain/invariant.ts';
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { HttpResult, Transport } from '../ports/transport.ts';
import type { Venue } from '../ports/venue.ts';
import type { Completed, ReadOutcome } from '../venue/outcomes.ts';
import type { VenueRequest } from '../venue/requests.ts';
import { answerFacts } from './answer-facts.ts';
import { classifyCancel } from './classify-cancel.ts';
import { classifyCreate } from './classify-create.ts';
import { classifyRead, type ReadParser } from './classify-read.ts';
import { assertSameOrder } from './outgoing-check.ts';
import { type ReadSettings, readParsersOf } from './read-parsers.ts';
import { messageOf } from './request-message.ts';
import { scrubbed } from './scrub.ts';
import { type SigningSettings, type WireRequest, wireRequestOf } from './signed-request.ts';

export interface ClientSettings extends SigningSettings, ReadSettings {
  /** Base of the legacy public interface; no request uses it yet, the transport's list of hosts may hold it. */
  readonly legacyBaseUrl?: string;
  /** Total time until an answer must be complete. */
  readonly deadlineMs: { readonly read: DurationMs; readonly create: DurationMs; readonly cancel: DurationMs };
}

export interface ExchangeClientParts {
  readonly settings: ClientSettings;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * One request is one message: nothing here retries, and nothing that the network or the venue does is thrown. A create whose
 * body is not the approved order is a bug and throws before anything is sent.
 */
export function createExchangeClient({ settings, transport }: ExchangeClientParts): Venue {
  checkSettings(settings);
  const parsers = readParsersOf(settings);

  async function perform(request: VenueRequest): Promise<Completed> {
    const wire = wireRequestOf(messageOf(request), settings, deadlineOf(request, settings));
    if (request.kind === 'create') assertSameOrder(wire.http.body, request.order);
    const result = await transport.send(wire.http);
    return completedOf(request, scrubbed(result, secretsOf(wire, settings)));
  }

  function completedOf(request: VenueRequest, result: HttpResult): Completed {
    const facts = answerFacts(result);
    const read = <T>(parser: ReadParser<T>): ReadOutcome<T> => classifyRead(result, facts, parser);
    switch (request.kind) {
      case 'order-book':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'tickers':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'symbols':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'public-trades':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'wallet':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'open-orders':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'spot-trades':
        return { kind: request.kind, request, facts, outcome: read(parsers[request.kind](request)) };
      case 'create':
        return { kind: request.kind, request, facts, outcome: classifyCreate(result) };
      case 'cancel':
        return { kind: request.kind, request, facts, outcome: classifyCancel(result, facts) };
      case 'cancel-symbol':
        return { kind: request.kind, request, facts, outcome: classifyCancel(result, facts) };
      case 'cancel-all':
        return { kind: request.kind, request, facts, outcome: classifyCancel(result, facts) };
      default:
        return assertNever(request);
    }
  }

  return { perform, close: () => transport.close() };
}

function deadlineOf(request: VenueRequest, { deadlineMs }: ClientSettings): DurationMs {
  switch (request.kind) {
    case 'create':
      return deadlineMs.create;
    case 'cancel':
    case 'cancel-symbol':
    case 'cancel-all':
      return deadlineMs.cancel;
    default:
      return deadlineMs.read;
  }
}

/** What must not come back out: the key, the secret, and the signature that makes this address replayable. */
function secretsOf(wire: WireRequest, settings: ClientSettings): readonly string[] {
  return wire.signature === null ? [] : [wire.signature, settings.key.reveal(), settings.secret.reveal()];
}

function checkSettings({ deadlineMs, signatureIn }: ClientSettings): void {
  for (const [name, value] of Object.entries(deadlineMs)) {
    invariant(
      value > 0 && Number.isFinite(value),
      `The deadline for ${name} requests is ${value} ms: it must be above zero.`,
    );
  }
  invariant(signatureIn === 'query' || signatureIn.header !== '', 'The signature header has no name.');
}
