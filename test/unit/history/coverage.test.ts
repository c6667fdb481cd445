// Stretches of time against a naive twin: a set of milliseconds.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tradeId } from '../../../src/domain/ids.ts';
import {
  type Coverage,
  compareKeys,
  cover,
  coveredFrom,
  holesIn,
  NOTHING_COVERED,
  type RowKey,
  reachOf,
  rowBefore,
  rowsIn,
  type Span,
  union,
} from '../../../src/history/coverage.ts';

const LAST = 30;
const moments = Array.from({ length: LAST + 1 }, (_, index) => index);
const key = (time: number): RowKey => ({ time, id: tradeId(String(time)) });
const spans = fc.array(
  fc.tuple(fc.integer({ min: 0, max: LAST }), fc.integer({ min: -2, max: 8 })).map(([from, length]) => ({
    from,
    to: Math.min(LAST, from + length),
  })),
  { maxLength: 12 },
);
const rows = fc
  .uniqueArray(fc.integer({ min: 0, max: LAST }), { maxLength: 10 })
  .map((times) => times.sort((a, b) => a - b));

const coverageOf = (parts: readonly Span[], times: readonly number[] = []): Coverage =>
  parts.reduce((coverage, span) => cover(coverage, span, times.map(key)), NOTHING_COVERED);
const isIn = (parts: readonly Span[], at: number): boolean => parts.some(({ from, to }) => from <= at && at <= to);

test('holes are what no span covers, whole, apart and in order', () => {
  fc.assert(
    fc.property(spans, spans, (parts, others) => {
      const coverage = coverageOf(parts);
      for (const span of [...others, { from: 0, to: LAST }]) {
        const holes = holesIn(coverage, span);
        const wanted = moments.filter((at) => isIn([span], at) && !isIn(parts, at));
        expect(moments.filter((at) => isIn(holes, at))).toEqual(wanted);
        expect(holes.every((hole, index) => index === 0 || hole.from > (holes[index - 1]?.to ?? 0) + 1)).toBe(true);
      }
    }),
  );
});

test('beside a hole stand the nearest known rows of what is covered next to it', () => {
  fc.assert(
    fc.property(spans, rows, (parts, times) => {
      for (const hole of holesIn(coverageOf(parts, times), { from: 0, to: LAST })) {
        const known = times.filter((time) => isIn(parts, time));
        const isJoined = (time: number): boolean => {
          const between = moments.filter((at) => at >= Math.min(time, hole.to) && at <= Math.max(time, hole.from));
          return between.every((at) => isIn(parts, at) || isIn([hole], at));
        };
        expect(hole.before?.time ?? null).toBe(known.findLast((time) => time < hole.from && isJoined(time)) ?? null);
        expect(hole.after?.time ?? null).toBe(known.find((time) => time > hole.to && isJoined(time)) ?? null);
      }
    }),
  );
});

test('joining, clipping and the reach from a moment on', () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: 0, max: LAST }), (left, right, edge) => {
      const both = union(coverageOf(left), coverageOf(right));
      const all = [...left, ...right];
      expect(moments.filter((at) => isIn(both, at))).toEqual(moments.filter((at) => isIn(all, at)));
      expect(moments.filter((at) => isIn(coveredFrom(both, edge), at))).toEqual(
        moments.filter((at) => at >= edge && isIn(all, at)),
      );
      const firstHole = [...moments, LAST + 1].find((at) => at >= edge && !isIn(all, at));
      expect(reachOf(both, edge)).toBe((firstHole ?? LAST + 1) - 1);
    }),
  );
});

test('a row that is found is one that was shown', () => {
  fc.assert(
    fc.property(spans, rows, fc.integer({ min: 0, max: LAST }), (parts, times, at) => {
      const coverage = coverageOf(parts, times);
      const known = times.filter((time) => isIn(parts, time));
      if (rowsIn(coverage, { from: at, to: at + 3 }).length > 0)
        expect(known.some((time) => time >= at && time <= at + 3)).toBe(true);
      const before = rowBefore(coverage, at);
      if (before !== null) expect(known.filter((time) => time < at)).toContain(before.time);
    }),
  );
});

test('infinite ends are ends like others', () => {
  const left = cover(NOTHING_COVERED, { from: Number.NEGATIVE_INFINITY, to: 5 }, []);
  const both = cover(left, { from: 8, to: Number.POSITIVE_INFINITY }, []);
  const everything = { from: 0, to: Number.POSITIVE_INFINITY };
  expect(holesIn(both, everything)).toEqual([{ from: 6, to: 7, before: null, after: null }]);
  expect(holesIn(cover(both, { from: 6, to: 7 }, []), everything)).toEqual([]);
});

test('keys go by time, then by the number of their id', () => {
  const sorted = [key(2), { time: 1, id: tradeId('10') }, { time: 1, id: tradeId('9') }].sort(compareKeys);
  expect(sorted.map(({ id }) => id)).toEqual(['9', '10', '2']);
});
