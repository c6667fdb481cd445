// A profile changes the market and the money of a seed, and nothing of what the seed suffers.
import { expect, test } from '@jest/globals';
import { paperSettings, tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';

test.each(['tight', 'fractional', 'busy', 'strategies'] as const)(
  '%s: the same for the same seed, with the faults, quirks and lags of the default one, and settings that hold',
  (name) => {
    for (let seed = 0; seed < 100; seed += 1) {
      const plan = drawPlan(String(seed), { profile: name });
      const { profile, requestsPerSecond, ...own } = plan;
      const { profile: _, requestsPerSecond: _pace, ...usual } = drawPlan(String(seed));
      expect([profile, requestsPerSecond > 0]).toEqual([name, true]);
      expect(own).toEqual(usual);
      expect(() => paperSettings(plan)).not.toThrow();
      expect(tradingSettings(plan).trader.runs.length).toBeGreaterThan(0);
      expect(drawPlan(String(seed), { profile: name })).toEqual(plan);
    }
  },
);
