// Random deposits and withdrawals, many of them alike, which settle while they are read: each is there as often as it
// happened.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawing } from './oracle-list.ts';
import { playCrypto, playFiat, transfersOf } from './play-transfers.ts';
import { trueRows } from './true-rows.ts';
import { complaintsAboutTransfers } from './what-must-hold-of-transfers.ts';
import { crowdsIn, densest, timesIn, worlds } from './worlds.ts';

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
    { seed: 20_250_101, numRuns: 1_000 },
  );
});
