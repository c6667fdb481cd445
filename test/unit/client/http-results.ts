// HTTP results for the tests of the classifiers.
import type { HttpResult } from '../../../src/ports/transport.ts';

export type TestResponse = Extract<HttpResult, { kind: 'response' }>;

export const SENT_AT = 1_700_000_000_000;
export const RECEIVED_AT = SENT_AT + 200;

export function jsonResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): TestResponse {
  const all = { 'content-type': 'application/json', ...headers };
  return { kind: 'response', status, headers: all, body, sentAt: SENT_AT, receivedAt: RECEIVED_AT };
}

export function htmlResponse(status: number, body = '<html><body>blocked</body></html>'): TestResponse {
  return jsonResponse(status, body, { 'content-type': 'text/html' });
}

export function faultResult(sent: boolean): HttpResult {
  const fault = { sent, reason: 'reset' as const, detail: 'The connection ended.' };
  return { kind: 'fault', fault, sentAt: SENT_AT, receivedAt: RECEIVED_AT };
}
