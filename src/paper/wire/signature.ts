// The venue's side of signing (specification 5.4): what must have been signed, and whether it was.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { isSignatureName, type Query } from './query.ts';
import type { Quirks } from './quirks.ts';

/** The fields of a JSON body. */
export type Fields = Readonly<Record<string, unknown>>;

export type SigningQuirks = Pick<Quirks, 'emptyValues' | 'signedValues'>;

/** Canonical query directly followed by the canonical body; the signature itself is left out of both. */
export function canonicalString(query: Query, body: Fields | null, quirks: SigningQuirks): string {
  return canonicalQuery(query, quirks) + (body === null ? '' : canonicalBody(body, quirks));
}

function canonicalQuery(query: Query, quirks: SigningQuirks): string {
  const encode = quirks.signedValues === 'raw' ? (text: string) => text : percentEncoded;
  const pairs: string[] = [];
  for (const name of [...query.keys()].sort()) {
    if (isSignatureName(name)) continue;
    for (const value of [...(query.get(name) ?? [])].sort()) {
      if (value !== '' || quirks.emptyValues === 'included') pairs.push(`${encode(name)}=${encode(value)}`);
    }
  }
  return pairs.join('&');
}

/**
 * Half of a surrogate pair, which no encoding knows, counts as the replacement character. The apostrophe is encoded as
 * URL parsers do it in a query: it can't arrive as it is.
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
