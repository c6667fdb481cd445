// HTTP result of a read → rows and whether they are all, or why there are none.

import { fail, ok, type Result } from '../../domain/result.ts';
import { readJson, readJsonExact } from '../../domain/text.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { errorCode, isThrottled } from '../../venue/error-codes.ts';
import type { AnswerFacts, Fault, Read, ReadOutcome } from '../../venue/outcomes.ts';
import type { ErrorBody, Parsed } from '../../venue/parsers/fields.ts';
import {
  errorBodyOf,
  faultOf,
  type HttpResponse,
  type JsonReader,
  jsonOf,
  legacyStatusFault,
  statusFault,
} from '../wire/http-answer.ts';
import { throttled } from '../wire/retry-at.ts';

const OK = 200;

/** A JSON number that a float may not hold: it holds 15 digits for certain, and exponents of two. */
const LONG_NUMBER = /[[:,\s]-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;

/** How the body of one kind of read is understood. */
export interface ReadParser<T> {
  /** Money and ids are read exactly; market data fast, while it holds no number that a float can't. */
  readonly numbers: 'exact' | 'fast';
  readonly parse: (body: unknown) => Result<Parsed<T>>;
}

/** What a read brought. `{code, msg}` is a refusal whatever the status, where the code is a documented one. */
export function classifyRead<T>(result: HttpResult, facts: AnswerFacts, parser: ReadParser<T>): ReadOutcome<T> {
  if (result.kind === 'fault') return { kind: 'failed', fault: result.fault };
  const { status } = result;
  if (status === OK) return classifyOk(result, parser);
  const error = errorBodyOf(result, readJson);
  if (isThrottled(status)) return throttled(status, error, facts);
  return refusal(result, error) ?? { kind: 'failed', fault: statusFault(result, error) };
}

/**
 * What a read of the legacy interface brought. It has no error codes, and its error bodies are not documented: the
 * status alone says what is wrong.
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

function classifyOk<T>(response: HttpResponse, parser: ReadParser<T>): ReadOutcome<T> {
  const parsed = parsedOf(response, parser);
  if (parsed.ok) return { kind: 'read', read: parsed.value };
  const error = errorBodyOf(response, readJson);
  const fault = error === null ? parsed.error : { ...parsed.error, code: error.code };
  return refusal(response, error) ?? { kind: 'failed', fault };
}

function parsedOf<T>(response: HttpResponse, parser: ReadParser<T>): Result<Read<T>, Fault> {
  const isExact = parser.numbers === 'exact' || LONG_NUMBER.test(response.body);
  const reader: JsonReader = isExact ? readJsonExact : readJson;
  const json = jsonOf(response, reader);
  if (!json.ok) return json;
  const parsed = parser.parse(json.value);
  return parsed.ok ? ok(readOf(response, parsed.value)) : fail(faultOf(response, 'bad-shape', parsed.error));
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
