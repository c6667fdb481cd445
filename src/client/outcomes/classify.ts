// Classifies an answer into its outcome.

import { orderId } from '../../domain/ids.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { readJson, readJsonExact } from '../../domain/text.ts';
import { type EpochMs, SECOND } from '../../domain/time.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { PAPER_INSTANCE_HEADER } from '../../venue/endpoints.ts';
import { errorCode, isThrottled, LEGACY_STATUSES } from '../../venue/error-codes.ts';
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
import { readHttpDate, readRateLimit } from './rate-limit-headers.ts';

const OK = 200;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** The outcome of a create. Only four answers are proofs; any other, or none, is unknown. */
export function classifyCreate(result: HttpResult): CreateOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  if (result.status === OK) return classifyCreateOk(result);
  if (result.status === TOO_MANY_REQUESTS) return classifyThrottled(result);
  return classifyRefusal(result);
}

function classifyCreateOk(response: HttpResponse): CreateOutcome {
  const json = jsonOf(response, readJsonExact);
  if (!json.ok) return { kind: 'unknown', fault: json.error };
  if (isObject(json.value)) {
    const id = isObject(json.value.data) ? readId(json.value.data.order_id) : null;
    const isRefused = errorCode(readErrorBody(json.value)?.code ?? 0) !== undefined;
    if (id !== null && !isRefused) return { kind: 'accepted', orderId: orderId(id) };
    const msg = softRejection(json.value);
    if (msg !== null) return { kind: 'soft-rejected', msg };
  }
  const code = readErrorBody(json.value)?.code;
  return {
    kind: 'unknown',
    fault: faultOf(response, 'bad-shape', 'HTTP 200 with neither an order id nor a plain message.', code),
  };
}

/** `{msg}` without any other meaningful field: an error code with status 200 is not a documented answer. */
function softRejection(body: RawObject): string | null {
  if ('data' in body || 'code' in body || typeof body.msg !== 'string' || namesOrder(body)) return null;
  return plainMessage(body.msg);
}

/** 4xx with a documented code known to mean "not accepted". 408 means only that the venue gave up waiting, not why. */
function classifyRefusal(response: HttpResponse): CreateOutcome {
  const { status } = response;
  const error = errorBodyOf(response, readJsonExact);
  const refused = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (refused && error !== null && !contradicts(response) && errorCode(error.code)?.provesNotCreated)
    return { kind: 'rejected', status, ...error };
  return { kind: 'unknown', fault: statusFault(response, error) };
}

/**
 * Without the exchange's own code it may come from a gateway, and the exchange behind it may have processed the
 * request.
 */
function classifyThrottled(response: HttpResponse): CreateOutcome {
  if (contradicts(response)) return { kind: 'unknown', fault: statusFault(response, null) };
  const error = errorBodyOf(response, readJsonExact);
  const msg = error?.msg ?? 'The venue answered HTTP 429 without an error body.';
  const isIts = error !== null && errorCode(error.code)?.status === TOO_MANY_REQUESTS;
  return { kind: 'soft-rejected', msg, throttledBy: isIts ? 'exchange' : 'gateway' };
}

/** A refusal that names an order contradicts itself, so it proves nothing. */
function contradicts(response: HttpResponse): boolean {
  const json = jsonOf(response, readJsonExact);
  return json.ok && namesOrder(json.value);
}

/** Whether an order id is anywhere in it. No body nests deep enough to exhaust the stack. */
function namesOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, each]) => (/^order[_-]?id$/i.test(name) && readId(each) !== null) || namesOrder(each),
  );
}

// HTTP result of a cancel → outcome. None of them proves how much had filled; 5xx stays unknown: it may have acted.

/** The outcome of a cancel of one order, of a symbol or of all. */
export function classifyCancel(result: HttpResult, facts: AnswerFacts): CancelOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  const { status } = result;
  if (status === OK) return classifyCancelOk(result);
  const error = errorBodyOf(result, readJson);
  if (status === TOO_MANY_REQUESTS) return throttled(status, error, facts);
  const refused = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (refused && error !== null && errorCode(error.code)) return { kind: 'rejected', status, ...error };
  return { kind: 'unknown', fault: statusFault(result, error) };
}

function classifyCancelOk(response: HttpResponse): CancelOutcome {
  const json = jsonOf(response, readJson);
  if (!json.ok) return { kind: 'unknown', fault: json.error };
  const body = json.value;
  if (isObject(body) && !('code' in body) && typeof body.msg === 'string') {
    return { kind: 'acknowledged', msg: plainMessage(body.msg) };
  }
  const code = readErrorBody(body)?.code;
  return { kind: 'unknown', fault: faultOf(response, 'bad-shape', 'HTTP 200 without a plain message.', code) };
}

// HTTP result of a read → rows and whether they are complete, or why there are none.

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

/** The outcome of a read. `{code, msg}` with a documented code is a refusal, whatever the status. */
export function classifyRead<T>(result: HttpResult, facts: AnswerFacts, parser: ReadParser<T>): ReadOutcome<T> {
  if (result.kind === 'fault') return { kind: 'failed', fault: result.fault };
  const { status } = result;
  if (status === OK) return classifyReadOk(result, parser);
  const error = errorBodyOf(result, readJson);
  if (isThrottled(status)) return throttled(status, error, facts);
  return refusal(result, error) ?? { kind: 'failed', fault: statusFault(result, error) };
}

/**
 * The outcome of a legacy read. That interface has no error codes, and its error bodies are not documented: only the
 * status shows what is wrong.
 */
export function classifyLegacyRead<T>(result: HttpResult, facts: AnswerFacts, parser: ReadParser<T>): ReadOutcome<T> {
  if (result.kind === 'fault') return { kind: 'failed', fault: result.fault };
  const { status } = result;
  if (status === OK) {
    const parsed = parsedOf(result, parser);
    return parsed.ok ? { kind: 'read', read: parsed.value } : { kind: 'failed', fault: parsed.error };
  }
  if (isThrottled(status)) return throttled(status, null, facts);
  return { kind: 'failed', fault: legacyStatusFault(result) };
}

function classifyReadOk<T>(response: HttpResponse, parser: ReadParser<T>): ReadOutcome<T> {
  const parsed = parsedOf(response, parser);
  if (parsed.ok) return { kind: 'read', read: parsed.value };
  const error = errorBodyOf(response, readJson);
  const fault = error === null ? parsed.error : { ...parsed.error, code: error.code };
  return refusal(response, error) ?? { kind: 'failed', fault };
}

function parsedOf<T>(response: HttpResponse, parser: ReadParser<T>): Result<Read<T>, Fault> {
  const { body: text } = response;
  if (parser.last?.text === text) return ok(readOf(response, parser.last.parsed));
  const isExact = parser.numbers === 'exact' || LONG_NUMBER.test(text);
  const reader: JsonReader = isExact ? readJsonExact : readJson;
  const json = jsonOf(response, reader);
  if (!json.ok) return json;
  const parsed = parser.parse(json.value);
  if (!parsed.ok) return fail(faultOf(response, 'bad-shape', parsed.error));
  parser.last = { text, parsed: parsed.value };
  return ok(readOf(response, parsed.value));
}

function refusal(response: HttpResponse, error: ErrorBody | null): ReadOutcome<never> | null {
  return error !== null && errorCode(error.code) ? { kind: 'rejected', status: response.status, ...error } : null;
}

function readOf<T>(response: HttpResponse, parsed: Parsed<T>): Read<T> {
  const { sentAt, receivedAt } = response;
  const { rows, incompleteBecause } = parsed;
  if (incompleteBecause === undefined) return { rows, complete: true, sentAt, receivedAt };
  return { rows, complete: false, incompleteBecause, sentAt, receivedAt };
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
type JsonReader = (text: string) => Result<unknown>;

/** The headers were written, so such a fault never claims that nothing was sent. */
function faultOf(response: HttpResponse, reason: FaultReason, detail: string, code?: number): Fault {
  return { sent: true, reason, status: response.status, ...(code !== undefined && { code }), detail };
}

/** The body as JSON, whatever its content type: a gateway's page or message does not parse (decision 0061). */
function jsonOf(response: HttpResponse, read: JsonReader): Result<unknown, Fault> {
  const json = read(response.body);
  return json.ok ? json : { ok: false, error: faultOf(response, 'bad-json', `HTTP ${response.status}. ${json.error}`) };
}

/** `{code, msg}`, where the answer holds one. */
function errorBodyOf(response: HttpResponse, read: JsonReader): ErrorBody | null {
  const json = jsonOf(response, read);
  return json.ok ? readErrorBody(json.value) : null;
}

/** The fault of an inconclusive status. */
function statusFault(response: HttpResponse, error: ErrorBody | null): Fault {
  const { status } = response;
  if (status >= 300 && status < 400) return faultOf(response, 'redirect', `HTTP ${status}: a redirect, not followed.`);
  const told = error === null ? 'without an error body' : `with code ${error.code}`;
  return faultOf(response, 'status', `HTTP ${status} ${told}.`, error?.code);
}

/** The same for a legacy status, with its meaning there (specification 7). */
function legacyStatusFault(response: HttpResponse): Fault {
  const meaning = LEGACY_STATUSES.find(({ status }) => status === response.status)?.meaning;
  if (meaning === undefined) return statusFault(response, null);
  return faultOf(response, 'status', `HTTP ${response.status}: ${meaning}`);
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

/** The outcome of a throttled request; `error` is its body if that was an error body. */
export function throttled(status: number, error: ErrorBody | null, facts: AnswerFacts): Throttled {
  return { kind: 'throttled', status, ...(error !== null && { code: error.code }), retryAt: retryAt(facts) };
}
