// Thousands of random histories of trades against the small venue: nothing is missing where a reading says "complete".
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY } from '../../../src/domain/time.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import { drawing, type Law, type TrueRow, whole } from './oracle-list.ts';
import { playTrades } from './play-trades.ts';
import { NOW, trueRows } from './true-rows.ts';
import { complaintsAbout } from './what-must-hold.ts';
import { behindOneOf, crowdsIn, densest, timesIn, worlds } from './worlds.ts';

const seed = 20_250_101;

describe.each([
  ['spot', 1_500],
  ['sbs', 700],
] as const)('%s trades, in %i random worlds,', (list, numRuns) => {
  test('are all there, or the gap is said', () => {
    fc.assert(
      fc.property(worlds, fc.boolean(), (world, fromTrade) => {
        const draw = drawing(world.seed);
        const rows = trueRows(world.shape, draw);
        const target = fromTrade ? behindOneOf(rows, draw) : timesIn(rows, draw);
        const played = playTrades(list, target, { ...world, rows, draw });
        expect(complaintsAbout(played, target, rows)).toEqual([]);
        expect(played.asked.length).toBeLessThanOrEqual(mostRequests(world.law, rows, target));
        // 20 rows are the smallest page: fewer in one millisecond are always told apart.
        if (list === 'spot' && densest(rows) < 20) expect(played.outcome.kind).toBe('complete');
      }),
      { seed, numRuns },
    );
  });
});

test('rows come oldest first where none is late', () => {
  fc.assert(
    fc.property(worlds, fc.boolean(), (world, fromTrade) => {
      const draw = drawing(world.seed);
      const rows = trueRows({ ...world.shape, laggards: false, arrivals: 0 }, draw);
      const target = fromTrade ? behindOneOf(rows, draw) : timesIn(rows, draw);
      const times = playTrades('spot', target, { ...world, rows, draw }).rows.map(({ venueTime }) => venueTime);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
    { seed, numRuns: 300 },
  );
});

test('a page of any length is asked for', () => {
  fc.assert(
    fc.property(worlds, fc.constantFrom(2, 7, 20, 49), (world, limit) => {
      const draw = drawing(world.seed);
      const rows = trueRows({ ...world.shape, rows: whole(draw, 60) }, draw);
      const target = behindOneOf(rows, draw);
      const played = playTrades('spot', target, { ...world, rows, draw }, { limit });
      expect(complaintsAbout(played, target, rows)).toEqual([]);
    }),
    { seed, numRuns: 300 },
  );
});

/**
 * Each page brings all but two of its rows as new ones, each end of what is asked costs a few questions, and a
 * millisecond that no page holds is tried in every way, on both lists. Where asking by start gives the newest and by
 * end the oldest, or where such a millisecond stands in the way, only short windows lead on.
 */
function mostRequests(law: Law, rows: readonly TrueRow[], target: TradesTarget): number {
  const from = target.by === 'after' ? target.cursor.venueTime : target.from;
  const crowds = crowdsIn(rows);
  const needsWindows = crowds > 0 || (law.part.start === 'newest' && law.part.end === 'oldest');
  const windows = needsWindows ? (2 * (NOW - from)) / (3 * DAY) : 0;
  return 16 + (2 * rows.length) / (law.cap - 2) + 10 * crowds + windows;
}
