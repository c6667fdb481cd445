// JSON from outside: how deep it may nest, and what is kept of it.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEEPEST_JSON, readJson, readJsonExact } from '../../../src/domain/text.ts';
import { nested } from '../client/any-spoil.ts';
import { heapUsed } from '../heap-used.ts';

describe.each([
  ['readJson', readJson],
  ['readJsonExact', readJsonExact],
])('%s', (_name, read) => {
  test.each([
    ['as deep as it may be', nested(DEEPEST_JSON), true],
    ['one level more', nested(DEEPEST_JSON + 1), false],
    ['maps, one level more', nested(DEEPEST_JSON + 1, 'map'), false],
    ['2,000,000 levels', nested(2_000_000), false],
    ['2,000,000 levels that are never closed', '['.repeat(2_000_000), false],
    ['many lists beside each other', `[${Array(1_000).fill('[[]]').join(',')}]`, true],
    ['brackets in a text', JSON.stringify(`\\"${'[{'.repeat(1_000)}`), true],
  ])('%s', (_what, text, isRead) => {
    expect(read(text).ok).toBe(isRead);
  });
});

describe('readJsonExact reads numbers as they were written', () => {
  const bySource = (text: string): unknown =>
    JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? context?.source : value,
    );

  test.each(['9007199254740993', '-0', '1.0', '1e400', '0.1E-7', '12345678901.12345678', '-1e+2'])('%s', (token) => {
    expect(readJsonExact(token)).toEqual({ ok: true, value: token });
    const around = readJsonExact(` {"${token}": [ ${token} ,${token}], "\\"${token}\\\\":"\\\\\\"${token}" }\n`);
    expect(around).toEqual({
      ok: true,
      value: { [token]: [token, token], [`"${token}\\`]: `\\"${token}` },
    });
  });

  test.each(['01', '1-2', '1.', '.5', '+1', '1e', '--1', '1 2', 'NaN', '[1,]', '"1', '1"'])(
    '%s is not JSON',
    (text) => {
      expect(readJsonExact(text).ok).toBe(false);
    },
  );

  test('as the engine itself tells them', () => {
    const spaces = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), spaces, (text, space) => {
        const spaced = space + JSON.stringify(JSON.parse(text), null, space);
        expect(readJsonExact(spaced)).toEqual({ ok: true, value: bySource(spaced) });
      }),
      { numRuns: 2_000 },
    );
  });

  test('with a text of millions of characters beside them', () => {
    const long = ['x'.repeat(4_000_000), '\\"'.repeat(2_000_000), '1'.repeat(4_000_000)];
    for (const text of long) expect(readJsonExact(`["${text}",9007199254740993]`)).toMatchObject({ ok: true });
  });
});

test('a number that is kept does not keep the text that it was read from', () => {
  const before = heapUsed();
  const kept = Array.from({ length: 40 }, (_, index) => {
    const read = readJsonExact(`[${10 ** 15 + index},"${'x'.repeat(1_000_000)}${index}"]`);
    return read.ok && Array.isArray(read.value) ? String(read.value[0]) : '';
  });
  expect(heapUsed() - before).toBeLessThan(20_000_000);
  expect(kept[7]).toBe('1000000000000007');
});
