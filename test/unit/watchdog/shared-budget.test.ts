// With the bot's key the watchdog goes on where the bot's pace was, one interval after the bot's end: the exchange
// counts both together. Answers lead back from there.
import { describe, expect, test } from '@jest/globals';
import type { LeasePace } from '../../../src/ports/lease.ts';
import { WatchWorld } from './watch-world.ts';

/** Moments of the requests after the bot was seen to be gone, from there on. */
function requestsAfterEnd(pace: (wall: number) => LeasePace | null, sharesKey = true): number[] {
  const world = new WatchWorld({ sharesKey });
  const bot = world.lives();
  for (const id of ['1-1-1', '1-2-1', '1-3-1']) world.rests(id);
  world.pace = pace(world.wall + 20_000);
  world.run(20_000);
  bot.freeze();
  world.run(120_000);
  const gone = world.when('tell watching: The bot is gone');
  return world.done.filter((line) => line.includes(' send ')).map((line) => Number(line.split(' ')[0]) - gone);
}

const gaps = (at: readonly number[]): number[] => at.slice(1).map((each, index) => each - (at[index] ?? 0));

describe('with the bot’s key', () => {
  test('the first request leaves an interval after the bot’s end; what is taken leads back to the own pace', () => {
    const at = requestsAfterEnd(() => ({ intervalMs: 2_000, pausedUntil: null }));
    expect(at[0]).toBe(2_000);
    expect(gaps(at).slice(0, 3).map(Math.round)).toEqual([2_000, 250, 250]);
    expect(Math.min(...gaps(at))).toBeGreaterThanOrEqual(250);
  });

  test('a pause that the exchange asked for is kept, up to a minute', () => {
    const paused = requestsAfterEnd((wall) => ({ intervalMs: 500, pausedUntil: wall + 80_000 }));
    // The bot was seen gone some 47 s after its last sign of life.
    expect(paused[0]).toBeGreaterThan(20_000);
    expect(paused[0]).toBeLessThan(60_001);
  });

  test('a bot that was never slowed down leaves the configured pace', () => {
    expect(requestsAfterEnd(() => ({ intervalMs: 100, pausedUntil: null }))[0]).toBe(250);
    expect(requestsAfterEnd(() => null)[0]).toBe(250);
  });
});

test('with a key of its own it begins at once, at its own pace', () => {
  const at = requestsAfterEnd((wall) => ({ intervalMs: 2_000, pausedUntil: wall + 80_000 }), false);
  expect(at[0]).toBe(0);
  expect(Math.min(...gaps(at))).toBe(250);
});
