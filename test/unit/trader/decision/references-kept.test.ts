// Prices of before that features look back at.
import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../../src/domain/time.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC } from '../desk-settings.ts';
import { readyDesk } from '../trader-kit.ts';

test('one of before the last refresh is known at each moment, also of the band that is refreshed least often', () => {
  const longest = 10 * MINUTE;
  const desk = readyDesk();
  desk.run(longest);
  for (let seconds = 0; seconds < 1.1 * (longest / 1_000); seconds += 1) {
    desk.run(1_000);
    const refreshedAt = Math.floor(desk.now() / longest) * longest;
    expect(marketOf(desk.state(), BTC).references[0]?.at).toBeLessThanOrEqual(refreshedAt);
  }
});
