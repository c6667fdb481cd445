// One price of several sources: the median of the fresh ones; doubt widens, and stops then, with its reason.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { ExternalPrice } from '../../../src/quoting/strategy.ts';
import { combine, type ExternalLeg } from '../../../src/reference/combine.ts';
import type { ReferenceGuards } from '../../../src/reference/plan.ts';

const NOW = 1_000_000;
const GUARDS: ReferenceGuards = {
  minimumSources: 1,
  widenAfterMs: 5_000,
  staleMs: 20_000,
  widenBeyondBps: 20,
  stopBeyondBps: 100,
};

const leg = (source: string, price: number | string, ageMs = 0): ExternalLeg => ({
  source,
  price: decimal(price),
  asOf: NOW - ageMs,
});

/** `price age sources spread widen`, or the reason. */
function shown(price: ExternalPrice): string {
  if (price.kind === 'unknown') return price.why;
  const { ageMs, sources, spreadBps, widenBps } = price;
  return [plain(price.price), ageMs, sources, spreadBps.toFixed(2), widenBps.toFixed(2)].join(' ');
}

const of = (legs: readonly ExternalLeg[], guards: Partial<ReferenceGuards> = {}, missing: readonly string[] = []) =>
  shown(combine({ legs, missing, guards: { ...GUARDS, ...guards } }, NOW));

describe('the price', () => {
  test.each<[string, ExternalLeg[], string]>([
    ['of one source is its own', [leg('a', 100)], '100 0 1 0.00 0.00'],
    ['of two is the middle', [leg('a', 100), leg('b', '100.1')], '100.05 0 2 10.00 0.00'],
    [
      'of three is that of the one in the middle',
      [leg('a', 100), leg('b', '100.2'), leg('c', '100.1')],
      '100.1 0 3 19.98 0.00',
    ],
    ['of four is the middle of two', [4, 1, 3, 2].map((n) => leg(`${n}`, `100.0${n}`)), '100.025 0 4 3.00 0.00'],
  ])('%s', (_, legs, expected) => expect(of(legs)).toBe(expected));
});

describe('age', () => {
  test.each<[string, number, string]>([
    ['up to 5 s costs nothing', 5_000, '100 5000 1 0.00 0.00'],
    ['each begun second after that costs a basis point', 5_001, '100 5001 1 0.00 1.00'],
    ['10 s after that they are 10', 15_000, '100 15000 1 0.00 10.00'],
    ['at 20 s it is still there', 20_000, '100 20000 1 0.00 15.00'],
    ['after 20 s it is none', 20_001, '0 of 1 external sources are fresh, 1 are needed. Older than 20 s: a.'],
  ])('%s', (_, ageMs, expected) => expect(of([leg('a', 100, ageMs)])).toBe(expected));

  test('counts from the oldest source in the price, not from one that is left out', () => {
    expect(of([leg('a', 100, 1_000), leg('b', 100, 7_000), leg('c', 50, 30_000)])).toBe('100 7000 2 0.00 2.00');
  });

  test('a source that our clock saw in the future is new', () => {
    expect(of([leg('a', 100, -3_000)])).toBe('100 0 1 0.00 0.00');
  });
});

describe('disagreement', () => {
  test.each<[string, string, string]>([
    ['of 20 bps costs nothing', '100.2', '100.1 0 2 19.98 0.00'],
    ['of 30 bps costs the excess over 20', '100.3', '100.15 0 2 29.96 9.96'],
    ['of 99.5 bps still gives a price', '101', '100.5 0 2 99.50 79.50'],
    [
      'of more than 100 bps gives none, and says who says what',
      '101.1',
      'External sources disagree: a says 100, b says 101.1; 109.4 bps apart, more than 100.',
    ],
  ])('%s', (_, other, expected) => expect(of([leg('a', 100), leg('b', other)])).toBe(expected));

  test('with a source that is too old does not count', () => {
    expect(of([leg('a', 100), leg('b', 200, 20_001)])).toBe('100 0 1 0.00 0.00');
  });
});

describe('too few sources', () => {
  test('are named with what keeps the others', () => {
    const legs = [leg('b', 100, 60_000), leg('a', 100, 60_000), leg('c', 100)];
    expect(of(legs, { minimumSources: 2 }, ['d: it does not answer.'])).toBe(
      '1 of 4 external sources are fresh, 2 are needed. Older than 20 s: a, b. d: it does not answer.',
    );
  });

  test('before anything is read', () => {
    expect(of([], {}, ['a: not read yet.'])).toBe('0 of 1 external sources are fresh, 1 are needed. a: not read yet.');
  });
});

describe('for any sources', () => {
  const legs = fc
    .array(
      fc.record({ cents: fc.integer({ min: 9_000, max: 11_000 }), ageMs: fc.integer({ min: -1_000, max: 30_000 }) }),
      {
        minLength: 1,
        maxLength: 7,
      },
    )
    .map((rows) => rows.map(({ cents, ageMs }, index) => leg(`s${index}`, `${cents / 100}`, ageMs)));

  test('their order does not matter', () => {
    fc.assert(
      fc.property(
        legs.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => expect(of(shuffled)).toBe(of(given)),
      ),
    );
  });

  test('one that is wrong among three moves the price no further than the other two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 9_900, max: 10_100 }), (wrong, right) => {
        const price = combine(
          {
            legs: [leg('a', 10_000), leg('b', right), leg('c', wrong)],
            missing: [],
            guards: { ...GUARDS, stopBeyondBps: Infinity },
          },
          NOW,
        );
        expect(price.kind).toBe('known');
        if (price.kind !== 'known') return;
        expect(price.price.gte(Math.min(10_000, right))).toBe(true);
        expect(price.price.lte(Math.max(10_000, right))).toBe(true);
      }),
    );
  });

  test('quotes never get narrower while the same sources grow older', () => {
    fc.assert(
      fc.property(legs, fc.integer({ min: 0, max: 25_000 }), (given, laterMs) => {
        const reading = { legs: given, missing: [], guards: GUARDS };
        const [before, after] = [combine(reading, NOW), combine(reading, NOW + laterMs)];
        if (before.kind === 'unknown' || after.kind === 'unknown' || before.sources !== after.sources) return;
        expect(after.widenBps).toBeGreaterThanOrEqual(before.widenBps);
        expect(after.ageMs).toBeGreaterThanOrEqual(before.ageMs);
        expect(after.price).toEqual(before.price);
      }),
    );
  });

  test('the farther two are apart the wider, until there is no price', () => {
    const at = (cents: number): ExternalPrice =>
      combine({ legs: [leg('a', 10_000), leg('b', 10_000 + cents)], missing: [], guards: GUARDS }, NOW);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 0, max: 150 }), (one, other) => {
        const [near, far] = [at(Math.min(one, other)), at(Math.max(one, other))];
        if (near.kind === 'unknown') expect(far.kind).toBe('unknown');
        else if (far.kind === 'known') expect(far.widenBps).toBeGreaterThanOrEqual(near.widenBps);
      }),
    );
  });
});
