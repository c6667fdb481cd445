// The venue over HTTP: builds, signs and sends a request once, classifies its outcome, and corrects the venue's times
// by known offsets.
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpResult, Transport, Venue } from '../ports/transport.ts';
import type { Dialect, ErrorCode } from '../venue/dialect.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, Completed, CompletedCancel, CompletedRead, ReadOutcome } from '../venue/outcomes.ts';
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
import { answerFacts, classifyCancel, classifyCreate, classifyRead } from './outcomes/classify.ts';
import { readParsersOf } from './outcomes/read-parsers.ts';
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

export interface ClientSettings extends SigningSettings {
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
  const { dialect, timeOffsetsMs = {} } = settings;
  checkTimeOffsets(timeOffsetsMs);
  const absence = absenceIn(dialect);
  const parsers = readParsersOf(dialect);
  // That interface has no codes.
  const legacyDialect = { ...dialect, errors: [] };
  const mask = maskOf([settings.key.reveal(), settings.secret.reveal()]);

  async function perform(request: VenueRequest, signal?: AbortSignal): Promise<Completed> {
    const spoken = spokenIn(dialect, request);
    if (spoken === null) return completedOf(request, notOffered(request, absence, clock.now()));
    const message = messageOf(spoken, offsetOf(timeOffsetsMs, request.kind));
    if (addressOf(message.endpoint, settings) === null) return completedOf(request, nowhereToGo(message, clock.now()));
    const wire = wireRequestOf(message, settings);
    if (isWrite(request)) assertSameWrite(wire.http, request);
    const result = await transport.send({ ...wire.http, signal });
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
        return { kind: request.kind, request, facts, outcome: classifyCreate(result, dialect) };
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
  ): CompletedRead<K> {
    const kind: K = request.kind;
    const spoken = ENDPOINTS[kind].interface === 'legacy' ? legacyDialect : dialect;
    const written: ReadOutcome<ReadTable[K]['answer']> = classifyRead(result, parsers[kind](request), spoken);
    return { kind, request, facts, outcome: inTrueTime(kind, written, timeOffsetsMs) };
  }

  function completedCancel<K extends CancelKind>(
    request: Extract<CancelRequest, { kind: K }>,
    result: HttpResult,
    facts: AnswerFacts,
  ): CompletedCancel<K> {
    return { kind: request.kind, request, facts, outcome: classifyCancel(result, dialect) };
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

/**
 * The request as the dialect knows it, or null if it has no such list. Where it takes no ids, own trades are requested
 * from the time of the known one on: that page holds the known one, too.
 */
function spokenIn({ lacks, tradesById }: Dialect, request: VenueRequest): VenueRequest | null {
  if (lacks.some((kind) => kind === request.kind)) return null;
  if (tradesById || (request.kind !== 'spot-trades' && request.kind !== 'spot-trades-historical')) return request;
  if (request.filter.by !== 'from-id') return request;
  const { since } = request.filter;
  return since === undefined ? null : { ...request, filter: { by: 'start', startTime: since } };
}

/** With this error the dialect refuses what it lacks. */
function absenceIn({ errors }: Dialect): ErrorCode {
  const entry = errors.find(({ kind }) => kind === 'not-offered');
  invariant(
    entry !== undefined,
    'A dialect needs an error of the kind not-offered: with it the client refuses lists that the exchange lacks.',
  );
  return entry;
}

/** The dialect's own refusal of a request that it doesn't have, without asking. */
function notOffered({ kind }: VenueRequest, { status, code }: ErrorCode, now: EpochMs): HttpResult {
  const body = JSON.stringify({ code, msg: `This exchange has no ${kind}.` });
  return { kind: 'response', status, headers: {}, body, sentAt: now, receivedAt: now };
}

/** If a parser throws, the answer is faulty and proves nothing: no exchange can end the process. */
function notUnderstood(result: HttpResult): HttpResult {
  const { sentAt, receivedAt } = result;
  if (result.kind === 'fault') return { kind: 'fault', fault: result.fault, sentAt, receivedAt };
  const { status } = result;
  const detail = `HTTP ${status} with an answer that could not be read.`;
  return { kind: 'fault', fault: { sent: true, reason: 'bad-shape', status, detail }, sentAt, receivedAt };
}

function checkSettings({ deadlineMs, dialect: { signatureIn } }: ClientSettings): void {
  invariant(
    deadlineMs > 0 && Number.isFinite(deadlineMs),
    `The deadline of requests is ${deadlineMs} ms: it must be above zero.`,
  );
  invariant(signatureIn === 'query' || signatureIn.header !== '', 'The signature header has no name.');
}

/** A request of this kind with its outcome. */
export type CompletedOf<K extends EndpointName> = Extract<Completed, { kind: K }>;
