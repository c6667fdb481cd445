// The venue over HTTP: builds, signs and sends a request once, classifies its outcome, and corrects the venue's times
// by known offsets.

import { invariant } from '../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpResult, Transport, Venue } from '../ports/transport.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, CancelOutcome, Completed, ReadOutcome } from '../venue/outcomes.ts';
import type {
  CancelKind,
  CancelRequest,
  CreateRequest,
  EndpointName,
  ReadKind,
  ReadRequest,
  ReadTable,
  VenueRequest,
} from '../venue/requests.ts';
import { answerFacts, classifyCancel, classifyCreate, classifyLegacyRead, classifyRead } from './outcomes/classify.ts';
import { type ReadSettings, readParsersOf } from './outcomes/read-parsers.ts';
import { checkTimeOffsets, inTrueTime, offsetOf, type TimeOffsets } from './times/answer-times.ts';
import { messageOf, type RequestMessage } from './wire/request-message.ts';
import { hasWordOf, maskOf, scrubbed } from './wire/secret.ts';
import {
  addressOf,
  assertSameWrite,
  type SigningSettings,
  type WireRequest,
  wireRequestOf,
} from './wire/signed-request.ts';

export interface ClientSettings extends SigningSettings, ReadSettings {
  /** Total time until an answer must be complete. */
  readonly deadlineMs: { readonly read: DurationMs; readonly create: DurationMs; readonly cancel: DurationMs };
  /**
   * How far the venue's times in a list are off, in whole quarter hours: 5 h 30 min where it writes Indian time as if
   * it were UTC. Absent: its times are true.
   */
  readonly timeOffsetsMs?: TimeOffsets;
}

interface ExchangeClientParts {
  readonly settings: ClientSettings;
  readonly transport: Transport;
  readonly clock: Clock;
}

/**
 * One request is one message: nothing here retries, and failures of network or venue are never thrown. A create or
 * cancel whose bytes ask for something else is a bug and throws before anything is sent. `venueTime` of rows and the
 * times of filters are corrected to true times (`timeOffsetsMs`).
 */
export function createExchangeClient({ settings, transport, clock }: ExchangeClientParts): Venue {
  checkSettings(settings);
  const { timeOffsetsMs = {} } = settings;
  checkTimeOffsets(timeOffsetsMs);
  const parsers = readParsersOf(settings);
  const mask = maskOf([settings.key.reveal(), settings.secret.reveal()]);

  async function perform(request: VenueRequest): Promise<Completed> {
    const message = messageOf(request, offsetOf(timeOffsetsMs, request.kind));
    if (addressOf(message.endpoint, settings) === null) return completedOf(request, nowhereToGo(message, clock.now()));
    const wire = wireRequestOf(message, settings, deadlineOf(request, settings));
    if (isWrite(request)) assertSameWrite(wire.http, request);
    const result = await transport.send(wire.http);
    try {
      return completedOf(request, withoutSecrets(result, wire));
    } catch {
      return completedOf(request, notUnderstood(result));
    }
  }

  function withoutSecrets(result: HttpResult, { signature }: WireRequest): HttpResult {
    if (signature === null) return result;
    const clean = scrubbed(result, mask);
    const mayEcho = clean.kind === 'response' && hasWordOf(signature.length, clean.body);
    return mayEcho ? scrubbed(clean, maskOf([signature])) : clean;
  }

  function completedOf(request: VenueRequest, result: HttpResult): Completed {
    const facts = answerFacts(result);
    switch (request.kind) {
      case 'create':
        return { kind: request.kind, request, facts, outcome: classifyCreate(result) };
      case 'cancel':
      case 'cancel-symbol':
      case 'cancel-all':
        return completedCancel(request, result, facts);
      default:
        return completedRead(request, result, facts);
    }
  }

  function completedRead<K extends ReadKind>(
    request: ReadRequest<K>,
    result: HttpResult,
    facts: AnswerFacts,
  ): CompletedReadOf<K> {
    const kind: K = request.kind;
    const classify = ENDPOINTS[kind].interface === 'legacy' ? classifyLegacyRead : classifyRead;
    const written: ReadOutcome<ReadTable[K]['answer']> = classify(result, facts, parsers[kind](request));
    return { kind, request, facts, outcome: inTrueTime(kind, written, timeOffsetsMs) };
  }

  function completedCancel<K extends CancelKind>(
    request: Extract<CancelRequest, { kind: K }>,
    result: HttpResult,
    facts: AnswerFacts,
  ): CompletedCancelOf<K> {
    return { kind: request.kind, request, facts, outcome: classifyCancel(result, facts) };
  }

  return { perform, close: () => transport.close() };
}

const isWrite = (request: VenueRequest): request is CreateRequest | CancelRequest =>
  ENDPOINTS[request.kind].method === 'POST';

/** A request to an interface without a configured address ends here; `sent` is false. */
function nowhereToGo({ endpoint }: RequestMessage, now: EpochMs): HttpResult {
  const detail = `The address of the ${endpoint.interface} interface is not configured: ${endpoint.name} is not asked.`;
  return { kind: 'fault', fault: { sent: false, reason: 'aborted', detail }, sentAt: now, receivedAt: now };
}

/** If a parser throws, the answer is faulty and proves nothing: no exchange can end the process. */
function notUnderstood(result: HttpResult): HttpResult {
  const { sentAt, receivedAt } = result;
  if (result.kind === 'fault') return { kind: 'fault', fault: result.fault, sentAt, receivedAt };
  const { status } = result;
  const detail = `HTTP ${status} with an answer that could not be read.`;
  return { kind: 'fault', fault: { sent: true, reason: 'bad-shape', status, detail }, sentAt, receivedAt };
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

/** Texts that must not leak: the key, the secret, and the signature that makes this address replayable. */
function checkSettings({ deadlineMs, signatureIn }: ClientSettings): void {
  for (const [name, value] of Object.entries(deadlineMs)) {
    invariant(
      value > 0 && Number.isFinite(value),
      `The deadline for ${name} requests is ${value} ms: it must be above zero.`,
    );
  }
  invariant(signatureIn === 'query' || signatureIn.header !== '', 'The signature header has no name.');
}

// Requests and their outcomes by kind, so that one function can serve all kinds and pair each request with its own
// answer.

/** A request of this kind with its outcome. */
export type CompletedOf<K extends EndpointName> = Extract<Completed, { kind: K }>;

/** The same for a read whose kind is a type parameter: the compiler can't resolve `Extract` there. */
type CompletedReadOf<K extends ReadKind> = {
  [N in K]: {
    readonly kind: N;
    readonly request: ReadRequest<N>;
    readonly outcome: ReadOutcome<ReadTable[N]['answer']>;
    readonly facts: AnswerFacts;
  };
}[K];

type CompletedCancelOf<K extends CancelKind> = {
  [N in K]: {
    readonly kind: N;
    readonly request: Extract<CancelRequest, { kind: N }>;
    readonly outcome: CancelOutcome;
    readonly facts: AnswerFacts;
  };
}[K];
