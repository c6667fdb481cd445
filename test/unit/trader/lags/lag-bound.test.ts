// The bound that is learned from samples: by what they prove at most, of the kind that trails the most.
import { expect, test } from '@jest/globals';
import { learnedMs } from '../../../../src/trader/lags/lag-bound.ts';
import { addSample, LAG_KINDS, type LagKind } from '../../../../src/trader/state/lags/lags.ts';
import { deskSettings } from '../desk-settings.ts';
import { deskWith } from '../trader-kit.ts';

const LEARNING = { samples: 2, margin: 3, leastMs: 2_000 };

/** What is learned where each kind has samples of up to these, and each proves half of it at least. */
function learnedFrom(atMostMs: Partial<Record<LagKind, number>>, count = LEARNING.samples): number | null {
  const desk = deskWith(deskSettings({ foreignOrders: 'refuse', assumptions: { learning: LEARNING } }));
  for (const kind of LAG_KINDS)
    for (let index = 0; index < count; index += 1) {
      const most = (atMostMs[kind] ?? 100) - 10 * index;
      addSample(desk.state().lags, kind, { at: desk.now(), atLeastMs: most / 2, atMostMs: most });
    }
  return learnedMs(desk.state(), desk.now());
}

test.each(LAG_KINDS)('a margin over the largest upper end of a sample, where %s trails the most', (kind) => {
  expect(learnedFrom({ [kind]: 4_000 })).toBe(12_000);
});

test('never less than the least that is allowed', () => {
  expect(learnedFrom({})).toBe(2_000);
});

test('nothing where there are too few samples', () => {
  expect(learnedFrom({ listed: 4_000 }, 1)).toBeNull();
});
