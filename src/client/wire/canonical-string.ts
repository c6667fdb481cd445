// The text that is signed, and the query string that is sent: both from one list of fields, built once (specification
// §5.4).

/** One query parameter or body field. `null` and `undefined` are left out; a name may repeat in a query. */
export type Field = readonly [name: string, value: unknown];

/** Where the specification leaves room. */
export interface SigningRules {
  /** Q1: an empty text is left out, or signed as `name=`. */
  readonly emptyValues: 'skip' | 'include';
  /** Q22: what is signed of a query: names and values as they are, or in their percent-encoded form. */
  readonly percentEncoding: 'raw' | 'encoded';
}

export interface QueryText {
  /** What the signature covers. */
  readonly canonical: string;
  /** What goes on the wire, without the signature. */
  readonly wire: string;
}

const SIGNATURE = 'signature';

/**
 * The query, sorted by name and then by value. With `encoded`, canonical and wire are the same bytes. With `raw` they
 * differ only where a value holds what a query can't carry as it is; a symbol such as `BTC/INR` is sent with its slash,
 * so that a venue may verify either the text it received or the text it decoded. A skipped empty value is not sent
 * either.
 */
export function queryText(fields: readonly Field[], rules: SigningRules): QueryText {
  const pairs = sortedPairs(fields, rules);
  if (rules.percentEncoding === 'encoded') {
    const text = joined(pairs, percentEncoded);
    return { canonical: text, wire: text };
  }
  return { canonical: joined(pairs, unchanged), wire: joined(pairs, percentEncodedButSlash) };
}

/** The body's part of what is signed. Objects and arrays are compact JSON; values are never percent-encoded. */
export function bodyText(body: Readonly<Record<string, unknown>> | null, rules: SigningRules): string {
  return body === null ? '' : joined(sortedPairs(Object.entries(body), rules), unchanged);
}

type Pair = readonly [name: string, value: string];

function sortedPairs(fields: readonly Field[], rules: SigningRules): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [name, value] of fields) {
    const text = textOf(value);
    if (text === null || name.toLowerCase() === SIGNATURE) continue;
    if (text === '' && rules.emptyValues === 'skip') continue;
    pairs.push([name.toWellFormed(), text]);
  }
  return pairs.sort(byNameThenValue);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A lone surrogate has no UTF-8 form: the signer and the socket would each replace it in their own way.
  return text.toWellFormed();
}

function byNameThenValue(a: Pair, b: Pair): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const joined = (pairs: readonly Pair[], encode: (text: string) => string): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

const unchanged = (text: string): string => text;
// URL parsers encode the apostrophe of a query by themselves: it must leave here as it will arrive.
const percentEncoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');
const percentEncodedButSlash = (text: string): string => percentEncoded(text).replaceAll('%2F', '/');
