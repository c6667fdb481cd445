// A bound that is learned, in whole runs: while lists trail by what they did, and when they begin to trail by more.
import { describe, expect, test } from '@jest/globals';
import { START_AT } from '../../simulation/machine/run.ts';
import { type SimulationResult, simulate } from '../../simulation/machine/simulate.ts';
import { drawPlan } from '../../simulation/plan/plan.ts';
import { MINUTE } from '../../src/domain/time.ts';
import type { PaperSettings } from '../../src/paper/state/settings.ts';

const LONG_MS = 300_000;
const ALWAYS_MS = 500;
const GROWS_AFTER_MS = 25 * MINUTE;
const LISTS = ['openOrdersLagMs', 'tradesLagMs', 'walletLagMs'] as const;

interface Growth {
  readonly of: readonly (typeof LISTS)[number][];
  readonly toMs: number;
}

/**
 * Lists that trail by half a second, and some of them by more and more from 25 minutes on: always less than is assumed,
 * and never so that a list goes back to what it was before.
 */
const growing =
  ({ of, toMs }: Growth) =>
  (settings: PaperSettings): PaperSettings => {
    const quirks = { ...settings.quirks };
    for (const list of LISTS) {
      const grown = (): number => Math.max(0, Date.now() - START_AT - GROWS_AFTER_MS) / 2;
      const get = (): number => (of.includes(list) ? Math.max(ALWAYS_MS, Math.min(toMs, grown())) : ALWAYS_MS);
      Object.defineProperty(quirks, list, { get, enumerable: true });
    }
    return { ...settings, quirks };
  };

async function run(seed: string, growth: Growth): Promise<SimulationResult & { told: string[] }> {
  const told: string[] = [];
  const plan = {
    ...drawPlan(seed, { hours: 1, faults: [] }),
    ...({ learned: true, foreignOrders: 'refuse', readLagBoundMs: 2 * MINUTE, spareLagMs: MINUTE } as const),
    ...{ requestsPerSecond: 4, takersPerSecond: 0.5 },
  };
  const print = (line: string): void => void told.push(line);
  return { ...(await simulate(plan, { paper: growing(growth), print })), told };
}

const brokenBy = ({ violations }: SimulationResult): string[] => violations.map(({ sentence }) => sentence);

test(
  'while lists trail as they did, orders are proved by what was learned, and rightly',
  async () => {
    const result = await run('7', { of: [], toMs: 0 });
    expect(brokenBy(result)).toEqual([]);
    expect(result.counters.get('closed by a learned bound')).toBeGreaterThan(200);
  },
  LONG_MS,
);

describe('when lists begin to trail by more, and by less than is assumed', () => {
  test.each<[string, string, Growth]>([
    ['all of them', '8', { of: LISTS, toMs: 20_000 }],
    ['open orders', '9', { of: ['openOrdersLagMs'], toMs: 20_000 }],
    ['own trades and the wallet, which prove together', '8', { of: ['tradesLagMs', 'walletLagMs'], toMs: 40_000 }],
  ])(
    '%s: as assumed again at once, and every invariant holds',
    async (_which, seed, growth) => {
      const result = await run(seed, growth);
      expect(brokenBy(result)).toEqual([]);
      expect(result.told.filter((line) => line.includes('lag-bound-widened')).length).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
