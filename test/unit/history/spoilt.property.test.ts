// Random histories with rows that can't be read, now and then or always: what is missing lies in the gaps that are
// said.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Fill } from '../../../src/domain/fill.ts';
import type { HistoryPage } from '../../../src/history/page.ts';
import { drawing, whole } from './oracle-list.ts';
import { playTrades } from './play-trades.ts';
import { trueRows } from './true-rows.ts';
import { complaintsAbout } from './what-must-hold.ts';
import { behindOneOf, densest, timesIn, worlds } from './worlds.ts';

const seed = 20_250_101;

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
    { seed, numRuns: 400 },
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
    { seed, numRuns: 400 },
  );
});

function withoutSome(page: HistoryPage<Fill>, isOdd: (row: Fill) => boolean): HistoryPage<Fill> {
  const rows = page.rows.filter((row) => !isOdd(row));
  if (rows.length === page.rows.length) return page;
  return { ...page, rows, complete: false, incompleteBecause: 'odd' };
}
