// What lists of open orders prove of how far they trail, and what they don't.
import { describe, expect, test } from '@jest/globals';
import {
  goneLag,
  isSettled,
  listedLag,
  noteListed,
  type OrderWatch,
  watchOrder,
} from '../../../../src/trader/state/lags.ts';

const ASSUMED_MS = 30_000;
const ROUND_TRIP_MS = 100;

/** Sent at 0 and acknowledged at 100; `lists` says when lists left and whether they showed the order. */
function watched(
  lists: readonly (readonly [sentAt: number, listed: boolean])[],
  ended: Partial<OrderWatch>,
): OrderWatch {
  const watch = watchOrder('BTC/INR', { from: 0, to: 100 });
  for (const [sentAt, listed] of lists) noteListed(watch, listed, { sentAt, receivedAt: sentAt + ROUND_TRIP_MS });
  return Object.assign(watch, ended);
}

const canceledAt = (at: number): Partial<OrderWatch> => ({
  closed: 'canceled',
  cancelSentAt: at,
  canceledAt: at + ROUND_TRIP_MS,
});
const filledAt = (at: number): Partial<OrderWatch> => ({
  closed: 'filled',
  lastFill: { from: at - 20, to: at + 20 },
});

describe('from an acknowledged create to the list that shows it', () => {
  test('the last list that lacked it is the lower end, the first one that showed it the upper', () => {
    const watch = watched(
      [
        [200, false],
        [1_200, false],
        [2_200, true],
      ],
      canceledAt(9_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 1_100, atMostMs: 2_300 });
  });

  test('a list that left before the acknowledgment proves nothing by lacking it', () => {
    const watch = watched(
      [
        [50, false],
        [1_200, true],
      ],
      canceledAt(9_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 0, atMostMs: 1_300 });
  });

  test('one that filled before the list came need not be in it', () => {
    const watch = watched(
      [
        [200, false],
        [1_200, false],
      ],
      filledAt(250),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 0, atMostMs: null });
  });

  test('one that filled later had to be: the list trailed, by how much at the most nobody knows', () => {
    const watch = watched(
      [
        [200, false],
        [1_200, false],
      ],
      filledAt(5_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 1_100, atMostMs: null });
  });

  test('a stale list that shows it after one that rightly lacks it, as it was filled, is no lag of that one', () => {
    const watch = watched(
      [
        [2_000, false],
        [3_000, true],
        [9_000, false],
      ],
      filledAt(1_500),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 0, atMostMs: 3_100 });
  });

  test('a list that goes back to what it showed before is the last wrong one', () => {
    const watch = watched(
      [
        [200, true],
        [1_200, false],
        [2_200, true],
      ],
      canceledAt(9_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 1_100, atMostMs: 2_300 });
  });

  test('longer after the create than any list may trail that is a hole, and no lag', () => {
    const watch = watched(
      [
        [200, true],
        [40_000, false],
        [41_000, true],
      ],
      canceledAt(60_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 0, atMostMs: 300 });
  });

  test('one that no list ever showed may have been canceled by another hand, though our cancel is acknowledged', () => {
    const watch = watched(
      [
        [200, false],
        [13_000, false],
      ],
      canceledAt(15_000),
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 0, atMostMs: null });
    expect(goneLag(watch)).toBeNull();
  });

  test('one that filled in part rested until then at the least, whatever ended it', () => {
    const lastFill = { from: 13_500, to: 13_600 };
    const watch = watched(
      [
        [200, false],
        [13_000, false],
      ],
      { ...canceledAt(15_000), lastFill },
    );
    expect(listedLag(watch, ASSUMED_MS)).toMatchObject({ atLeastMs: 12_900, atMostMs: null });
  });

  test('one list may be of an outage: two in a row confirm what they prove', () => {
    const lists = [
      [200, false],
      [1_200, false],
      [2_200, false],
      [3_200, true],
    ] as const;
    expect(listedLag(watched(lists, canceledAt(9_000)), ASSUMED_MS)).toMatchObject({
      atLeastMs: 2_100,
      confirmedMs: 1_100,
    });
    expect(listedLag(watched(lists.slice(2), canceledAt(9_000)), ASSUMED_MS)).toMatchObject({
      atLeastMs: 2_100,
      confirmedMs: 0,
    });
  });

  test('lists without a row may all be of outages: they confirm nothing', () => {
    const watch = watchOrder('BTC/INR', { from: 0, to: 100 });
    for (const sentAt of [200, 1_200, 2_200])
      noteListed(watch, false, { sentAt, receivedAt: sentAt + 100, empty: true });
    noteListed(watch, true, { sentAt: 3_200, receivedAt: 3_300 });
    expect(listedLag(Object.assign(watch, canceledAt(9_000)), ASSUMED_MS)).toMatchObject({
      atLeastMs: 2_100,
      confirmedMs: 0,
    });
  });

  test('where nothing of ours says when it ended, nothing is proved', () => {
    const watch = watched(
      [
        [200, false],
        [1_200, true],
      ],
      { closed: 'canceled' },
    );
    expect(listedLag(watch, ASSUMED_MS)).toBeNull();
  });
});

describe('from its end to the list that lacks it', () => {
  test('counted from the acknowledged cancel, and at the most from the leaving of the cancel', () => {
    const watch = watched(
      [
        [500, true],
        [5_200, true],
        [6_200, false],
      ],
      canceledAt(5_000),
    );
    expect(goneLag(watch)).toMatchObject({ atLeastMs: 100, atMostMs: 1_300 });
  });

  test('counted from the last fill, by the time that the exchange gave it', () => {
    const watch = watched(
      [
        [500, true],
        [5_200, true],
        [6_200, false],
      ],
      filledAt(5_000),
    );
    expect(goneLag(watch)).toMatchObject({ atLeastMs: 180, atMostMs: 1_320 });
  });

  test('listed again: the last list that showed it counts', () => {
    const watch = watched(
      [
        [5_200, false],
        [7_200, true],
        [8_200, false],
      ],
      canceledAt(5_000),
    );
    expect(goneLag(watch)).toMatchObject({ atLeastMs: 2_100, atMostMs: 3_300 });
  });

  test('not settled before any list came', () => {
    expect(isSettled(watched([], canceledAt(5_000)), 0)).toBe(false);
  });

  test('settled once lists have lacked it for long enough, in their order of leaving', () => {
    const watch = watched(
      [
        [5_200, false],
        [64_000, false],
      ],
      canceledAt(5_000),
    );
    expect(isSettled(watch, 60_000)).toBe(false);
    noteListed(watch, true, { sentAt: 5_100, receivedAt: 66_000 });
    expect(isSettled(watch, 58_000)).toBe(true);
  });
});
