// Changes a request between client and socket, and signs it again: the ways to ask what the client itself never asks.
import { createHmac } from 'node:crypto';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { ALICE } from './client-paper-market.ts';

export type Tamper = (request: HttpRequest) => HttpRequest;

type Values = Readonly<Record<string, string | null>>;

/** Sets parameters of the query (`null` takes one away) and signs what comes out, as alice. */
export const withQuery =
  (values: Values): Tamper =>
  (request) =>
    signed(request, { ...queryOf(request), ...values }, request.body);

/** Sets fields of the body (`null` takes one away) and signs what comes out, as alice. */
export const withFields =
  (values: Values): Tamper =>
  (request) => {
    const fields = { ...fieldsOf(request.body), ...values };
    const kept = Object.entries(fields).filter(([, value]) => value !== null);
    return signed(request, queryOf(request), JSON.stringify(Object.fromEntries(kept)));
  };

/** Sends other bytes than those that were signed. */
export const withBody =
  (body: string): Tamper =>
  (request) => ({ ...request, body });

export const withHeaders =
  (headers: Readonly<Record<string, string>>): Tamper =>
  (request) => ({ ...request, headers: { ...request.headers, ...headers } });

export const withPath =
  (path: string): Tamper =>
  (request) => ({ ...request, url: `${new URL(request.url).origin}${path}` });

/** Changes the finished address. */
export const withUrl =
  (change: (url: string) => string): Tamper =>
  (request) => ({ ...request, url: change(request.url) });

function queryOf({ url }: HttpRequest): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}

function fieldsOf(body: string | null): Record<string, string> {
  return body === null ? {} : JSON.parse(body);
}

/** By the words of specification 5.4, a third time; public requests stay unsigned. */
function signed(request: HttpRequest, query: Values, body: string | null): HttpRequest {
  const wasSigned = request.url.includes('signature=');
  const { signature: _old, ...rest } = query;
  const text = canonical(rest) + canonical(fieldsOf(body));
  const signature = createHmac('sha256', ALICE.secret).update(text).digest('hex');
  const pairs = Object.entries({ ...rest, ...(wasSigned && { signature }) })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  return { ...request, body, url: `${request.url.split('?')[0]}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}` };
}

function canonical(values: Values): string {
  return Object.keys(values)
    .filter((name) => values[name] !== null && values[name] !== '')
    .sort()
    .map((name) => `${name}=${values[name]}`)
    .join('&');
}
