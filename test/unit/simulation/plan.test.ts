// What a seed draws: the same each time, and each fault from a stream of its own.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isLaterFault, isWatchdogFault, SIM_FAULTS } from '../../../simulation/faults/catalogue.ts';
import { paperSettings, tradingSettings } from '../../../simulation/plan/configuration.ts';
import { drawPlan, planLine, planned } from '../../../simulation/plan/plan.ts';

const seeds = (count: number): string[] => Array.from({ length: count }, (_, seed) => String(seed));

describe('a plan', () => {
  test('is the same for the same seed', () => {
    expect(drawPlan('17')).toEqual(drawPlan('17'));
    expect(drawPlan('17')).not.toEqual(drawPlan('18'));
  });

  test('keeps every magnitude when other faults are taken away: that is what shrinking relies on', () => {
    const whole = drawPlan('10');
    expect(planned(whole).length).toBeGreaterThan(5);
    for (const fault of whole.faults) {
      expect(drawPlan('10', { faults: [fault.id] }).faults).toEqual([fault]);
    }
  });

  test('has no fault in about a twentieth of the seeds, and one alone in about a fifth', () => {
    const counts = seeds(600).map((seed) => drawPlan(seed).faults.length);
    const share = (faults: number): number => counts.filter((count) => count === faults).length / counts.length;
    expect(share(0)).toBeGreaterThan(0.02);
    expect(share(0)).toBeLessThan(0.09);
    expect(share(1)).toBeGreaterThan(0.15);
    expect(share(1)).toBeLessThan(0.32);
  });

  test('reaches every fault of the simulator within a thousand seeds', () => {
    const reached = new Set(seeds(1_000).flatMap((seed) => planned(drawPlan(seed))));
    expect(SIM_FAULTS.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('draws what came later beside the others, and changes nothing where it is not drawn', () => {
    const later = new Set(SIM_FAULTS.filter(isLaterFault).map(({ id }) => id));
    const watched = new Set(SIM_FAULTS.filter(isWatchdogFault).map(({ id }) => id));
    let alone = 0;
    for (const seed of seeds(400)) {
      const [all, first] = [planned(drawPlan(seed)), planned(drawPlan(seed, { firstKinds: true }))];
      const drawn = all.filter((id) => !watched.has(id));
      expect(first.filter((id) => later.has(id) || watched.has(id))).toEqual([]);
      const isAlone = drawn.length === 1 && later.has(drawn[0] as (typeof drawn)[0]);
      if (isAlone) alone += 1;
      else expect(drawn.filter((id) => !later.has(id))).toEqual(first);
    }
    expect(alone).toBeGreaterThan(0);
  });

  test('has a watchdog where one of its faults is drawn, in about a tenth of the seeds that have another one', () => {
    const plans = seeds(600).map((seed) => drawPlan(seed));
    const isWatched = (id: string): boolean => ['F124', 'F125', 'F126', 'F127'].includes(id);
    for (const plan of plans) expect(plan.watched).toBe(planned(plan).some(isWatched));
    for (const plan of plans.filter(({ watched }) => watched))
      expect(planned(plan).filter((id) => !isWatched(id))).not.toEqual([]);
    const share = plans.filter(({ watched }) => watched).length / plans.length;
    expect(share > 0.06 && share < 0.14).toBe(true);
  });

  test('never lets a list trail by more than the bot is told', () => {
    for (const seed of seeds(300)) {
      const { quirks, readLagBoundMs, spareLagMs } = drawPlan(seed);
      const { openOrdersLagMs = 0, cancelLagMs = 0, tradesLagMs = 0, walletLagMs = 0 } = quirks;
      expect(cancelLagMs + Math.max(openOrdersLagMs, tradesLagMs, walletLagMs) + spareLagMs).toBe(readLagBoundMs);
    }
  });

  test('draws each choice of the exchange in about a sixth of the seeds, those of the matching engine too', () => {
    const drawn = seeds(600).map((seed) => drawPlan(seed, { faults: [] }).quirks);
    for (const name of [
      'tradeListOrder',
      'transferPage',
      'lockedIncludes',
      'crossing',
      'selfTrade',
      'rounding',
    ] as const) {
      const share = drawn.filter((quirks) => quirks[name] !== undefined).length / drawn.length;
      expect([name, share > 0.11 && share < 0.22]).toEqual([name, true]);
    }
  });

  test('knows only the first of them where that is asked for: kept seeds stay what they were', () => {
    const drawn = seeds(200).flatMap((seed) => Object.keys(drawPlan(seed, { faults: [], firstKinds: true }).quirks));
    expect(drawn).toContain('tradeListOrder');
    for (const name of ['transferListOrder', 'lockedIncludes', 'crossing', 'selfTrade', 'rounding'])
      expect(drawn).not.toContain(name);
  });

  test('tells the bot what the exchange does: whether `locked` holds what is staked (Q12)', () => {
    const told = (lockedIncludes: 'all' | 'trading') => {
      const plan = drawPlan('1', { quirks: { lockedIncludes } });
      const { assumptions } = tradingSettings(plan).trader;
      return [paperSettings(plan).quirks.lockedIncludes, assumptions.lockedIncludesStakingAndOtc];
    };
    expect([told('all'), told('trading')]).toEqual([
      ['all', true],
      ['trading', false],
    ]);
  });

  test('gives a trade with ourselves (F51) an exchange that lets it happen', () => {
    for (const seed of seeds(50)) {
      const { engine } = paperSettings(drawPlan(seed, { faults: ['F51'] }));
      expect([engine.selfTrade, engine.crossing]).toEqual(['allow', 'takes']);
    }
  });

  test('says everything in one line', () => {
    expect(planLine(drawPlan('1', { faults: ['F45'], hours: 2 }))).toMatch(
      /^seed 1; 2 h and \d+\.\d h down, calm from .* faults F45×/,
    );
  });
});

interface Kept {
  readonly seed: number;
  readonly faults?: readonly string[];
  readonly firstKinds?: boolean;
}

test('a kept seed stays the run that broke, whatever else a seed may draw later', () => {
  const file = path.resolve(import.meta.dirname, '../../simulation/corpus.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as readonly Kept[];
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.filter(({ faults, firstKinds }) => faults === undefined && firstKinds !== true)).toEqual([]);
});
