// The exchange counts when a request arrives: a lane that keeps its pace when requests leave is refused where one is
// longer on its way than the next. No limit here changes, so nothing may be refused.
import { describe, expect, test } from '@jest/globals';
import type { Random } from '../../../../src/ports/random.ts';
import { minutes, type Play, play, within } from './busy-lane.ts';
import { fixedWindow, LIMITERS, type Telling } from './simulated-limiter.ts';

type Way = NonNullable<Play['way']>;
const SLOW = { requests: 1, perMs: 2_500 };
const TEN = { requests: 10, perMs: 1_000 };
const TELLINGS: readonly Telling[] = ['nothing', 'exactly', 'in whole seconds'];

/** A lane that is configured as fast as the limit allows, where no other way is named. */
function refusedOf(limit: typeof TEN, way: Way, more: Partial<Play> = {}): readonly number[] {
  const settings = { intervalMs: limit.perMs / limit.requests };
  const telling = 'in whole seconds';
  return play({ settings, limit, limiter: fixedWindow, telling, way, lastsMs: minutes(15), ...more }).refused;
}

/** All ways take as long as each other but those that are listed: there, and back. */
const ways =
  (usual: number, rare: Readonly<Record<number, readonly [number, number]>>): Way =>
  (nth, to) =>
    rare[nth]?.[to === 'exchange' ? 0 : 1] ?? usual;

describe('one request a window', () => {
  test('one that is late by more than a twentieth of the interval', () => {
    expect(refusedOf(SLOW, ways(40, { 70: [240, 40], 71: [25, 40] }))).toEqual([]);
  });

  test('one that is as quick as others were long before: what is usual is not what is possible', () => {
    const way = ways(60, { 0: [20, 20], 110: [45, 20], 111: [20, 20] });
    expect(refusedOf(SLOW, way, { telling: 'nothing' })).toEqual([]);
  });

  test('one that is quicker than the first that were seen', () => {
    expect(refusedOf(SLOW, ways(40, { 0: [57, 115], 1: [129, 23], 2: [25, 106] }))).toEqual([]);
  });
});

/** Wherever windows begin: one of these is the first in its window. */
const each = (way: readonly [number, number]) =>
  Object.fromEntries(Array.from({ length: 10 }, (_, n) => [200 + n * 21, way]));

describe('several in flight', () => {
  test('one that begins a window of ten late: the tenth after it waits for the end of that', () => {
    expect(refusedOf(TEN, ways(30, each([120, 30])), { maxInFlight: 4 })).toEqual([]);
  });

  test('one that is overtaken is counted in the window of those that overtook it', () => {
    expect(refusedOf(TEN, ways(30, each([230, 30])), { maxInFlight: 4 })).toEqual([]);
  });

  test('one that has no answer yet may still arrive', () => {
    const { refused, taken } = play({
      settings: { intervalMs: 1_000 },
      limit: { requests: 1, perMs: 1_000 },
      limiter: fixedWindow,
      telling: 'nothing',
      way: ways(30, { 90: [250, 1_500] }),
      maxInFlight: 4,
      lastsMs: minutes(3),
    });
    expect(refused).toEqual([]);
    expect(within(taken, minutes(1), minutes(3))).toBeGreaterThanOrEqual(115);
  });
});

describe('each way takes 20 ms and a part that is drawn, 30 ms on average and now and then 200', () => {
  const drawn: Way = (_nth, _to, random: Random) => Math.round(20 - 30 * Math.log(1 - random.next()));
  const limiters = Object.entries(LIMITERS).flatMap(([name, limiter]) =>
    TELLINGS.map((telling) => ({ name, limiter, telling })),
  );
  test.each(limiters)('$name, told $telling: nothing is refused, and little given away', ({ limiter, telling }) => {
    for (const [limit, least] of [
      [SLOW, 0.96],
      [{ requests: 1, perMs: 1_000 }, 0.92],
      [TEN, 0.88],
    ] as const) {
      for (const seed of [1, 2, 3]) {
        const settings = { intervalMs: limit.perMs / limit.requests };
        const lane = { settings, limit, limiter, telling, way: drawn, maxInFlight: 4, seed };
        const { taken, refused } = play({ ...lane, lastsMs: minutes(11) });
        expect({ limit, seed, refused }).toEqual({ limit, seed, refused: [] });
        const share = within(taken, minutes(1), minutes(11)) / (minutes(10) / settings.intervalMs);
        expect(share).toBeGreaterThanOrEqual(least);
      }
    }
  });
});

test('what is worked on for long before it is answered costs a fifth of the pace at most', () => {
  const worked: Way = (nth, to) => (to === 'lane' && nth % 5 === 3 ? 2_000 : 25);
  const { taken, refused } = play({
    settings: { intervalMs: 100 },
    limit: TEN,
    limiter: fixedWindow,
    telling: 'nothing',
    way: worked,
    maxInFlight: 8,
    lastsMs: minutes(4),
  });
  expect(refused).toEqual([]);
  expect(within(taken, minutes(1), minutes(4))).toBeGreaterThanOrEqual(0.79 * 1_800);
});
