// What limits remember of events, and how they count them.
import { describe, expect, test } from '@jest/globals';
import { countWithin, hasSoMany, withEvent } from '../../../src/trader/durable/remembered.ts';

const at = (...moments: readonly number[]) => moments.map((moment) => ({ at: moment }));
const added = (moments: readonly number[], moment: number, most = 3): number[] =>
  withEvent(at(...moments), { at: moment }, { forMs: 100, most }).map((event) => event.at);

describe('one more event', () => {
  test.each<[string, readonly number[], number, readonly number[]]>([
    ['the first', [], 5, [5]],
    ['in the order of time', [10, 30], 20, [10, 20, 30]],
    ['what is older than the window leaves, its edge does not', [99, 100], 200, [100, 200]],
    ['the oldest make room', [1, 2, 3], 4, [2, 3, 4]],
    ['of a clock that was set back it counts, and what seems to come later stays', [500], 200, [200, 500]],
  ])('%s', (_what, known, moment, expected) => {
    expect(added(known, moment)).toEqual(expected);
  });
});

test('a window counts its end, and not its beginning', () => {
  const events = at(100, 150, 200, 250);
  expect([countWithin(events, 200, 100), countWithin(events, 200, 101), countWithin([], 200, 100)]).toEqual([2, 3, 0]);
});

test.each<[readonly number[], number, number, boolean]>([
  [[0, 50, 100], 3, 100, true],
  [[0, 50, 101], 3, 100, false],
  [[0, 50, 101], 2, 51, true],
  [[0, 50], 3, 100, false],
  [[], 1, 100, false],
])('of %j the newest %d within %d ms: %s', (moments, count, withinMs, expected) => {
  expect(hasSoMany(at(...moments), { count, withinMs })).toBe(expected);
});
