// The profile of the strategies runs each strategy that exists, with parameters that it takes, and changes nothing of
// what a seed suffers.
import { describe, expect, test } from '@jest/globals';
import { paperSettings, tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { distanceBpsOf, levelsOf, sizeOf, widthBpsOf } from '../../../../simulation/presence/quoted.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { strategyNames } from '../../../../strategies/index.ts';

const seeds = Array.from({ length: 200 }, (_, seed) => String(seed));
const runsOf = (seed: string) => tradingSettings(drawPlan(seed, { profile: 'strategies' })).trader.runs;
const runs = seeds.flatMap(runsOf);

describe('the profile of the strategies', () => {
  test('runs every strategy there is, each market by another one', async () => {
    const names = await strategyNames();
    for (const seed of seeds)
      expect(new Set(runsOf(seed).map(({ strategy }) => strategy.name)).size).toBe(runsOf(seed).length);
    for (const place of [0, 1])
      expect([...new Set(seeds.map((seed) => runsOf(seed)[place]?.strategy.name))].toSorted()).toEqual(names);
  });

  test('draws each number of levels, both units of sizes, each way to refresh', () => {
    const spread = runs.filter(({ strategy }) => strategy.name === 'fixed-spread');
    expect(new Set(spread.map(levelsOf))).toEqual(new Set([1, 2, 3]));
    expect(new Set(spread.map(({ params }) => (params as { sizeUnit: string }).sizeUnit))).toEqual(
      new Set(['quote', 'base']),
    );
    expect(new Set(runs.map(({ refresh }) => refresh.whileUnknown))).toEqual(new Set(['replace', 'freeze']));
    expect(new Set(runs.map(({ refresh }) => refresh.refreshMs))).toEqual(new Set([1_000, 5_000, 20_000]));
    expect(new Set(runs.map(({ referenceSource }) => referenceSource)).size).toBe(3);
  });

  test('gives two markets that lead to its own to whom prices by them, on the exchange and in the crowd', () => {
    const all = new Set<string>();
    for (const seed of seeds) {
      const plan = drawPlan(seed, { profile: 'strategies' });
      const run = runsOf(seed).find(({ strategy }) => strategy.name === 'cross-rate');
      const { instruments } = paperSettings(plan).engine;
      const others = instruments.map(({ symbol }) => symbol).filter((symbol) => !/^(BTC|ETH|SOL)\/INR$/.test(symbol));
      if (run === undefined) {
        expect(others).toEqual([]);
        continue;
      }
      const { legs } = run.params as { legs: readonly string[] };
      expect(run.strategy.whyUnfit?.(run.params, run.instrument)).toBe(null);
      expect(instruments.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining([...legs]));
      all.add(`${run.instrument.symbol} by ${legs.join(' and ')}`);
    }
    expect([...all].toSorted()).toEqual([
      'BTC/INR by BTC/USDT and USDT/INR',
      'BTC/INR by ETH/BTC and ETH/INR',
      'ETH/INR by ETH/BTC and BTC/INR',
      'ETH/INR by ETH/USDT and USDT/INR',
    ]);
  });
});

test('what a run means to quote is read as its strategy reads it', () => {
  const [run] = tradingSettings(drawPlan('1')).trader.runs;
  if (run === undefined) throw new Error('No run.');
  const params = { levels: 2, halfSpreadBps: 90, halfSpreadStepBps: 40, skewBps: 60, sizeUnit: 'base', orderSize: 2 };
  const spread = { ...run, params: { ...params, bidHalfSpreadsBps: [100, 200], bidSizes: ['3'] } };
  expect([0, 1].map((level) => distanceBpsOf(spread, 'buy', level))).toEqual([100, 200]);
  expect([0, 1].map((level) => distanceBpsOf(spread, 'sell', level))).toEqual([90, 130]);
  const price = decimal(50);
  expect([0, 1].map((level) => sizeOf(spread, 'buy', { level, price }).toFixed())).toEqual(['3', '2']);
  expect(widthBpsOf(spread, 10)).toBe(200 + 60 + 10);
  const joining = { ...run, strategy: { ...run.strategy, name: 'join-best' }, params: { orderSizeBase: '0.5' } };
  expect([distanceBpsOf(joining, 'buy', 0), levelsOf(joining)]).toEqual([null, 1]);
  expect(sizeOf(joining, 'sell', { level: 0, price }).toFixed()).toBe('0.5');
  expect(widthBpsOf(joining, 140)).toBe(150);
  expect(widthBpsOf(joining, 3)).toBeCloseTo(50.65 + 10, 10);
});
