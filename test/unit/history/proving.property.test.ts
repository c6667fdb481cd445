// Random histories on exchanges that nothing is known of: pages cut at any length, windows of minutes, answers that are
// empty though there are rows. What a reading calls complete is all there.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../../src/domain/time.ts';
import { PROVING_HISTORY } from '../../../src/history/query.ts';
import { type Draw, drawing } from './oracle-list.ts';
import { playTrades, type TradesVenue } from './play-trades.ts';
import { playCrypto, playFiat, transfersOf } from './play-transfers.ts';
import { LAG_BOUND, trueRows } from './true-rows.ts';
import { complaintsAbout } from './what-must-hold.ts';
import { complaintsAboutTransfers } from './what-must-hold-of-transfers.ts';
import { behindOneOf, densest, timesIn, worlds } from './worlds.ts';

const seed = 20_261_129;
const settings = { ...PROVING_HISTORY, lagBoundMs: LAG_BOUND };
const hostile = fc
  .tuple(
    worlds,
    fc.constantFrom(2, 3, 7, 10, 19, 20, 21, 50),
    fc.constantFrom(MINUTE, 10 * MINUTE, HOUR, DAY, 30 * DAY),
    fc.constantFrom(0, 0.3),
  )
  .map(([world, cap, windowMs, emptiness]) => ({
    ...{ ...world, emptiness },
    law: { ...world.law, cap, windowMs },
  }));

/** Now and then an answer is empty, and once more after it, but not three times. */
function emptied(chance: number, draw: Draw): NonNullable<TradesVenue['empties']> {
  let left = 0;
  let rests = 0;
  return () => {
    if (rests > 0) rests -= 1;
    else if (left === 0 && draw() < chance) left = 1 + Math.floor(draw() * 2);
    if (left === 0) return false;
    left -= 1;
    if (left === 0) rests = 1;
    return true;
  };
}

test.each(['spot', 'sbs'] as const)('%s trades', (list) => {
  fc.assert(
    fc.property(hostile, fc.boolean(), (world, fromTrade) => {
      const draw = drawing(world.seed);
      const rows = trueRows(world.shape, draw);
      const target = fromTrade ? behindOneOf(rows, draw) : timesIn(rows, draw);
      const empties = emptied(world.emptiness, draw);
      const played = playTrades(list, target, { ...world, rows, draw, empties }, settings);
      expect(complaintsAbout(played, target, rows)).toEqual([]);
      // What can be proved is: rows apart in time, pages of some length, no row twice.
      const { cap, repeats } = world.law;
      if (list === 'spot' && densest(rows) < 2 && world.emptiness === 0 && cap > 3 && repeats === 0)
        expect(played.outcome.kind).toBe('complete');
    }),
    { seed, numRuns: 150 },
  );
});

const lists = { crypto: playCrypto, fiat: playFiat };
test.each(['crypto', 'fiat'] as const)('%s transfers', (list) => {
  fc.assert(
    fc.property(hostile, (world) => {
      const draw = drawing(world.seed);
      const truth = transfersOf(trueRows(world.shape, draw), draw);
      const target = timesIn(truth, draw);
      const empties = emptied(world.emptiness, draw);
      const law = { ...world.law, repeats: 0 };
      const venue = { rows: truth, law, draw, stepMs: world.stepMs, empties };
      const played = lists[list](target, venue, settings);
      expect(complaintsAboutTransfers(list, played, { target, truth })).toEqual([]);
      if (densest(truth) < 2 && world.emptiness === 0 && law.cap > 3) expect(played.outcome.kind).toBe('complete');
    }),
    { seed, numRuns: 100 },
  );
});
