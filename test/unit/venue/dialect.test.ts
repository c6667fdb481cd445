import { describe, expect, test } from '@jest/globals';
import { DIALECT, ERROR_CODES, errorIn, LEGACY_STATUSES, provesNotCreated } from '../../../src/venue/dialect.ts';
import { codesOf } from '../../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { isOfTheRequest, type Remedy, remedyOf } from '../../../src/venue/refusals.ts';
import { kindOf } from '../refused.ts';

/**
 * The specification's §7, line by line, with what a client may do and whether the code proves that a create did
 * nothing.
 */
const TABLE: readonly (readonly [code: number, status: number, remedy: Remedy, provesNotCreated: boolean])[] = [
  [-1125, 503, 'retry', false],
  [-1404, 404, 'stop-all', true],
  [-1000, 500, 'retry', false],
  [-1001, 403, 'stop-all', true],
  [-1003, 429, 'retry', false],
  [-1009, 500, 'fix-request', false],
  [-1015, 403, 'stop-all', true],
  [-1021, 400, 'sync-clock', true],
  [-1022, 403, 'stop-all', true],
  [-1023, 400, 'stop-all', true],
  [-1102, 400, 'fix-request', false],
  [-1103, 400, 'fix-request', true],
  [-1104, 400, 'fix-request', false],
  [-1105, 400, 'fix-request', false],
  [-1106, 400, 'sync-clock', true],
  [-1107, 400, 'fix-request', false],
  [-1108, 400, 'fix-request', false],
  [-1109, 400, 'fix-request', false],
  [-1111, 400, 'fix-request', false],
  [-1112, 400, 'fix-request', true],
  [-1113, 400, 'fix-request', true],
  [-1114, 400, 'fix-request', true],
  [-1115, 400, 'fix-request', true],
  [-1121, 400, 'stop-symbol', true],
  [-1122, 400, 'fix-request', false],
  [-1123, 400, 'stop-symbol', true],
  [-1124, 400, 'fix-request', false],
  [-2003, 403, 'stop-all', true],
  [-2004, 403, 'stop-all', true],
  [-2015, 403, 'stop-all', true],
  [-3000, 500, 'stop-all', false],
  [-4001, 500, 'retry', false],
  // What failed inside the exchange, by endpoint.
  ...Array.from({ length: 15 }, (_, n) => [-5_001 - n, 500, 'retry', false] as const),
];

test('47 codes, in the order of the specification', () => {
  expect(ERROR_CODES.map(({ code }) => code)).toEqual(TABLE.map(([code]) => code));
  expect(TABLE).toHaveLength(47);
});

test.each(TABLE)('%i comes with HTTP %i: %s, and proves that there is no order: %s', (code, status, remedy, proves) => {
  const entry = errorIn(DIALECT, code);
  expect(entry).toMatchObject({ code, status });
  expect([entry && remedyOf(entry.kind), provesNotCreated(entry)]).toEqual([remedy, proves]);
});

describe('what holds for all', () => {
  test('only a refusal at the gate proves anything: 4xx, and not 429, of what a create has', () => {
    const ofCreate = new Set(codesOf(ENDPOINTS.create));
    for (const entry of ERROR_CODES) {
      const isRefusal = entry.status >= 400 && entry.status < 500 && entry.status !== 429;
      expect([entry.code, provesNotCreated(entry)]).toEqual([entry.code, isRefusal && ofCreate.has(entry.code)]);
    }
  });

  test('each has a meaning in one sentence', () => {
    for (const { meaning } of ERROR_CODES) expect(meaning).toMatch(/^[A-Za-z].*\.$/);
    expect(new Set(ERROR_CODES.map(({ meaning }) => meaning)).size).toBe(47);
  });

  test('a code that is not listed is none', () => expect(errorIn(DIALECT, -9999)).toBeUndefined());
});

test('seven statuses of the legacy interface', () => {
  expect(LEGACY_STATUSES.map(({ status }) => status)).toEqual([400, 403, 404, 405, 429, 500, 503]);
  expect(LEGACY_STATUSES.filter(({ retry }) => retry).map(({ status }) => status)).toEqual([429, 500, 503]);
});

// Which refusals of a read say something of the request, and will be given again.

test.each([
  [-1105, true],
  [-1404, true],
  [-2003, true],
  // A server error, but the exchange names the request as its cause.
  [-1009, true],
  [-1000, false],
  [-5011, false],
  [-1021, false],
  [-2015, false],
])('a read with %d is refused for good: %s', (code, forGood) => {
  expect(isOfTheRequest(kindOf(code))).toBe(forGood);
});
