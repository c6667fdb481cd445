// A busy lane where all is refused now and then, whatever the pace, and where limits change under it: what the limit
// allows is made use of, and no row of refusals goes on.
import { describe, expect, test } from '@jest/globals';
import { intervalOf } from '../../../../src/client/pace/lane-pace.ts';
import { minutes, type Play, type Played, play, within } from './busy-lane.ts';
import { fixedWindow } from './simulated-limiter.ts';

const SEEDS = [1, 2, 3];
const SECOND = 1_000;
const settings = { intervalMs: 1_050 };
const base = { settings, limiter: fixedWindow, telling: 'nothing' } as const;
const ONE_A_SECOND = { requests: 1, perMs: SECOND };

/** The part of what was possible that was taken. */
const used = (taken: readonly number[], intervalMs: number, [from, to]: readonly [number, number]): number =>
  (within(taken, from, to) * intervalMs) / (to - from);

describe('ten times two storms, the limit is one request a second all the while', () => {
  const each = minutes(2);
  test.each([1, 3, 6, 10].flatMap((seconds) => [20, 30, 45, 60].map((apart) => [seconds, apart] as const)))(
    'of %i s, %i s apart: five sixths of the time between them are used',
    (seconds, apart) => {
      for (const seed of SEEDS) {
        const isStorm = (ms: number): boolean =>
          [0, apart * SECOND].some((begins) => (ms % each) - begins >= 0 && (ms % each) - begins < seconds * SECOND);
        const storm = (ms: number): boolean => ms < 10 * each && isStorm(ms);
        const { taken, pace } = play({ ...base, limit: { ...ONE_A_SECOND }, seed, storm, lastsMs: 20 * each });
        const possible = 1 - (2 * seconds * SECOND) / each;
        expect(used(taken, settings.intervalMs, [0, 10 * each])).toBeGreaterThan((possible * 5) / 6);
        // Right after the last ones, too; the rest of it within twenty minutes.
        expect(used(taken, settings.intervalMs, [10 * each, 11 * each])).toBeGreaterThan(0.7);
        expect(intervalOf(pace, settings)).toBe(settings.intervalMs);
      }
    },
  );
});

describe('one storm', () => {
  test.each([1, 5, 20, 120])('of %i s costs its own time and the wait that was growing in it', (seconds) => {
    for (const seed of SEEDS) {
      const over = minutes(5) + seconds * SECOND;
      const storm = (ms: number): boolean => ms >= minutes(5) && ms < over;
      const { taken } = play({ ...base, limit: { ...ONE_A_SECOND }, seed, storm, lastsMs: minutes(12) });
      const back = over + SECOND + Math.min(60, seconds) * SECOND;
      expect(used(taken, settings.intervalMs, [back, back + minutes(1)])).toBeGreaterThan(0.95);
    }
  });
});

/** Refusals that follow each other without a row of ten requests that were taken. */
function longestTrouble({ taken, refused }: Played): number {
  let longest = 0;
  let begins = refused[0] ?? 0;
  refused.forEach((at, index) => {
    const next = refused[index + 1] ?? Number.POSITIVE_INFINITY;
    if (within(taken, at, next) < 10) return;
    longest = Math.max(longest, at - begins);
    begins = next;
  });
  return longest;
}

test.each<[string, Partial<Play> & Pick<Play, 'limit'>, number, number]>([
  ['one a second from now on, then one in two', { limit: { ...ONE_A_SECOND } }, 2_000, 0.9],
  ['one in 2.5 s', { limit: { requests: 1, perMs: 2_500 } }, 2_500, 0.8],
  [
    'one in 2.5 s, told how long to wait',
    { limit: { requests: 1, perMs: 2_500 }, telling: 'how long to wait' },
    2_500,
    0.8,
  ],
  ['two in 5 s', { limit: { requests: 2, perMs: 5_000 } }, 2_500, 0.8],
  ['half, counted in three minutes', { limit: { requests: 86, perMs: minutes(3) } }, 2_093, 0.85],
])('%s: learned, and refused eighty times an hour at the most', (_name, play1, eachMs, least) => {
  for (const seed of SEEDS) {
    const change = (limit: { perMs: number }, ms: number): void => {
      if (limit.perMs === SECOND && ms > minutes(5)) limit.perMs = 2_000;
    };
    const played = play({ ...base, ...play1, limit: { ...play1.limit }, change, seed, lastsMs: minutes(90) });
    expect(used(played.taken, eachMs, [minutes(30), minutes(90)])).toBeGreaterThan(least);
    expect(within(played.refused, minutes(30), minutes(90))).toBeLessThanOrEqual(80);
    expect(longestTrouble(played)).toBeLessThan(minutes(6));
  }
});

test('one in 2.5 s with a storm in each two minutes: more than half of it is used for hours', () => {
  for (const seed of SEEDS) {
    const storm = (ms: number): boolean => ms % minutes(2) < 3 * SECOND;
    const { taken } = play({ ...base, limit: { requests: 1, perMs: 2_500 }, storm, seed, lastsMs: minutes(180) });
    for (const hour of [1, 2])
      expect(used(taken, 2_500, [minutes(60 * hour), minutes(60 * hour + 60)])).toBeGreaterThan(0.6);
  }
});

test('bans that double with each refusal soon after the last one: a few, and then the pace below them', () => {
  for (const seed of SEEDS) {
    let bannedUntil = 0;
    let banMs = SECOND;
    let last = Number.NEGATIVE_INFINITY;
    const limiter = fixedWindow({ requests: 1, perMs: 2_000 });
    const played = play({
      ...base,
      seed,
      limit: { requests: 1, perMs: 2_000 },
      limiter: () => (now) => {
        const verdict = now < bannedUntil ? { allowed: false, remaining: 0, resetAt: bannedUntil } : limiter(now);
        if (verdict.allowed) return verdict;
        banMs = now - last < minutes(1) ? Math.min(minutes(5), 2 * banMs) : 2 * SECOND;
        last = now;
        bannedUntil = now + banMs;
        return { ...verdict, resetAt: bannedUntil };
      },
      telling: 'how long to wait',
      lastsMs: minutes(60),
    });
    expect(within(played.refused, 0, minutes(60))).toBeLessThanOrEqual(16);
    expect(used(played.taken, 2_000, [minutes(10), minutes(60)])).toBeGreaterThan(0.85);
  }
});

/** How long the lane was slower than nearly whole, from a moment on. */
function backAfter({ paces }: Played, from: number): number {
  const slow = paces.findLast(({ at, share }) => at >= from && share < 0.9);
  return slow === undefined ? 0 : slow.at - from;
}

describe('a storm that refuses a part of the requests', () => {
  const lane = { settings: { intervalMs: 250 }, limit: { requests: 1_000, perMs: SECOND } };
  const told = [undefined, { retryAfter: SECOND }];
  const rows = [0.1, 0.3, 0.5].flatMap((part) => told.map((says) => ({ part, says })));
  const long = [
    [1, 3],
    [3, 4],
    [6, 4],
  ] as const;

  describe.each(long)('for %i min', (lasts, most) => {
    test.each(rows)(`$part of them, told $says: the whole pace is back within ${most} min`, ({ part, says }) => {
      const over = minutes(1 + lasts);
      for (let seed = 1; seed <= 5; seed += 1) {
        const storm = (ms: number): number => (ms >= minutes(1) && ms < over ? part : 0);
        const lastsMs = over + minutes(10);
        const played = play({ ...base, ...lane, seed, storm, lastsMs, ...(says && { stormSays: says }) });
        expect(backAfter(played, over)).toBeLessThan(minutes(most));
      }
    });
  });

  describe.each([20, 30, 60])('and one request in each %i s from then on', (seconds) => {
    test.each(rows)('$part of them, told $says: three quarters of the pace are used', ({ part, says }) => {
      const over = minutes(4);
      for (let seed = 1; seed <= 3; seed += 1) {
        let refusedIn = 0;
        const storm = (ms: number): boolean | number => {
          if (ms < over) return ms >= minutes(1) ? part : 0;
          const nth = Math.floor((ms - over) / (seconds * SECOND));
          const isFirst = nth > refusedIn;
          refusedIn = nth;
          return isFirst;
        };
        const lastsMs = over + minutes(20);
        const { taken } = play({ ...base, ...lane, seed, storm, lastsMs, ...(says && { stormSays: says }) });
        expect(used(taken, lane.settings.intervalMs, [over + minutes(10), lastsMs])).toBeGreaterThan(0.75);
      }
    });
  });
});
