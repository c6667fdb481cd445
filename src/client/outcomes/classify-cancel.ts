// HTTP result of a cancel → outcome. None of them proves how much had filled, so 5xx stays unknown: it may have acted.

import { readJson } from '../../domain/text.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { errorCode } from '../../venue/error-codes.ts';
import type { AnswerFacts, CancelOutcome } from '../../venue/outcomes.ts';
import { isObject, plainMessage, readErrorBody } from '../../venue/parsers/fields.ts';
import { errorBodyOf, faultOf, type HttpResponse, jsonOf, statusFault } from '../wire/http-answer.ts';
import { throttled } from '../wire/retry-at.ts';

const OK = 200;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** What became of a cancel of one order, of a symbol or of all. */
export function classifyCancel(result: HttpResult, facts: AnswerFacts): CancelOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  const { status } = result;
  if (status === OK) return classifyOk(result);
  const error = errorBodyOf(result, readJson);
  if (status === TOO_MANY_REQUESTS) return throttled(status, error, facts);
  const refused = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (refused && error !== null && errorCode(error.code)) return { kind: 'rejected', status, ...error };
  return { kind: 'unknown', fault: statusFault(result, error) };
}

function classifyOk(response: HttpResponse): CancelOutcome {
  const json = jsonOf(response, readJson);
  if (!json.ok) return { kind: 'unknown', fault: json.error };
  const body = json.value;
  if (isObject(body) && !('code' in body) && typeof body.msg === 'string') {
    return { kind: 'acknowledged', msg: plainMessage(body.msg) };
  }
  const code = readErrorBody(body)?.code;
  return { kind: 'unknown', fault: faultOf(response, 'bad-shape', 'HTTP 200 without a plain message.', code) };
}
