// What the checks of liveness are for: a bot that falls silent, or forgets a symbol, is seen; one that is told to wait
// is not blamed.
import { describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext } from '../../../simulation/checks/context.ts';
import type { Told } from '../../../simulation/checks/journal-model.ts';
import { createLaneHealth } from '../../../simulation/checks/lane-health.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';

describe('where orders are never let through', () => {
  const broken = async (assets: readonly string[]): Promise<readonly string[]> => {
    const { violations } = await simulate(drawPlan('7', { faults: [] }), {
      trader: (settings) => ({
        ...settings,
        runs: settings.runs.map((run) =>
          assets.includes(run.instrument.base)
            ? { ...run, limits: { ...run.limits, maxOpenNotional: decimal(1) } }
            : run,
        ),
      }),
    });
    return violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`);
  };

  test('of one symbol, that one breaks L1, and the other does not', async () => {
    const idle = /^L1: Nothing is in the way of ETH\/INR, and it has had no order for \d+ s\.$/;
    expect(await broken(['ETH'])).toEqual([expect.stringMatching(idle)]);
  });

  test('of both, L6 is broken besides', async () => {
    const never = 'L6: Without a fault an order was on the book for 0 % of the time.';
    expect(await broken(['ETH', 'BTC'])).toEqual([expect.stringMatching(/^L1: /), never]);
  });
});

test('a bot that is refused at every start breaks L1, and L3 as well: nobody knows what it left behind', async () => {
  const plan = drawPlan('8', { hours: 0.5, faults: ['F90'] });
  const { violations } = await simulate(plan, {
    trader: (settings, nth) => (nth === 1 ? settings : { ...settings, runs: settings.runs.slice(0, 1) }),
  });
  const sentences = violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`);
  expect(sentences).toEqual([
    expect.stringMatching(/^L1: A start was refused: The journal holds order .* of ETH\/INR/),
    expect.stringMatching(/^L3: (The stop was not proved within|\d+ own orders are live)/),
  ]);
});

describe('a lane', () => {
  const at = (now: number): CheckContext =>
    ({ now: () => now, calmSince: () => 0, phase: () => 'chaos', clockError: () => 0 }) as unknown as CheckContext;
  const answered = (status: number | null, sentAt = Number.POSITIVE_INFINITY): Answered =>
    ({ endpoint: 'wallet', status, sentAt }) as unknown as Answered;

  test('was told to wait, whatever is answered afterward that had left before', () => {
    const health = createLaneHealth();
    health.answered(at(MINUTE), answered(429));
    health.answered(at(MINUTE + 1), answered(200, MINUTE - 1));
    expect(health.isHeldBack(at(3 * MINUTE))).toBe(true);
    health.answered(at(MINUTE + 2), answered(200, MINUTE + 1));
    expect(health.isHeldBack(at(3 * MINUTE))).toBe(false);
  });

  test('is near its pace after twenty answers to what slowed it down, and at once after a start', () => {
    const health = createLaneHealth();
    expect(health.fastSince()).toBe(Number.NEGATIVE_INFINITY);
    health.answered(at(0), answered(429));
    for (let second = 1; second < 20; second += 1) health.answered(at(second), answered(200, second));
    expect(health.fastSince()).toBe(Number.POSITIVE_INFINITY);
    health.answered(at(20), answered(200, 20));
    health.answered(at(21), answered(200, 21));
    expect(health.fastSince()).toBe(20);
    health.answered(at(22), answered(429));
    expect(health.fastSince()).toBe(Number.POSITIVE_INFINITY);
    health.recorded(at(23), { type: 'session-started' } as Told);
    expect(health.fastSince()).toBe(20);
  });

  test.each([
    ['two requests within six seconds', 6_000, 25 * 11_000 + 6_000],
    ['twenty minutes', 11_000, 110 * 11_000],
  ])('that is still slow after twenty answers is near its pace after %s', (_after, lastMs, fastAt) => {
    const health = createLaneHealth();
    health.answered(at(0), answered(429));
    let now = 0;
    const sent = (afterMs: number): void => {
      now += afterMs;
      health.answered(at(now), answered(200, now));
    };
    for (let nth = 0; nth < 25; nth += 1) sent(11_000);
    expect(health.fastSince()).toBe(Number.POSITIVE_INFINITY);
    while (now < fastAt) sent(lastMs);
    expect(health.fastSince()).toBe(fastAt);
  });

  test.each([
    ['was told to wait', 503, true],
    ['got no answer', null, true],
    ['was answered', 200, false],
  ])('that is silent for two minutes and %s: held back is %s', (_why, status, expected) => {
    const health = createLaneHealth();
    health.answered(at(MINUTE), answered(200));
    health.answered(at(MINUTE), answered(status));
    expect(health.isHeldBack(at(3 * MINUTE))).toBe(expected);
    expect(health.isHeldBack(at(8 * MINUTE))).toBe(false);
  });
});
