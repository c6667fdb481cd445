// The unit of each parameter that a person may change: declared with it, never guessed from its name.
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { writtenParameters } from '../../../src/bot/settings/parameters.ts';
import { amount } from '../../../src/quoting/amount.ts';
import { loadStrategy, strategyNames } from '../../../strategies/index.ts';

const ASSETS = { base: 'BTC', quote: 'INR' };
const strategies = await Promise.all((await strategyNames()).map((name) => loadStrategy(name)));
const all = strategies.flatMap((loaded) => {
  if (!loaded.ok) throw new Error(loaded.error);
  return writtenParameters(loaded.value, ASSETS);
});
const units = new Map(all.map(({ path, unit }) => [path, unit]));

test.each([
  ['params.decayPerBps', '1/bps'],
  ['params.driftBpsPerSecond', 'bps/s'],
  ['params.volatilityBpsPerSqrtSecond', 'bps/√s'],
  ['params.horizonSeconds', 's'],
  ['params.halfSpreadBps', 'bps'],
  ['params.bidHalfSpreadsBps', 'bps'],
  ['params.inventoryRangeBase', 'BTC'],
  ['params.skewMultiplier', ''],
  ['quoting.priceBand.floor', 'INR'],
  ['quoting.optimizeDepth', 'BTC'],
  ['limits.maxOrderNotional', 'INR'],
])('%s is in %j', (path, unit) => expect(units.get(path)).toBe(unit));

test('a name that ends with its unit is of a parameter that declares one', () => {
  const named = [...units].filter(([path]) => /(?:Bps|Ms|Seconds?|Minutes|Base|Quote|Notional|Loss)$/.test(path));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(([, unit]) => unit === '')).toEqual([]);
});

test('a strategy of your own shows what it declares, and nothing else', () => {
  const params = z.object({ impactPerBps: z.number(), soldQuote: z.string(), size: amount('positive', 'base') });
  const own = writtenParameters({ params }, ASSETS).filter(({ path }) => path.startsWith('params.'));
  expect(own.map(({ path, unit }) => [path, unit])).toEqual([
    ['params.impactPerBps', ''],
    ['params.soldQuote', ''],
    ['params.size', 'BTC'],
  ]);
});
