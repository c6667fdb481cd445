// What the checks of liveness are for: a bot that falls silent, or forgets a symbol, is seen; one that is told to wait is not blamed.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { createHearing } from '../../../src/sim/hearing.ts';
import { drawPlan } from '../../../src/sim/plan.ts';
import type { Answered, Scene } from '../../../src/sim/scene.ts';
import { simulate } from '../../../src/sim/simulate.ts';

test('a symbol whose orders are never let through breaks L1, and the other does not', async () => {
  const { violations } = await simulate(drawPlan('7', { faults: [] }), {
    trader: (settings) => ({
      ...settings,
      runs: settings.runs.map((run) =>
        run.instrument.base === 'ETH' ? { ...run, limits: { ...run.limits, maxOpenNotional: decimal(1) } } : run,
      ),
    }),
  });
  expect(violations.map(({ invariant, sentence }) => [invariant, sentence])).toEqual([
    ['L1', expect.stringMatching(/^Nothing is in the way of ETH\/INR, and it has had no order for \d+ s\.$/)],
  ]);
}, 60_000);

describe('a lane that is silent for two minutes', () => {
  const at = (now: number): Scene => ({ now: () => now, calmSince: () => 0 }) as unknown as Scene;
  const answered = (status: number | null): Answered => ({ endpoint: 'wallet', status }) as unknown as Answered;

  test.each([
    ['was told to wait', 503, true],
    ['got no answer', null, true],
    ['was answered', 200, false],
  ])('and %s: held back is %s', (_why, status, expected) => {
    const hearing = createHearing();
    hearing.answered(at(MINUTE), answered(200));
    hearing.answered(at(MINUTE), answered(status));
    expect(hearing.isHeldBack(at(3 * MINUTE))).toBe(expected);
    expect(hearing.isHeldBack(at(8 * MINUTE))).toBe(false);
  });
});
