// Fewer than half of the headers lie, at random: the truth is in the bound. The oracle tries every offset there is.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  agreementsOf,
  estimate,
  heldByMost,
  type Interval,
  largestAgreement,
  observe,
  startServerClock,
} from '../../../../src/client/clock/server-clock.ts';

const interval = fc
  .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 30 }))
  .map(([low, width]): Interval => ({ low, high: low + width }));
const POINTS = Array.from({ length: 161 }, (_none, index) => index - 80);

/** How many of them hold each whole number: intervals with whole ends agree at one. */
const held = (all: readonly Interval[]): number[] =>
  POINTS.map((point) => all.filter(({ low, high }) => low <= point && point <= high).length);

test('the largest agreement is the largest that any number has, and its common part is held by all its members', () => {
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 20 }), (all) => {
      const counts = held(all);
      const found = largestAgreement(all);
      expect(found?.members).toHaveLength(Math.max(...counts));
      const { low, high } = found?.common ?? { low: 1, high: 0 };
      expect(low).toBeLessThanOrEqual(high);
      for (const point of [low, high]) expect(counts[point + 80]).toBeGreaterThanOrEqual(Math.max(...counts));
    }),
  );
});

test('what more than half hold is found by trying every number', () => {
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 20 }), (all) => {
      const counts = held(all);
      const points = POINTS.filter((_point, index) => 2 * (counts[index] ?? 0) > all.length);
      const expected = points.length === 0 ? null : { low: points[0], high: points.at(-1) };
      expect(heldByMost(all)).toEqual(expected);
    }),
  );
});

test('groups hold each interval at most once, and no later one is larger', () => {
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 20 }), (all) => {
      const groups = agreementsOf(all, 4);
      const members = groups.flatMap((group) => group.members);
      expect(new Set(members).size).toBe(members.length);
      const sizes = groups.map((group) => group.members.length);
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      for (const group of groups)
        for (const each of group.members)
          expect(each.low <= group.common.high && group.common.low <= each.high).toBe(true);
    }),
  );
});

const WALL_START = 1_700_000_000_000;
const SLACK_MS = 2;

const answers = fc
  .record({
    offsetMs: fc.integer({ min: -100_000, max: 100_000 }),
    trips: fc.array(
      fc.record({
        waitMs: fc.integer({ min: 10, max: 3_000 }),
        thereMs: fc.integer({ min: 1, max: 400 }),
        backMs: fc.integer({ min: 1, max: 400 }),
        /** Whatever a lie is: hours, seconds, or less than the second that `Date` is rounded to. */
        lieMs: fc.oneof(
          fc.integer({ min: -10_000_000, max: 10_000_000 }),
          fc.integer({ min: -30_000, max: 30_000 }),
          fc.integer({ min: -1_500, max: 1_500 }),
        ),
        rank: fc.nat(),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    liarsRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ offsetMs, trips, liarsRatio }) => {
    const most = Math.floor((trips.length - 1) / 2);
    const liars = new Set(trips.toSorted((a, b) => a.rank - b.rank).slice(0, Math.round(liarsRatio * most)));
    return { offsetMs, trips: trips.map((trip) => ({ ...trip, lieMs: liars.has(trip) ? trip.lieMs : 0 })) };
  });

/** A lie of 50 ms that all headers agree with, but only as far as the clocks may have drifted meanwhile. */
const agreesByDrift = {
  offsetMs: 0,
  trips: [
    { waitMs: 2_111, thereMs: 30, backMs: 394, lieMs: 0, rank: 0 },
    { waitMs: 2_220, thereMs: 245, backMs: 1, lieMs: 0, rank: 0 },
    { waitMs: 39, thereMs: 7, backMs: 363, lieMs: 0, rank: 0 },
    { waitMs: 1_638, thereMs: 1, backMs: 1, lieMs: -50, rank: 0 },
  ],
};

test('while fewer than half of the headers lie the truth is in the bound, or off by less than Date’s rounding', () => {
  fc.assert(
    fc.property(answers, ({ offsetMs, trips }) => {
      let clock = startServerClock();
      let mono = 0;
      for (const { waitMs, thereMs, backMs, lieMs } of trips) {
        const sentMono = mono + waitMs;
        mono = sentMono + thereMs + backMs;
        const venueDate = Math.floor((WALL_START + sentMono + thereMs + offsetMs + lieMs) / 1_000) * 1_000;
        clock = observe(clock, {
          sentAt: WALL_START + sentMono,
          receivedAt: WALL_START + mono,
          mono,
          venueDate,
        }).state;
      }
      const known = estimate(clock, { now: WALL_START + mono, mono });
      if (known === null) throw new Error('Nothing is known.');
      const error = Math.abs(known.offsetMs - offsetMs);
      // A lie of less than a second that contradicts no header can't be told from the truth.
      const unanimous = known.samples === trips.length;
      if (unanimous) expect(error).toBeLessThanOrEqual(1_000 + 800 + 2 * 25 + SLACK_MS);
      else expect(error).toBeLessThanOrEqual(known.uncertaintyMs + SLACK_MS);
    }),
    { numRuns: 2_000, examples: [[agreesByDrift]] },
  );
});
