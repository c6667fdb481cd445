// What a person makes of a run: within what limits and money were made for, and named as it is.
import { expect, test } from '@jest/globals';
import { profileOf, runOf } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { PROFILE_NAMES, type ProfileName } from '../../../../simulation/profile/profile.ts';
import { createPresentRuns } from '../../../../simulation/steering/present-runs.ts';
import { revisedMarket } from '../../../../simulation/steering/revised-market.ts';
import { randomStream } from '../../../../src/crowd/random.ts';

const SEEDS = Array.from({ length: 60 }, (_, seed) => String(seed));

const drawnIn = (profile: ProfileName) =>
  SEEDS.flatMap((seed) => {
    const plan = drawPlan(seed, { profile });
    const of = profileOf(plan);
    return of.markets.map((market) => ({
      market,
      profile: of,
      revised: revisedMarket(market, of, randomStream(seed, 'a person')),
    }));
  });

test.each(PROFILE_NAMES)('in %s each change is one that the configuration takes', (name) => {
  for (const { profile, revised } of drawnIn(name)) expect(() => runOf(revised.market, profile)).not.toThrow();
});

test('orders grow no larger, levels no more, and what is named is what changed', () => {
  const kinds = new Set<string>();
  for (const { market, revised } of drawnIn('default')) {
    const { quotes } = revised.market;
    expect(Number(quotes.orderSize)).toBeLessThanOrEqual(Number(market.quotes.orderSize));
    expect(quotes.levels).toBeGreaterThanOrEqual(1);
    expect(Number(quotes.levels)).toBeLessThanOrEqual(Number(market.quotes.levels));
    expect(Number(quotes.halfSpreadBps) / Number(market.quotes.halfSpreadBps)).toBeGreaterThan(0.69);
    const changed = Object.keys(quotes).filter((key) => quotes[key] !== market.quotes[key]);
    for (const key of changed) expect(revised.parameters[`params.${key}`]).toBe(String(quotes[key]));
    for (const path of Object.keys(revised.parameters)) kinds.add(path);
  }
  expect([...kinds].sort()).toEqual([
    ...['params.halfSpreadBps', 'params.halfSpreadStepBps', 'params.levels', 'params.orderSize'],
    ...['params.orderSizeStep', 'quoting.inventory', 'refresh.priceToleranceBps', 'refresh.refreshMs'],
  ]);
});

test('what is changed in the running bot alone is gone with it', () => {
  const profile = profileOf(drawPlan('1'));
  const [first, second] = profile.markets.map((market) => runOf(market, profile));
  if (first === undefined || second === undefined) throw new Error('Two markets were expected.');
  const runs = createPresentRuns([first, second]);
  const [inFile, forNow] = [{ ...first }, { ...second }];
  runs.revise(inFile, true);
  runs.revise(forNow, false);
  expect(runs.now()[0]).toBe(inFile);
  expect(runs.now()[1]).toBe(forNow);
  runs.begun();
  expect(runs.now()[0]).toBe(inFile);
  expect(runs.now()[1]).toBe(second);
});
