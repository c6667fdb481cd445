import { describe, expect, test } from '@jest/globals';
import { codesOf } from '../../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import {
  ERROR_CODES,
  errorCode,
  isOfTheQuestion,
  isRefusedForGood,
  LEGACY_STATUSES,
  type Remedy,
} from '../../../src/venue/error-codes.ts';

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
  [-5001, 500, 'retry', false],
  [-5002, 500, 'retry', false],
  [-5003, 500, 'retry', false],
  [-5004, 500, 'retry', false],
  [-5005, 500, 'retry', false],
  [-5006, 500, 'retry', false],
  [-5007, 500, 'retry', false],
  [-5008, 500, 'retry', false],
  [-5009, 500, 'retry', false],
  [-5010, 500, 'retry', false],
  [-5011, 500, 'retry', false],
  [-5012, 500, 'retry', false],
  [-5013, 500, 'retry', false],
  [-5014, 500, 'retry', false],
  [-5015, 500, 'retry', false],
];

test('47 codes, in the order of the specification', () => {
  expect(ERROR_CODES.map(({ code }) => code)).toEqual(TABLE.map(([code]) => code));
  expect(TABLE).toHaveLength(47);
});

test.each(TABLE)('%i comes with HTTP %i: %s, and proves that there is no order: %s', (code, status, remedy, proves) => {
  expect(errorCode(code)).toMatchObject({ code, status, remedy, provesNotCreated: proves });
});

describe('what holds for all', () => {
  test('only a refusal at the gate proves anything: 4xx, and not 429, of what a create has', () => {
    const ofCreate = new Set(codesOf(ENDPOINTS.create));
    for (const { code, status, provesNotCreated } of ERROR_CODES) {
      const isRefusal = status >= 400 && status < 500 && status !== 429;
      expect([code, provesNotCreated]).toEqual([code, isRefusal && ofCreate.has(code)]);
    }
  });

  test('what is wrong with the request or the key is not asked again as it is', () => {
    for (const { status, remedy } of ERROR_CODES) {
      if (status >= 400 && status < 500 && status !== 429) expect(remedy).not.toBe('retry');
    }
  });

  test('each has a meaning in one sentence', () => {
    for (const { meaning } of ERROR_CODES) expect(meaning).toMatch(/^[A-Za-z].*\.$/);
    expect(new Set(ERROR_CODES.map(({ meaning }) => meaning)).size).toBe(47);
  });

  test('a code that is not listed is none', () => expect(errorCode(-9999)).toBeUndefined());
});

test('seven statuses of the legacy interface', () => {
  expect(LEGACY_STATUSES.map(({ status }) => status)).toEqual([400, 403, 404, 405, 429, 500, 503]);
  expect(LEGACY_STATUSES.filter(({ retry }) => retry).map(({ status }) => status)).toEqual([429, 500, 503]);
});

// Which refusals of a read say something of the question, and will be given again.

test.each([
  [-1105, 400, true],
  [-1404, 404, true],
  [-2003, 403, true],
  // That the exchange names it so is what makes it no failure.
  [-1009, 500, true],
  [-1000, 500, false],
  [-5011, 500, false],
  [-1021, 400, false],
  [-2015, 403, false],
  [-99_999, 400, true],
  [-99_999, 500, false],
])('a read with %d and HTTP %d is refused for good: %s', (code, status, forGood) => {
  expect(isRefusedForGood({ code, status })).toBe(forGood);
});

test('where nobody knows the code the question is at fault, whatever the status', () => {
  expect(isOfTheQuestion(-99_999)).toBe(true);
});
