// HTTP result of a create → outcome, strictly by the table of order-truth §1: without proof it is unknown.
import { orderId } from '../../domain/ids.ts';
import { readJsonExact } from '../../domain/text.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { errorCode } from '../../venue/error-codes.ts';
import type { CreateOutcome } from '../../venue/outcomes.ts';
import { isObject, plainMessage, type RawObject, readErrorBody, readId } from '../../venue/parsers/fields.ts';
import { errorBodyOf, faultOf, type HttpResponse, jsonOf, statusFault } from '../wire/http-answer.ts';

const OK = 200;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** What became of a create. Only four things are proofs; every other answer, or none, is unknown. */
export function classifyCreate(result: HttpResult): CreateOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };
  if (result.status === OK) return classifyOk(result);
  if (result.status === TOO_MANY_REQUESTS) return classifyThrottled(result);
  return classifyRefusal(result);
}

function classifyOk(response: HttpResponse): CreateOutcome {
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

/** `{msg}` and nothing else that has a meaning: an error code with status 200 is not a documented answer. */
function softRejection(body: RawObject): string | null {
  if ('data' in body || 'code' in body || typeof body.msg !== 'string' || namesOrder(body)) return null;
  return plainMessage(body.msg);
}

/**
 * 4xx with a documented code that is known to mean "not accepted". 408 says that the venue gave up waiting, not why.
 */
function classifyRefusal(response: HttpResponse): CreateOutcome {
  const { status } = response;
  const error = errorBodyOf(response, readJsonExact);
  const refused = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (refused && error !== null && !contradicts(response) && errorCode(error.code)?.provesNotCreated)
    return { kind: 'rejected', status, ...error };
  return { kind: 'unknown', fault: statusFault(response, error) };
}

/** Without the exchange's own code it may be a gateway's word, and something behind that may have gone on with it. */
function classifyThrottled(response: HttpResponse): CreateOutcome {
  if (contradicts(response)) return { kind: 'unknown', fault: statusFault(response, null) };
  const error = errorBodyOf(response, readJsonExact);
  const msg = error?.msg ?? 'The venue answered HTTP 429 without an error body.';
  const isIts = error !== null && errorCode(error.code)?.status === TOO_MANY_REQUESTS;
  return { kind: 'soft-rejected', msg, throttledBy: isIts ? 'exchange' : 'gateway' };
}

/** A refusal that names an order contradicts itself, and so proves nothing. */
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
