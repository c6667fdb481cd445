// One HTTP answer as the classifiers see it: its JSON, or the fault that it is.
import type { Result } from '../../domain/result.ts';
import type { HttpResult } from '../../ports/transport.ts';
import { LEGACY_STATUSES } from '../../venue/error-codes.ts';
import type { Fault, FaultReason } from '../../venue/outcomes.ts';
import { type ErrorBody, readErrorBody } from '../../venue/parsers/fields.ts';

export type HttpResponse = Extract<HttpResult, { kind: 'response' }>;
export type JsonReader = (text: string) => Result<unknown>;

/** Headers were written: from here on a fault never says that nothing was sent. */
export function faultOf(response: HttpResponse, reason: FaultReason, detail: string, code?: number): Fault {
  return { sent: true, reason, status: response.status, ...(code !== undefined && { code }), detail };
}

/** The body as JSON, whatever its label says: a page or a message of a gateway does not parse (decision 0061). */
export function jsonOf(response: HttpResponse, read: JsonReader): Result<unknown, Fault> {
  const json = read(response.body);
  return json.ok ? json : { ok: false, error: faultOf(response, 'bad-json', `HTTP ${response.status}. ${json.error}`) };
}

/** `{code, msg}`, where the answer holds one. */
export function errorBodyOf(response: HttpResponse, read: JsonReader): ErrorBody | null {
  const json = jsonOf(response, read);
  return json.ok ? readErrorBody(json.value) : null;
}

/** The fault of a status that says nothing certain. */
export function statusFault(response: HttpResponse, error: ErrorBody | null): Fault {
  const { status } = response;
  if (status >= 300 && status < 400) return faultOf(response, 'redirect', `HTTP ${status}: a redirect, not followed.`);
  const told = error === null ? 'without an error body' : `with code ${error.code}`;
  return faultOf(response, 'status', `HTTP ${status} ${told}.`, error?.code);
}

/** The same for a status of the legacy interface, with what it means there (specification 7). */
export function legacyStatusFault(response: HttpResponse): Fault {
  const meaning = LEGACY_STATUSES.find(({ status }) => status === response.status)?.meaning;
  if (meaning === undefined) return statusFault(response, null);
  return faultOf(response, 'status', `HTTP ${response.status}: ${meaning}`);
}
