// Lists prove how far they trail by the event that they lack, and by the first one that shows it.
import { expect, test } from '@jest/globals';
import { addLook, startLags, type Watch, watchEvent } from '../../../../src/trader/state/lags.ts';

/** Happened between 0 and 100. Each list: when it left, and whether it was right; answers take 100 ms. */
function watched(lists: readonly (readonly [sentAt: number, isRight: boolean])[], endedFrom: number | null = null) {
  const lags = startLags();
  watchEvent(lags, { kind: 'listed', id: '1-1', symbol: 'BTC/INR', happened: { from: 0, to: 100 } });
  const watch = lags.watches.get('listed 1-1') as Watch;
  watch.endedFrom = endedFrom;
  for (const [sentAt, isRight] of lists) addLook(watch, isRight, { sentAt, receivedAt: sentAt + 100 });
  return watch.proved;
}

const wrong = (sentAt: number) => [sentAt, false] as const;
const right = (sentAt: number) => [sentAt, true] as const;

test.each([
  ['the last wrong list and the first right one', [wrong(200), wrong(1_200), right(2_200)], [1_100, 100, 2_300]],
  ['a list that left before the event was known may lack it', [wrong(50), right(1_200)], [0, 0, 1_300]],
  ['a list that goes back to what it showed before', [right(200), wrong(1_200), right(2_200)], [1_100, 0, 2_300]],
  ['right lists afterward change nothing', [right(200), right(1_200)], [0, 0, 300]],
  ['two wrong lists in a row confirm', [wrong(200), wrong(1_200), wrong(2_200), right(3_200)], [2_100, 1_100, 3_300]],
  ['a list that left earlier and came later says nothing', [right(2_200), wrong(1_200), right(3_200)], [0, 0, 2_300]],
])('%s', (_name, lists, [atLeastMs, confirmedMs, atMostMs]) => {
  expect(watched(lists)).toEqual({ atLeastMs, confirmedMs, atMostMs });
});

test('an order that has ended may be lacking: such a list is no lag', () => {
  expect(watched([wrong(1_200), wrong(1_900), right(3_000)], 2_000)).toMatchObject({ atLeastMs: 1_100 });
});

test('without a right list nothing is proved', () => {
  expect(watched([wrong(1_200), wrong(2_200)])).toBeNull();
});
