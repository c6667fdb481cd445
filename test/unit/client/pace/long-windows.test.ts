// A busy lane against limits that are counted over many seconds, of which no header tells how many: a part of each
// window is refused in a row, as by an exchange that takes nothing for a while.
import { describe, expect, test } from '@jest/globals';
import { minutes, type Played, play, within } from './busy-lane.ts';
import { fixedWindow, LIMITERS, type Telling } from './simulated-limiter.ts';

const SEEDS = [1, 2, 3];
const settings = { intervalMs: 1_000 };
const HOUR = minutes(60);

const busy = { settings, limiter: fixedWindow, telling: 'nothing' } as const;

/** The longest time in which nothing was taken. */
function longestGap({ taken }: Played, from: number, to: number): number {
  const moments = [from, ...taken.filter((at) => at >= from && at < to), to];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}

/** When more than `each` lay between two requests last. */
function slowUntil({ taken }: Played, each: number): number {
  const last = taken.findLastIndex((at, index) => at - (taken[index - 1] ?? at) > each);
  return taken[last] ?? 0;
}

describe.each<Telling>(['nothing', 'how long to wait'])('half of what is configured, told %s', (telling) => {
  test.each([10, 20, 60])('counted in %i s: is learned, and tried again every eight minutes', (seconds) => {
    for (const seed of SEEDS) {
      const limit = { requests: seconds / 2, perMs: seconds * 1_000 };
      const played = play({ ...busy, telling, limit, seed, lastsMs: 3 * HOUR });
      // Where no wait is told, a try is refused until the window ends.
      const mostATry = telling === 'nothing' ? { 10: 2, 20: 3, 60: 5 }[seconds] : 1;
      expect(within(played.refused, HOUR, 3 * HOUR)).toBeLessThanOrEqual(2 * 9 * (mostATry ?? 1));
      expect(within(played.taken, HOUR, 3 * HOUR)).toBeGreaterThanOrEqual(0.9 * 2 * 1_800);
      expect(longestGap(played, HOUR, 3 * HOUR)).toBeLessThan(
        telling === 'nothing' && seconds === 60 ? 35_000 : 20_000,
      );
    }
  });
});

// A bucket that holds a minute of requests pays for a whole try: its refusals come late, and one by one.
describe.each(Object.entries(LIMITERS))('a %s of a minute', (_name, limiter) => {
  test.each([0.25, 0.5, 0.8])('that allows %f of what is configured refuses sixty an hour at the most', (share) => {
    for (const seed of SEEDS) {
      for (const telling of ['nothing', 'how long to wait'] as const) {
        const limit = { requests: 60 * share, perMs: minutes(1) };
        const { taken, refused } = play({ settings, limiter, telling, limit, seed, lastsMs: 2 * HOUR });
        expect(within(refused, HOUR, 2 * HOUR)).toBeLessThanOrEqual(60);
        expect(within(taken, HOUR, 2 * HOUR)).toBeGreaterThanOrEqual(0.9 * 60 * limit.requests);
      }
    }
  });
});

describe('what was learned is given back', () => {
  test.each([0.1, 0.25, 0.5])('within twenty minutes, where the limit was %f of it and is lifted', (share) => {
    for (const seed of SEEDS) {
      const liftedAt = HOUR + seed * 97_531;
      const played = play({
        ...busy,
        limit: { requests: 60 * share, perMs: minutes(1) },
        seed,
        lastsMs: 2 * HOUR,
        change: (limit, ms) => {
          if (ms >= liftedAt) limit.requests = 1_000;
        },
      });
      expect(slowUntil(played, 1_050) - liftedAt).toBeLessThan(minutes(20));
    }
  });

  test.each([
    ['once for ten minutes', 1.5, (ms: number) => ms < minutes(10)],
    ['twice for eight seconds, half a minute apart', 3, (ms: number) => ms < 8_000 || (ms >= 38_000 && ms < 46_000)],
    ['for eight seconds in each of ten minutes', 3, (ms: number) => ms < minutes(10) && ms % 60_000 < 8_000],
    ['each tenth request for ten minutes', 20, (ms: number) => ms < minutes(10) && Math.floor(ms) % 10 === 0],
    ['each thirtieth request for an hour', 20, (ms: number) => ms < HOUR && Math.floor(ms) % 30 === 0],
  ])('where all was refused %s: within %f minutes', (_name, most, isRefused) => {
    for (const seed of SEEDS) {
      const unlimited = { requests: 1_000, perMs: 1_000 };
      const storm = (ms: number): boolean => ms >= HOUR && isRefused(ms - HOUR);
      const played = play({ ...busy, limit: unlimited, seed, lastsMs: 3 * HOUR, storm });
      expect(slowUntil(played, 1_050) - (played.refused.at(-1) ?? 0)).toBeLessThan(minutes(most));
    }
  });
});
