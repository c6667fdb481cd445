// A busy lane against exchanges that limit requests in all the ways that are seen: nothing that is allowed is given
// away, and a refusal is the exception.
import { describe, expect, test } from '@jest/globals';
import { minutes, type Play, play, within } from './busy-lane.ts';
import { fixedWindow, LIMITERS, type Limit, type Telling } from './simulated-limiter.ts';

const TELLINGS: readonly Telling[] = ['nothing', 'exactly', 'in whole seconds'];
const SEEDS = [1, 2, 3];
const ways = Object.entries(LIMITERS).flatMap(([name, limiter]) =>
  TELLINGS.map((telling) => ({ name, limiter, telling })),
);

/** A lane that is configured as fast as the limit allows. */
const atLimit = ({ requests, perMs }: Limit): Pick<Play, 'settings' | 'limit'> => ({
  settings: { intervalMs: perMs / requests },
  limit: { requests, perMs },
});

describe('a limit that is what is configured: nine tenths of it are used, and none is refused', () => {
  const limits = [
    [1, 1_000],
    [1, 2_500],
    [10, 1_000],
    [60, 60_000],
  ] as const;
  test.each(ways)('$name, told $telling', ({ limiter, telling }) => {
    for (const [requests, perMs] of limits) {
      for (const seed of SEEDS) {
        const lane = atLimit({ requests, perMs });
        const { taken, refused } = play({ ...lane, limiter, telling, seed, lastsMs: minutes(6) });
        const share = within(taken, minutes(1), minutes(6)) / (minutes(5) / lane.settings.intervalMs);
        expect({ requests, perMs, seed, refused }).toEqual({ requests, perMs, seed, refused: [] });
        expect(share).toBeGreaterThanOrEqual(0.9);
      }
    }
  });
});

describe('half of what is configured, told by headers, with requests in flight while a window is used up', () => {
  test.each(['exactly', 'in whole seconds'] as const)('told %s: the pace is learned', (telling) => {
    for (const maxInFlight of [2, 4]) {
      const { taken, refused, pace } = play({
        settings: { intervalMs: 100 },
        limit: { requests: 5, perMs: 1_000 },
        limiter: fixedWindow,
        telling,
        maxInFlight,
        latencyMs: [130, 150],
        lastsMs: minutes(10),
      });
      expect(pace.rate.share).toBeLessThan(0.6);
      // A try to go faster every few minutes; what is allowed is made use of.
      expect(within(refused, minutes(5), minutes(10))).toBeLessThanOrEqual(5);
      expect(within(taken, minutes(5), minutes(10))).toBeGreaterThanOrEqual(0.8 * 1_500);
    }
  });
});

describe('eight seconds in which all is refused', () => {
  test.each([100, 500, 1_000, 2_500])('each %i ms: nine tenths are back within ten seconds', (intervalMs) => {
    for (const seed of [...SEEDS, 4, 5, 6, 7, 8]) {
      const begins = minutes(2) + seed * 37;
      const over = begins + 8_000;
      const { taken } = play({
        ...atLimit({ requests: 10, perMs: 9 * intervalMs }),
        settings: { intervalMs },
        limiter: fixedWindow,
        telling: 'nothing',
        seed,
        lastsMs: minutes(4),
        storm: (ms) => ms >= begins && ms < over,
      });
      const span = 10 * intervalMs;
      expect(within(taken, over + 10_000, over + 10_000 + span)).toBeGreaterThanOrEqual(9);
    }
  });

  test('half of which are refused: back within a minute and a half, where the lane was down to a part', () => {
    let draw = 7;
    const { taken } = play({
      settings: { intervalMs: 500 },
      limit: { requests: 100, perMs: 100 },
      limiter: fixedWindow,
      telling: 'nothing',
      lastsMs: minutes(5),
      storm: (ms) => {
        draw = (draw * 1_103_515_245 + 12_345) % 2 ** 31;
        return ms >= minutes(2) && ms < minutes(2) + 8_000 && draw % 1_000 < 500;
      },
    });
    const from = minutes(2) + 8_000 + 90_000;
    expect(within(taken, from, from + 10_000)).toBeGreaterThanOrEqual(18);
  });
});

describe('a limit that is halved for three minutes: three refusals tell, one each try, and the rate follows', () => {
  const limits = [
    [2, 1_000],
    [10, 1_000],
    [2, 5_000],
  ] as const;
  test.each(ways)('$name, told $telling', ({ limiter, telling }) => {
    for (const [requests, perMs] of limits) {
      for (const seed of SEEDS) {
        const lane = atLimit({ requests, perMs });
        const { taken, refused } = play({
          ...lane,
          limiter,
          telling,
          seed,
          lastsMs: minutes(12),
          change: (limit, ms) => {
            limit.requests = ms >= minutes(3) && ms < minutes(6) ? requests / 2 : requests;
          },
        });
        const whole = minutes(1) / lane.settings.intervalMs;
        expect(within(refused, 0, minutes(3))).toBe(0);
        expect(within(refused, minutes(3), minutes(12))).toBeLessThanOrEqual(5);
        expect(within(taken, minutes(3), minutes(6))).toBeGreaterThanOrEqual(0.84 * 3 * (whole / 2));
        expect(within(taken, minutes(9), minutes(12))).toBeGreaterThanOrEqual(0.84 * 3 * whole);
      }
    }
  });
});
