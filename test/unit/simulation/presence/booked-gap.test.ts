// Whether something is really not booked, and since when: asking changes nothing, and trades on their way are none.
import { expect, test } from '@jest/globals';
import { createBookedGap } from '../../../../simulation/presence/booked-gap.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { acted, staged, TRADED, WITHDRAWAL } from '../staged.ts';

test('a withdrawal that is not booked stands once it is older than a list may trail', async () => {
  const stood: boolean[] = [];
  const ofOthers: boolean[] = [];
  await staged(
    {},
    (stage) => {
      const gap = createBookedGap();
      const { readLagBoundMs } = stage.context.settings.assumptions;
      const at = (now: number) => ({ ...stage.context, now: () => now });
      const payload = { balances: Object.fromEntries(stage.journal.openings), markets: {} };
      gap.recorded(at(0), { type: 'opened', seq: 1, epoch: 1, payload });
      acted(stage, WITHDRAWAL);
      for (const now of [0, readLagBoundMs, readLagBoundMs + MINUTE]) {
        gap.look(at(now));
        stood.push(gap.stands(at(now)), gap.stands(at(now)));
        ofOthers.push(gap.stands(at(now), ['no such asset']));
      }
    },
    TRADED,
  );
  expect(stood).toEqual([false, false, false, false, true, true]);
  expect(ofOthers).toEqual([false, false, false]);
});
