// Hundreds of random histories of trades against the small venue: nothing is missing where a reading says "complete".
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Fill } from '../../../src/domain/fill.ts';
import { DAY } from '../../../src/domain/time.ts';
import type { HistoryPage } from '../../../src/history/page.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import { drawing, type Law, type TrueRow, whole } from './oracle-list.ts';
import { playTrades } from './play-trades.ts';
import { playCrypto, playFiat, transfersOf } from './play-transfers.ts';
import { NOW, trueRows } from './true-rows.ts';
import { complaintsAbout } from './what-must-hold.ts';
import { complaintsAboutTransfers } from './what-must-hold-of-transfers.ts';
import { behindOneOf, crowdsIn, densest, timesIn, worlds } from './worlds.ts';

const seed = 20_250_101;

describe.each([
  ['spot', 500],
  ['sbs', 250],
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
    { seed, numRuns: 100 },
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
    { seed, numRuns: 100 },
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

// Random deposits and withdrawals, many of them alike, which settle while they are read: each is there as often as it
// happened.

const lists = { crypto: playCrypto, fiat: playFiat };

test.each(['crypto', 'fiat'] as const)('%s transfers are all there, or the gap is said', (list) => {
  fc.assert(
    fc.property(worlds, (world) => {
      const draw = drawing(world.seed);
      const truth = transfersOf(trueRows(world.shape, draw), draw);
      // A row that a page holds twice can't be told from two transfers.
      const law = { ...world.law, repeats: 0 };
      const target = timesIn(truth, draw);
      const played = lists[list](target, { rows: truth, law, draw, stepMs: world.stepMs });
      expect(complaintsAboutTransfers(list, played, { target, truth })).toEqual([]);
      if (densest(truth) < 20) expect(played.outcome.kind).toBe('complete');
      const most = 16 + (2 * truth.length) / (law.cap - 2) + 6 * crowdsIn(truth);
      expect(played.asked.length).toBeLessThanOrEqual(most);
    }),
    { seed: 20_250_101, numRuns: 300 },
  );
});

// Random histories with rows that can't be read, now and then or always: what is missing lies in the gaps that are
// said.

test('rows that can never be read', () => {
  fc.assert(
    fc.property(worlds, fc.boolean(), (world, fromTrade) => {
      const draw = drawing(world.seed);
      const rows = trueRows(world.shape, draw);
      const odd = new Set([1, 2].map(() => String(rows[whole(draw, rows.length)]?.id)));
      const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => withoutSome(page, (row) => odd.has(row.tradeId));
      const target = fromTrade ? behindOneOf(rows, draw) : timesIn(rows, draw);
      const played = playTrades('spot', target, { ...world, rows, draw, spoil });
      expect(complaintsAbout(played, target, rows)).toEqual([]);
      const { outcome } = played;
      const moments = rows.filter(({ id }) => odd.has(String(id))).map(({ time }) => time);
      if (outcome.kind === 'gap' && densest(rows) < 20) {
        expect(outcome.gaps.every(({ why }) => why === 'unreadable-row')).toBe(true);
        for (const { from, to } of outcome.gaps) expect(moments.some((at) => at >= from && at <= to)).toBe(true);
      }
    }),
    { seed, numRuns: 150 },
  );
});

test('pages that are spoilt now and then are asked again', () => {
  fc.assert(
    fc.property(worlds, fc.boolean(), (world, fromTrade) => {
      const draw = drawing(world.seed);
      const rows = trueRows(world.shape, draw);
      const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> =>
        draw() < 0.2 ? withoutSome(page, () => draw() < 0.1) : page;
      const target = fromTrade ? behindOneOf(rows, draw) : timesIn(rows, draw);
      const played = playTrades('spot', target, { ...world, rows, draw, spoil });
      expect(complaintsAbout(played, target, rows)).toEqual([]);
    }),
    { seed, numRuns: 150 },
  );
});

function withoutSome(page: HistoryPage<Fill>, isOdd: (row: Fill) => boolean): HistoryPage<Fill> {
  const rows = page.rows.filter((row) => !isOdd(row));
  if (rows.length === page.rows.length) return page;
  return { ...page, rows, complete: false, incompleteBecause: 'odd' };
}
