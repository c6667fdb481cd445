// Classifies an answer into its outcome.
import { orderId } from '../../domain/ids.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { readJson, readJsonExact } from '../../domain/text.ts';
import { type EpochMs, SECOND } from '../../domain/time.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { type Dialect, errorIn, provesNotCreated } from '../../venue/dialect.ts';
import { PAPER_INSTANCE_HEADER } from '../../venue/endpoints.ts';
import type {
  AnswerFacts,
  CancelOutcome,
  CreateOutcome,
  Fault,
  FaultReason,
  Read,
  ReadOutcome,
  Throttled,
} from '../../venue/outcomes.ts';
import {
  type ErrorBody,
  isObject,
  type Parsed,
  plainMessage,
  type RawObject,
  readErrorBody,
  readId,
} from '../../venue/parsers/fields.ts';
import { isThrottled, type RefusalKind } from '../../venue/refusals.ts';
import { readHttpDate, readRateLimit } from './rate-limit-headers.ts';

const OK = 200;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** The outcome of a create. Only four answers are proofs; any other, or none, is unknown. */
export function classifyCreate(result: HttpResult, dialect: Dialect): CreateOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  const json = jsonOf(result, readJsonExact);
  const told = json.ok ? errorOf(json.value, dialect) : null;
  if (result.status === OK) return createdOf(result, json, told);
  // A refusal that names an order contradicts itself, so it proves nothing.
  const contradicts = json.ok && namesOrder(json.value);
  if (result.status === TOO_MANY_REQUESTS && !contradicts) return tooManyCreates(told);
  if (isRefused(result) && !contradicts && isKnown(told) && provesNotCreated(errorIn(dialect, told.code)))
    return { kind: 'rejected', status: result.status, ...told };
  return { kind: 'unknown', fault: statusFault(result, told) };
}

function createdOf(response: HttpResponse, json: Result<unknown, Fault>, told: Told | null): CreateOutcome {
  if (!json.ok) return { kind: 'unknown', fault: json.error };
  if (isObject(json.value)) {
    const id = isObject(json.value.data) ? readId(json.value.data.order_id) : null;
    if (id !== null && told?.refusal === undefined) return { kind: 'accepted', orderId: orderId(id) };
    const msg = softRejection(json.value);
    if (msg !== null) return { kind: 'soft-rejected', msg };
  }
  const detail = 'HTTP 200 with neither an order id nor a plain message.';
  return { kind: 'unknown', fault: faultOf(response, 'bad-shape', detail, told) };
}

/** `{msg}` without any other meaningful field: an error code with status 200 is not a documented answer. */
function softRejection(body: RawObject): string | null {
  if ('data' in body || 'code' in body || typeof body.msg !== 'string' || namesOrder(body)) return null;
  return plainMessage(body.msg);
}

/** 4xx. 408 means only that the venue gave up waiting, not why. */
const isRefused = ({ status }: HttpResponse): boolean => status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;

/**
 * Without the exchange's own code it may come from a gateway, and the exchange behind it may have processed the
 * request.
 */
function tooManyCreates(told: Told | null): CreateOutcome {
  const msg = told?.msg ?? 'The venue answered HTTP 429 without an error body.';
  return { kind: 'soft-rejected', msg, throttledBy: told?.refusal === 'rate' ? 'exchange' : 'gateway' };
}

/** Whether an order id is anywhere in it. No body nests deep enough to exhaust the stack. */
function namesOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, each]) => (/^order[_-]?id$/i.test(name) && readId(each) !== null) || namesOrder(each),
  );
}

/**
 * The outcome of a cancel of one order, of a symbol or of all. None of them proves how much had filled; 5xx stays
 * unknown: it may have acted.
 */
export function classifyCancel(result: HttpResult, dialect: Dialect): CancelOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  const json = jsonOf(result, readJson);
  const told = json.ok ? errorOf(json.value, dialect) : null;
  if (result.status === TOO_MANY_REQUESTS) return throttled(result, told);
  if (result.status !== OK) {
    if (isRefused(result) && isKnown(told)) return { kind: 'rejected', status: result.status, ...told };
    return { kind: 'unknown', fault: statusFault(result, told) };
  }
  if (!json.ok) return { kind: 'unknown', fault: json.error };
  const body = json.value;
  if (isObject(body) && !('code' in body) && typeof body.msg === 'string')
    return { kind: 'acknowledged', msg: plainMessage(body.msg) };
  return { kind: 'unknown', fault: faultOf(result, 'bad-shape', 'HTTP 200 without a plain message.', told) };
}

/** A JSON number that a float may not represent: it is only exact for 15 digits, and powers of two. */
const LONG_NUMBER = /[[:,\s]-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;

/** How to parse the body of one kind of read. */
export interface ReadParser<T> {
  /** Money and ids are read exactly; market data fast, unless it has a number that a float can't hold. */
  readonly numbers: 'exact' | 'fast';
  readonly parse: (body: unknown) => Result<Parsed<T>>;
  /** The last answer that was read: most pages repeat, and an equal text has the same rows. */
  last: { readonly text: string; readonly parsed: Parsed<T> } | null;
}

/**
 * The outcome of a read: rows and whether they are complete, or why there are none. `{code, msg}` with a documented
 * code is a refusal, whatever the status.
 */
export function classifyRead<T>(result: HttpResult, parser: ReadParser<T>, dialect: Dialect): ReadOutcome<T> {
  if (result.kind === 'fault') return { kind: 'failed', fault: result.fault };
  const { status } = result;
  const parsed = status === OK ? parsedOf(result, parser) : null;
  if (parsed?.ok) return { kind: 'read', read: parsed.value };
  const json = jsonOf(result, readJson);
  const told = json.ok ? errorOf(json.value, dialect) : null;
  if (isThrottled(status)) return throttled(result, told);
  if (isKnown(told)) return { kind: 'rejected', status, ...told };
  const fault = parsed === null ? statusFault(result, told) : { ...parsed.error, ...codeOf(told) };
  return { kind: 'failed', fault };
}

function parsedOf<T>(response: HttpResponse, parser: ReadParser<T>): Result<Read<T>, Fault> {
  const { body: text } = response;
  if (parser.last?.text === text) return ok(readOf(response, parser.last.parsed));
  const isExact = parser.numbers === 'exact' || LONG_NUMBER.test(text);
  const json = jsonOf(response, isExact ? readJsonExact : readJson);
  if (!json.ok) return json;
  const parsed = parser.parse(json.value);
  if (!parsed.ok) return fail(faultOf(response, 'bad-shape', parsed.error, null));
  parser.last = { text, parsed: parsed.value };
  return ok(readOf(response, parsed.value));
}

function readOf<T>(response: HttpResponse, parsed: Parsed<T>): Read<T> {
  const { sentAt, receivedAt } = response;
  return { ...parsed, complete: parsed.incompleteBecause === undefined, sentAt, receivedAt };
}

// Facts of an answer apart from its content: times, status, the venue's clock, its limits, and which paper exchange it
// is.

const PAPER_INSTANCE = PAPER_INSTANCE_HEADER.toLowerCase();
const INSTANCE_NAME = /^[\w.:-]{1,64}$/;

/** The facts of one exchange of messages; only its times for a fault before any answer. */
export function answerFacts(result: HttpResult): AnswerFacts {
  const { sentAt, receivedAt } = result;
  const status = result.kind === 'fault' ? result.fault.status : result.status;
  const { headers = {} } = result;
  const venueDate = readHttpDate(headers.date);
  const rateLimit = readRateLimit(headers, { receivedAt, ...(venueDate !== undefined && { venueDate }) });
  const instance = headers[PAPER_INSTANCE];
  return {
    sentAt,
    receivedAt,
    ...(status !== undefined && { status }),
    ...(venueDate !== undefined && { venueDate }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(instance !== undefined && INSTANCE_NAME.test(instance) && { paperInstance: instance }),
  };
}

// One HTTP answer for the classifiers: its JSON, or its fault.

type HttpResponse = Extract<HttpResult, { kind: 'response' }>;

/** The body as JSON, whatever its content type: a gateway's page or message does not parse (decision 0061). */
function jsonOf(response: HttpResponse, read: (text: string) => Result<unknown>): Result<unknown, Fault> {
  const json = read(response.body);
  return json.ok ? json : fail(faultOf(response, 'bad-json', `HTTP ${response.status}. ${json.error}`, null));
}

/** `{code, msg}` of an answer; with the kind of the refusal if the dialect lists the code. */
interface Told extends ErrorBody {
  readonly refusal?: RefusalKind;
}

function errorOf(json: unknown, dialect: Dialect): Told | null {
  const error = readErrorBody(json);
  const kind = error === null ? undefined : errorIn(dialect, error.code)?.kind;
  return error === null || kind === undefined ? error : { ...error, refusal: kind };
}

function codeOf(told: Told | null): Pick<Fault, 'code' | 'refusal'> {
  if (told === null) return {};
  const { msg: _msg, ...code } = told;
  return code;
}

const isKnown = (told: Told | null): told is Required<Told> => told?.refusal !== undefined;

/** The headers were written, so such a fault never claims that nothing was sent. */
function faultOf(response: HttpResponse, reason: FaultReason, detail: string, told: Told | null): Fault {
  return { sent: true, reason, status: response.status, ...codeOf(told), detail };
}

/** The fault of an inconclusive status. */
function statusFault(response: HttpResponse, told: Told | null): Fault {
  const { status } = response;
  if (status >= 300 && status < 400)
    return faultOf(response, 'redirect', `HTTP ${status}: a redirect, not followed.`, null);
  const how = told === null ? 'without an error body' : `with code ${told.code}`;
  return faultOf(response, 'status', `HTTP ${status} ${how}.`, told);
}

// When a throttled request may be repeated, according to its answer.

/** Used where the answer names no wait. The lane adds its own backoff. */
const UNTOLD_WAIT_MS = SECOND;

/** `Retry-After`, else the reset of the window, else a second from now. */
export function retryAt(facts: AnswerFacts): EpochMs {
  const { retryAfter, resetAt } = facts.rateLimit ?? {};
  if (retryAfter !== undefined) return facts.receivedAt + retryAfter;
  return resetAt ?? facts.receivedAt + UNTOLD_WAIT_MS;
}

function throttled(response: HttpResponse, told: Told | null): Throttled {
  return { kind: 'throttled', status: response.status, ...codeOf(told), retryAt: retryAt(answerFacts(response)) };
}
