// Key material that can't be printed: only the signer and the header writer read it.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../../domain/invariant.ts';
import type { HttpResult } from '../../ports/transport.ts';

const MASK = '[secret]';
/** The key of Node's custom inspection method; written out, so that node:util is not needed. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Holds one key or secret. Every conversion to text gives `[secret]`; copies and spreads of it are empty. */
export class Secret {
  readonly #text: string;
  #key: KeyObject | null = null;

  constructor(text: string) {
    invariant(text.length > 0, 'A secret is empty.');
    this.#text = text;
  }

  /** The material itself. Only for the header that carries the key, and to find echoes of it. */
  reveal(): string {
    return this.#text;
  }

  /** The material as a key for signing. */
  signingKey(): KeyObject {
    this.#key ??= createSecretKey(this.#text, 'utf8');
    return this.#key;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [INSPECT](): string {
    return MASK;
  }
}

// The last defense of secrets: a venue, or a gateway before it, may echo the request in its answer, and a log line or a
// page may quote the answer.

/** Shorter echoes would mask innocent words. */
const SHORTEST_ECHO = 8;
/** Escapes nested in escapes of another kind. Nested escapes of the same kind are decoded at once. */
const MOST_PASSES = 4;

/** From the first character to the one after the last. */
type Span = readonly [from: number, to: number];

/** The result without any of the secrets in its body, so that no message, reason or row made from it can carry one. */
export function scrubbed(result: HttpResult, mask: Mask): HttpResult {
  if (result.kind === 'fault') return result;
  const body = mask(result.body);
  return body === result.body ? result : { ...result, body };
}

/**
 * Whether the text has so many characters in a row without a quote. An echo of hexadecimal digits, escaped or not, is
 * no shorter than they are, and has none: most answers need no closer look.
 */
export function hasWordOf(length: number, text: string): boolean {
  let from = 0;
  while (text.length - from >= length) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote - from >= length) return true;
    from = quote + 1;
  }
  return false;
}

type Mask = (text: string) => string;

/**
 * Removes the secrets from a text: as they are, in hexadecimal, in base64 (also of `user:secret`), and each of these
 * escaped as in JSON, HTML or an address. JSON stays JSON, unless a secret contains a quote.
 */
export function maskOf(secrets: readonly string[]): Mask {
  const echoes = secrets.flatMap((secret) => (secret === '' ? [] : echoesOf(secret)));
  return (text) => {
    const spans = spansOf(text, echoes, MOST_PASSES).sort(([one], [other]) => one - other);
    let clean = '';
    let end = 0;
    for (const [from, to] of spans) {
      if (from >= end) clean += text.slice(end, from) + MASK;
      end = Math.max(end, to);
    }
    return clean + text.slice(end);
  };
}

/** A text that contains the secret contains one of these once its escapes are undone. */
export function echoesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const encoded = (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((before) => encodedBehind(before, bytes, encoding)),
  );
  const others = [unescaped(secret), hex, hex.toUpperCase(), ...encoded];
  return [...new Set([secret, ...others.filter(({ length }) => length >= SHORTEST_ECHO)])];
}

/** The digits that depend only on these bytes, behind `before` other bytes: each digit stands for 6 bits. */
function encodedBehind(before: number, bytes: Buffer, encoding: 'base64' | 'base64url'): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  return all.toString(encoding).slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
}

/** The positions of echoes, in the text and in its unescaped form. */
function spansOf(text: string, echoes: readonly string[], passes: number): Span[] {
  const here = echoes.flatMap((echo) => placesOf(echo, text));
  const read = passes === 0 ? text : unescapedOnce(text);
  const inside = read === text ? [] : spansOf(read, echoes, passes - 1);
  if (inside.length === 0) return here;
  const starts = startsIn(text);
  const startOf = (index: number): number => starts[index] ?? text.length;
  return [...here, ...inside.map(([from, to]): Span => [startOf(from), startOf(to)])];
}

function placesOf(echo: string, text: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(echo); at !== -1; at = text.indexOf(echo, at + echo.length))
    places.push([at, at + echo.length]);
  return places;
}

/** Escapes of JSON, addresses and HTML, each also inside its own kind. */
const ESCAPES = [
  /\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|\/)/,
  // After an even number of backslashes, the quote ends a JSON string.
  /(?:\\\\)*\\"/,
  /\\{2,}/,
  /%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3}/,
  /%(?:25)*[0-7][0-9a-f]/,
  /&(?:amp;)*(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);/,
];
const ESCAPED = new RegExp(ESCAPES.map(({ source }) => source).join('|'), 'gi');
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text with all escapes undone, including nested ones. */
export function unescaped(text: string, passes = MOST_PASSES): string {
  const read = unescapedOnce(text);
  return read === text || passes === 1 ? read : unescaped(read, passes - 1);
}

const unescapedOnce = (text: string): string => text.replace(ESCAPED, meaningOf);

/** Avoids patterns where possible: a long answer may consist entirely of escapes. */
function meaningOf(written: string): string {
  switch (written[0]) {
    case '%': {
      const last = Number.parseInt(written.slice(-2), 16);
      if (last < 0x80) return String.fromCharCode(last);
      return Buffer.from(written.replace(/%(?:25)*(?=[89a-f])/gi, ''), 'hex').toString();
    }
    case '&': {
      const name = written.slice(Math.max(0, written.lastIndexOf(';', written.length - 2)) + 1, -1);
      if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? written;
      const point = Number(`0${name.slice(1)}`);
      return point <= 0x10ffff ? String.fromCodePoint(point) : written;
    }
    default: {
      const digits = written.slice(written.lastIndexOf('\\') + 2);
      return digits === '' ? written.slice(-1) : String.fromCharCode(Number.parseInt(digits, 16));
    }
  }
}

/** Where each unit of the unescaped text begins in the text. */
function startsIn(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const { 0: written, index } of text.matchAll(ESCAPED)) {
    for (; at < index; at += 1) starts.push(at);
    for (const _unit of meaningOf(written).split('')) starts.push(index);
    at = index + written.length;
  }
  for (; at < text.length; at += 1) starts.push(at);
  return starts;
}
