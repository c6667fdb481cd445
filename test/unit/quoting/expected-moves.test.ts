// The moves that `plan` foretells, against walks of the price.
import { describe, expect, test } from '@jest/globals';
import { expectedMoves } from '../../../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';

const quotes = { volatility: 2, orders: 4, requestsPerSecond: 0.4 };

/** Seconds until a walk of `volatility` per √s leaves the band, the mean of many; the same numbers every time. */
function meanExit(below: number, above: number, volatility: number): number {
  const steps = 200;
  const step = volatility / Math.sqrt(steps);
  let state = 1;
  let walked = 0;
  const walks = 2_000;
  for (let walk = 0; walk < walks; walk += 1)
    for (let at = 0; at > -below && at < above; walked += 1) {
      state = (state * 48_271) % 2_147_483_647;
      at += state % 2_000 < 1_000 ? step : -step;
    }
  return walked / walks / steps;
}

describe('moves in an hour', () => {
  test.each([
    [10, 20, 2],
    [5, 5, 2],
    [20, 10, 3],
  ])('with %d bps one way and %d the other, at %d bps per √s, are as many as walks of the price give', (...walk) => {
    const [nearer, away, volatility] = walk;
    const refresh = diffSettingsSchema.parse({ priceToleranceBps: nearer, priceToleranceAwayBps: away, refreshMs: 0 });
    const walked = 3_600 / meanExit(nearer, away, volatility);
    const { perHour } = expectedMoves({ ...quotes, refresh, volatility });
    expect(Math.abs(perHour / walked - 1)).toBeLessThan(0.1);
  });

  test('are held up by the refresh time, and take their share of the lane', () => {
    const refresh = diffSettingsSchema.parse({ priceToleranceBps: 1, refreshMs: 30_000 });
    const moves = expectedMoves({ ...quotes, refresh });
    expect(moves).toEqual({ perHour: 120, requestsPerHour: 960, laneShare: 960 / 1_440 });
  });

  test('are none where the price stands still', () => {
    const refresh = diffSettingsSchema.parse({});
    expect(expectedMoves({ ...quotes, volatility: 0, refresh }).perHour).toBe(0);
  });
});
