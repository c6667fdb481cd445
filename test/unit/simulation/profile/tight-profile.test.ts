// The tight profile is what it is called, and changes nothing of what a seed suffers.
import { describe, expect, test } from '@jest/globals';
import { drawPlan, planLine } from '../../../../simulation/plan/plan.ts';
import { reproFlags } from '../../../../simulation/plan/repro-command.ts';
import { tightProfile } from '../../../../simulation/profile/tight-profile.ts';

const seeds = Array.from({ length: 200 }, (_, seed) => String(seed));

describe('the tight profile', () => {
  test('quotes within 2 to 5 bps on two levels or three', () => {
    for (const seed of seeds)
      for (const { quotes } of tightProfile(seed).markets) {
        expect(Number(quotes.halfSpreadBps)).toBeGreaterThanOrEqual(2);
        expect(Number(quotes.halfSpreadBps)).toBeLessThanOrEqual(5);
        expect([2, 3]).toContain(quotes.levels);
      }
  });

  test('has each kind of limit narrow in a good part of the seeds', () => {
    const share = (isNarrow: (seed: string) => boolean): number => seeds.filter(isNarrow).length / seeds.length;
    const bids = (seed: string): number => {
      const { levels } = tightProfile(seed).markets[0]?.quotes ?? {};
      return Number(levels) === 2 ? 78_000 : 129_000;
    };
    const of = (seed: string, name: string): number[] =>
      tightProfile(seed).markets.map(({ limits }) => Number(limits[name]));
    for (const part of [
      share((seed) => tightProfile(seed).openingQuotes.INR?.lt(1.3 * bids(seed)) === true),
      share((seed) => of(seed, 'maxOpenOrders').some((most) => most < 8)),
      share((seed) => of(seed, 'maxOpenNotionalOverAll').some((most) => most < 1.25 * 2 * bids(seed))),
      share((seed) => of(seed, 'minInventoryBase').some((least) => least > 0)),
    ]) {
      expect(part).toBeGreaterThan(0.25);
      expect(part).toBeLessThan(0.8);
    }
  });

  test('is named by the line of a plan, and by the command that gives the run again', () => {
    expect(planLine(drawPlan('3', { profile: 'tight' }))).toMatch(/^seed 3 of the profile tight; /);
    expect([reproFlags({ profile: 'tight' }), reproFlags({ profile: 'default' }), reproFlags({})]).toEqual([
      ' --profile tight',
      '',
      '',
    ]);
  });
});
