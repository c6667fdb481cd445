import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER, startTimeOffsets, type TimeOffsets, timeOffsetOf } from '../../../src/client/times/time-offsets.ts';
import {
  answerAt,
  HOUR,
  INDIA,
  KIND,
  knownAfter,
  latestAt,
  learned,
  type MadeRow,
  MINUTE,
  SECOND,
  type ShiftedVenue,
  START,
  venueOf,
} from './shifted-venue.ts';

describe('no venue of this kind is judged wrong', () => {
  /** Rows at any times, shown up to a minute late; looked at any times; a `Date` up to 25 s off. */
  const anyVenue = fc
    .record({
      gaps: fc.array(fc.oneof(fc.nat(5_000), fc.nat(10 * MINUTE), fc.nat(8 * HOUR)), { maxLength: 60 }),
      lags: fc.array(fc.nat(MINUTE), { minLength: 60, maxLength: 60 }),
      quarters: fc.oneof(fc.constant(0), fc.constant(INDIA), fc.integer({ min: -48, max: 56 })),
      dateErrorMs: fc.integer({ min: -25 * SECOND, max: 25 * SECOND }),
      pageSize: fc.constantFrom(1, 2, 5, 20, 50),
    })
    .map(({ gaps, lags, ...more }): ShiftedVenue => {
      let at = START - 12 * HOUR;
      const rows = gaps.map((gap, index): MadeRow => {
        at += gap;
        return { at, lagMs: lags[index] ?? 0 };
      });
      return { rows, ...more };
    });
  const reads = fc
    .array(fc.oneof(fc.nat(5_000), fc.nat(MINUTE), fc.nat(HOUR), fc.nat(6 * HOUR)), { maxLength: 40 })
    .map((waits) => {
      let at = 0;
      return waits.map((wait) => {
        at += wait;
        return at;
      });
    });

  test.each([
    ['a list', answerAt],
    ['tickers', latestAt],
  ])('%s: never more than the shift is taken away, a proof is right, and nothing changes', (_name, answer) => {
    fc.assert(
      fc.property(anyVenue, reads, (venue, readsAt) => {
        let state = startTimeOffsets();
        for (const at of readsAt) {
          const seen = answer(venue, START + at);
          state = learned(state, START + at, seen);
          expectRight(state, venue);
          // Where something is known, no row is left in the future.
          const { evidence, measuredMs } = timeOffsetOf(state, KIND);
          const newest = Math.max(...seen.times.map((row) => row.at));
          if (evidence !== 'none') expect(newest - measuredMs).toBeLessThanOrEqual(START + at + 2 * MINUTE);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  function expectRight(state: TimeOffsets, { quarters }: ShiftedVenue): void {
    const { measuredMs, evidence, changes, misfits } = timeOffsetOf(state, KIND);
    expect(changes).toBe(0);
    // Behind UTC is only believed when several rows say so: the first ones are misfits.
    if (quarters >= 0) expect(misfits).toBe(0);
    if (evidence === 'proved') expect(measuredMs).toBe(quarters * QUARTER);
    else if (evidence === 'at-least') expect(measuredMs).toBeLessThanOrEqual(quarters * QUARTER);
    else expect(measuredMs).toBe(0);
  }

  test('where something is traded every few minutes and someone looks as often, the shift is proved', () => {
    const busy = fc.array(fc.integer({ min: 1, max: 4 * MINUTE }), { minLength: 30, maxLength: 40 });
    const quarters = fc.oneof(fc.integer({ min: -48, max: -4 }), fc.integer({ min: 0, max: 56 }));
    const errors = fc.integer({ min: -25 * SECOND, max: 25 * SECOND });
    fc.assert(
      fc.property(busy, quarters, errors, (gaps, shift, dateErrorMs) => {
        let at = 0;
        const rowsAt = gaps.map((gap) => {
          at += gap;
          return at;
        });
        const venue = venueOf(rowsAt, { quarters: shift, dateErrorMs });
        const offset = timeOffsetOf(
          knownAfter(
            venue,
            rowsAt.map((moment) => moment + 1),
          ),
          KIND,
        );
        expect(offset).toMatchObject({ evidence: 'proved', measuredMs: shift * QUARTER });
      }),
    );
  });
});
