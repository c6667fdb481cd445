// Answers that no exchange should give: arbitrary ones, and true ones with something changed.
import fc from 'fast-check';
import type { HttpRequest, HttpResult } from '../../../src/ports/transport.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';

type Given = Extract<HttpResult, { kind: 'response' }>;

/** What becomes of an answer; the same object where nothing does. */
export type Spoil = (request: HttpRequest, given: Given) => Given;

/** JSON of so many levels. */
export function nested(levels: number, kind: 'list' | 'map' = 'list'): string {
  const [open, inside, close] = kind === 'list' ? ['[', '', ']'] : ['{"a":', '1', '}'];
  return open.repeat(levels) + inside + close.repeat(levels);
}

/** The transport lets no more through. */
const LONGEST_BODY = 4 * 1024 * 1024;
const PATHS = Object.values(ENDPOINTS).map((each) => each.path);

/** JSON texts that stand where something else should. */
const oddValue = fc.oneof(
  fc.constantFrom('null', 'true', '-1', '0', '""', '"0"', '"-0"', '[]', '{}', '"NaN"', '1e308', '1e400', '"1e99"'),
  fc.constantFrom('"1e-99"', '"-1e99"', '"1e-19"', '9007199254740993', '{"__proto__":{"length":1}}', '"__proto__"'),
  fc.constantFrom('253402300800000', '"constructor"', '"BTC/INR"', '"\\u0000\\u202e"', '1e21', '-1e-21', '"1-1-1"'),
  fc.integer({ min: 1, max: 20_000 }).map((levels) => nested(levels)),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `"${'9'.repeat(length)}"`),
  fc.json(),
);

/** A value somewhere in a JSON text: a text, a number, a word. */
const VALUE = /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g;

const mutated = fc.record({ at: fc.nat(), odd: oddValue, all: fc.boolean() }).map(({ at, odd, all }) => {
  return (body: string): string => {
    const values = [...body.matchAll(VALUE)];
    if (all) return body.replaceAll(VALUE, (value, index: number) => (index % ((at % 7) + 1) === 0 ? odd : value));
    const found = values[at % Math.max(1, values.length)];
    return found === undefined ? odd : body.slice(0, found.index) + odd + body.slice(found.index + found[0].length);
  };
});

const repeated = fc.integer({ min: 2, max: 1_000 }).map((times) => (body: string): string => {
  const rows = body.startsWith('[') ? body.slice(1, -1) : body;
  return `[${Array(times)
    .fill(rows === '' ? '{}' : rows)
    .join(',')}]`;
});

const cut = fc.nat().map(
  (at) =>
    (body: string): string =>
      body.slice(0, at % (body.length + 1)),
);
const replaced = fc.oneof(oddValue, fc.string(), fc.json({ maxDepth: 3 })).map((text) => (): string => text);

const HEADERS = ['date', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const headerValue = fc.oneof(
  fc.string(),
  fc.constantFrom('-1', '1e99', '0', '99999999999999999999', 'Thu, 01 Jan 1970 00:00:00 GMT', 'NaN'),
  fc.constantFrom('Fri, 31 Dec 9999 23:59:59 GMT', '253402300800', '0.0000001'),
);
const headers = fc.dictionary(fc.constantFrom(...HEADERS, 'content-type', 'x-paper-instance'), headerValue, {
  maxKeys: 3,
});

export const anySpoil: fc.Arbitrary<Spoil> = fc
  .record({
    endpoint: fc.oneof(fc.constant(''), fc.constantFrom(...PATHS)),
    each: fc.integer({ min: 1, max: 4 }),
    body: fc.oneof(mutated, mutated, repeated, cut, replaced),
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 100, max: 599 }) },
    ),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
  })
  .map(({ endpoint, each, body, status, headers: more }) => {
    let count = 0;
    return (request, given) => {
      if (!request.url.includes(endpoint)) return given;
      count += 1;
      if (count % each !== 0) return given;
      return {
        ...given,
        status: status ?? given.status,
        headers: { ...given.headers, ...more },
        body: body(given.body).slice(0, LONGEST_BODY),
      };
    };
  });
