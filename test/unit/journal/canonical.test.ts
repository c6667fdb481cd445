// States as text: what goes in comes out, equal states have equal texts, and what can't be kept is refused with its
// place.
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';

const there = (value: unknown): unknown => fromCanonicalText(canonicalText(value));

/** Structures of everything that is kept, nested. */
const structures = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY),
    fc.bigInt(),
    fc.tuple(fc.bigInt(), fc.integer({ min: -30, max: 30 })).map(([n, e]) => new Decimal(`${n}e${e}`)),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(tie('any'), tie('any')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
    fc.array(tie('any'), { maxLength: 4 }).map((values) => new Set(values)),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$map', '$', '$$set', '__proto__')), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).any;

describe('a state as text', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(structures, (value) => {
        const text = canonicalText(value);
        expect(fromCanonicalText(text)).toStrictEqual(value);
        expect(canonicalText(fromCanonicalText(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps every digit of a decimal, and its kind', () => {
    for (const text of ['0.1', '123456789012345678901234567890.000000000000000001', '-0', '1e-30', '7e25']) {
      const back = there(new Decimal(text));
      expect(Decimal.isDecimal(back)).toBe(true);
      expect((back as Decimal).valueOf()).toBe(new Decimal(text).valueOf());
    }
  });

  test('is the same for objects whose keys came in another order, and another for maps', () => {
    expect(canonicalText({ b: 1, a: 2 })).toBe(canonicalText({ a: 2, b: 1 }));
    const map = (...keys: string[]) => canonicalText(new Map(keys.map((key) => [key, 0])));
    expect(map('a', 'b')).not.toBe(map('b', 'a'));
  });

  test.each<[string, unknown, unknown]>([
    ['a property that is undefined and one that is not there', { a: undefined }, {}],
    ['a number and its text', 1, '1'],
    ['a number and a bigint', 1, 1n],
    ['a decimal and its text', decimal('1.5'), '1.5'],
    ['a map and a list of pairs', new Map([[1, 2]]), [[1, 2]]],
    ['a set and a list', new Set([1]), [1]],
    ['a map and an object that spells one', new Map(), { $map: [] }],
    ['zero and minus zero', 0, -0],
    ['null and undefined', null, undefined],
  ])('tells %s apart', (_, a, b) => {
    expect(canonicalText(a)).not.toBe(canonicalText(b));
  });

  test('is what the documentation shows', () => {
    expect(canonicalText({ z: new Map([['a', decimal('1.50')]]), a: [1n, undefined, new Set(['x'])] })).toBe(
      '{"a":[{"$bigint":"1"},{"$undefined":0},{"$set":["x"]}],"z":{"$map":[["a",{"$decimal":"1.5"}]]}}',
    );
  });

  const loop: unknown[] = [];
  loop.push(loop);
  test.each<[string, unknown, string]>([
    ['a date', { a: [new Date(0)] }, "an instance of a class at 'a.0'"],
    ['a function', { now: () => 1 }, "a function at 'now'"],
    ['an instance', new Map([['x', new URL('http://127.0.0.1')]]), "an instance of a class at '0.1'"],
    ['a hole', new Array(1), "a hole at '0'"],
    ['a symbol', [Symbol('s')], "a symbol at '0'"],
    ['itself', loop, "a structure that is too deep, or holds itself, at '0.0.0"],
  ])('is refused when it holds %s', (_, value, message) => {
    expect(() => canonicalText(value)).toThrow(message);
  });
});
