// The query of a request, decoded; its signature and its stamp (specification 5.3 and 5.4).
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import { type ErrorReply, refuse } from './messages.ts';
import type { Quirks } from './quirks.ts';

/** Read only: requests without a query share one. */
export type Query = Pick<URLSearchParams, 'has' | 'get' | 'getAll' | 'keys' | typeof Symbol.iterator>;
export const NO_QUERY: Query = new URLSearchParams();

/** Decodes `a=1&b=2`; `null` when a percent sign does not begin a valid escape. `+` is a space, as in forms. */
export function parseQuery(raw: string): Query | null {
  try {
    if (raw.includes('%')) decodeURIComponent(raw);
  } catch {
    return null;
  }
  // A question mark that begins the text is part of a name.
  return new URLSearchParams(`&${raw}`);
}

/** A parameter's value; repeated values are joined by a comma, which no parameter's format allows. */
export function parameter(query: Query, name: string): string | undefined {
  return query.has(name) ? query.getAll(name).join(',') : undefined;
}

/** The signature, found by its name in any case (specification 5.4). */
export function signatureOf(query: Query): string | undefined {
  const exact = parameter(query, 'signature');
  if (exact !== undefined) return exact;
  for (const name of query.keys()) if (isSignatureName(name)) return parameter(query, name);
  return undefined;
}

function isSignatureName(name: string): boolean {
  return name.length === 9 && name.toLowerCase() === 'signature';
}

/** The fields of a JSON body. */
export type Fields = Readonly<Record<string, unknown>>;

export type SigningQuirks = Pick<Quirks, 'emptyValues' | 'signedValues'>;

/** Canonical query directly followed by the canonical body; the signature itself is left out of both. */
export function canonicalString(query: Query, body: Fields | null, quirks: SigningQuirks): string {
  return canonicalQuery(query, quirks) + (body === null ? '' : canonicalBody(body, quirks));
}

function canonicalQuery(query: Query, quirks: SigningQuirks): string {
  const encode = quirks.signedValues === 'raw' ? (text: string) => text : percentEncoded;
  const pairs = [...query]
    .filter(([name, value]) => !isSignatureName(name) && (value !== '' || quirks.emptyValues === 'included'))
    .toSorted(([a, one], [b, other]) => (a === b ? order(one, other) : order(a, b)))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.join('&');
}

/** By code units, as texts are sorted by default. */
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * A lone surrogate, which can't be encoded, becomes the replacement character. The apostrophe is encoded as URL parsers
 * do it in a query: it can't arrive as it is.
 */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

function canonicalBody(body: Fields, quirks: SigningQuirks): string {
  const pairs: string[] = [];
  for (const name of Object.keys(body).sort()) {
    const value = body[name];
    if (isSignatureName(name) || value === null || value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (text !== '' || quirks.emptyValues === 'included') pairs.push(`${name}=${text}`);
  }
  return pairs.join('&');
}

/** Whether `signature` is the lower-case hex HMAC SHA-256 of `text`; compared in constant time. */
export function isSignatureOf(text: string, signature: string, secret: KeyObject): boolean {
  const wanted = Buffer.from(createHmac('sha256', secret).update(text).digest('hex'), 'latin1');
  const given = Buffer.from(signature, 'utf8');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export interface RequestStamp {
  readonly timestamp: EpochMs;
  readonly recvWindow: DurationMs;
}

const EPOCH_MS = /^\d{1,15}$/;

/** -1106 where the timestamp is invalid, -1023 where the recvWindow is not allowed, else `null`. */
export function unusableStamp(query: Query): ErrorReply | null {
  const timestamp = parameter(query, 'timestamp') ?? '';
  if (timestamp === '') return refuse(-1106, 'The timestamp is required: milliseconds since epoch.');
  if (!EPOCH_MS.test(timestamp))
    return refuse(-1106, 'The timestamp must be a whole number of milliseconds since epoch.');
  const window = recvWindowOf(query);
  const isAllowed = Number.isInteger(window) && window > 0 && window <= RECV_WINDOW_MAX_MS;
  return isAllowed ? null : refuse(-1023, `The recvWindow must be a whole number from 1 to ${RECV_WINDOW_MAX_MS}.`);
}

/** The stamp of a query that `unusableStamp` accepted. */
export function stampOf(query: Query): RequestStamp {
  return { timestamp: Number(parameter(query, 'timestamp')), recvWindow: recvWindowOf(query) };
}

/** -1021 if the stamp does not fit the exchange's own time, else `null`. */
export function outsideRecvWindow({ timestamp, recvWindow }: RequestStamp, ownNow: EpochMs): ErrorReply | null {
  const distance = Math.abs(ownNow - timestamp);
  return distance <= recvWindow
    ? null
    : refuse(-1021, `The timestamp is ${distance} ms from server time, outside the recvWindow of ${recvWindow} ms.`);
}

function recvWindowOf(query: Query): number {
  const given = parameter(query, 'recvWindow');
  if (given === undefined) return RECV_WINDOW_DEFAULT_MS;
  return /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
}

/** Plain or with an exponent, as programs write numbers. */
const NUMERIC = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,9})?$/i;

export function isNumeric(text: string): boolean {
  return NUMERIC.test(text);
}
