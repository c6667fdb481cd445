import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyRead, type ReadParser } from '../../../src/client/outcomes/classify.ts';
import { readParsersOf } from '../../../src/client/outcomes/read-parsers.ts';
import { readJson, readJsonExact } from '../../../src/domain/text.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { ReadKind, ReadRequest } from '../../../src/venue/requests.ts';
import { SAMPLES } from '../venue/sample-answers.ts';
import { jsonResponse } from './http-results.ts';

const parsers = readParsersOf(DIALECT);
const parserOf = <K extends ReadKind>(request: ReadRequest<K>): ReadParser<unknown> => {
  const kind: K = request.kind;
  return parsers[kind](request);
};
const samples = Object.values(SAMPLES).map(({ request, body }) => ({ kind: request.kind, request, body }));

/** Through JSON text, as an answer comes. */
function parse(request: ReadRequest, body: unknown) {
  const { numbers, parse: parser } = parserOf(request);
  const json = (numbers === 'exact' ? readJsonExact : readJson)(JSON.stringify(body));
  if (!json.ok) throw new Error(json.error);
  return parser(json.value);
}

const rowsIn = (rows: unknown): number => (Array.isArray(rows) ? rows.length : levelsIn(rows));
const levelsIn = (book: unknown): number =>
  Object.values(book ?? {}).reduce((sum: number, side) => sum + (Array.isArray(side) ? side.length : 0), 0);

/** What an answer came to: how many rows, and whether something is said to be wrong. */
function readingOf(request: ReadRequest, body: unknown): { rows: number; said: boolean } {
  const result = parse(request, body);
  if (!result.ok) return { rows: 0, said: true };
  return { rows: rowsIn(result.value.rows), said: result.value.incompleteBecause !== undefined };
}

type Path = readonly (string | number)[];

/** Every place in a JSON value, the value itself left out. */
function placesIn(value: unknown, before: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...before, Array.isArray(value) ? Number(name) : name];
    return [path, ...placesIn(inner, path)];
  });
}

/** A copy of `value` with something else at `path`; `undefined` takes the field away. */
function withAt(value: unknown, [name, ...rest]: Path, put: unknown): unknown {
  if (name === undefined) return put;
  if (Array.isArray(value)) return value.map((inner, index) => (index === name ? withAt(inner, rest, put) : inner));
  const entries = Object.entries(value ?? {}).map(([key, inner]) => [
    key,
    key === name ? withAt(inner, rest, put) : inner,
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

const isAmountText = (value: unknown): boolean => typeof value === 'string' && /^-?\d{1,9}(\.\d+)?$/.test(value);

/** Up to 25 digits before and behind the point, and an exponent. */
const JSON_NUMBER = fc.stringMatching(/^(?:0|[1-9]\d{0,24})(?:\.\d{1,25})?(?:[eE][+-]?(?:\d|\d{3}))?$/);

/** What a field of an answer hardly ever is. */
const ODD: readonly unknown[] = ['', null, {}, [], -1, 'NaN', '1,5', '0x1', undefined, { toString: 0 }];

describe.each(samples)('the answer to $kind', ({ kind, request, body }) => {
  test('is a sample of what is documented, and is understood', () => {
    expect(ENDPOINTS[kind].answer.safeParse(body).error).toBeUndefined();
    const { rows, said } = readingOf(request, body);
    expect({ rows, said }).toEqual({ rows: levelsIn(body) || 3, said: false });
  });

  test('may have more fields than are documented', () => {
    const more = JSON.parse(JSON.stringify(body), (_name, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isMap(value)
        ? { ...value, extra: [{ deep: null }] }
        : value,
    );
    expect(readingOf(request, more)).toEqual(readingOf(request, body));
  });

  test('may have numbers as texts and texts as numbers, with exponents', () => {
    const asNumbers = JSON.parse(JSON.stringify(body), (_name, value) => (isAmountText(value) ? Number(value) : value));
    const asTexts = JSON.parse(JSON.stringify(body), (_name, value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    );
    expect(readingOf(request, asNumbers)).toEqual(readingOf(request, body));
    expect(readingOf(request, asTexts)).toEqual(readingOf(request, body));
  });

  test('keeps every digit of a JSON number where a text is documented', () => {
    const rowsOf = (text: string): unknown => {
      const response = jsonResponse(200, text);
      const outcome = classifyRead(response, parserOf(request), DIALECT);
      // Levels keep the text as it was written: what it is worth is compared.
      return outcome.kind === 'read' ? JSON.parse(JSON.stringify(outcome.read.rows)) : outcome.kind;
    };
    const marked = JSON.stringify(body, (_name, value) => (isAmountText(value) ? '#' : value));
    fc.assert(
      fc.property(JSON_NUMBER, (token) => {
        expect(rowsOf(marked.replaceAll('"#"', token))).toEqual(rowsOf(marked.replaceAll('#', token)));
      }),
      { numRuns: 100 },
    );
  });

  test('whatever it is, gives a result and not an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (anything) => {
        expect(typeof parse(request, anything).ok).toBe('boolean');
        expect(typeof parse(request, [anything]).ok).toBe('boolean');
        expect(typeof parse(request, { 'A/B': anything }).ok).toBe('boolean');
      }),
    );
  });

  test('with anything in any place: it never has fewer rows in silence', () => {
    const whole = readingOf(request, body).rows;
    const place = fc.constantFrom(...placesIn(body));
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(...ODD));
    fc.assert(
      fc.property(place, anything, (path, value) => {
        // A side of a book may be empty, and a map without a pair.
        fc.pre(path.length > 1 || !(value === undefined || (Array.isArray(value) && value.length === 0)));
        const { rows, said } = readingOf(request, withAt(body, path, value));
        expect(rows >= whole || said).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  const silentWith = (odd: unknown): string[] => {
    const silent = placesIn(body).filter((path) => !readingOf(request, withAt(body, path, odd)).said);
    return [...new Set(silent.map((path) => path.filter((part) => typeof part === 'string').join('.')))];
  };

  test('with an object in the place of a field that is read: it is said', () => {
    expect(silentWith({})).toEqual(NOT_READ[kind] ?? []);
  });

  test('with an object that no text can be made of, the same', () => {
    expect(NOT_READ[kind] ?? []).toEqual(expect.arrayContaining(silentWith({ toString: 0, valueOf: 0 })));
  });
});

/** Fields that a parser does not read, or that may be anything. */
const NOT_READ: Partial<Record<ReadKind, readonly string[]>> = {
  'legacy-best-prices': ['market', 'market.BTC/INR', 'market.ETH/INR', 'market.ETH/BTC', 'prices'],
  'legacy-tickers': ['btcinr', 'ethinr', 'usdtinr'].flatMap((key) => [`${key}.base_unit`, `${key}.quote_unit`]),
  'public-trades': ['quoteQty'],
  assets: ['status'],
  'open-orders': ['type'],
  'sbs-trades': ['isMaker'],
};

/** A map whose keys are data: another key would be another entry. */
const isMap = (value: object): boolean => Object.keys(value).some((key) => /[a-z]inr$|\/|^prices$/.test(key));
