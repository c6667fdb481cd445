// The numbers of docs/strategies.md, as they stand there.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { MarketView } from '../../../src/quoting/strategy.ts';
import { loadStrategy } from '../../../strategies/index.ts';
import { book, view } from '../quoting/market.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/strategies.md'), 'utf8');
/** On target: 1 BTC of 1 wanted. An order of 50,000 INR is 50,000 / 5,500,000 BTC. */
const HELD = (total: string): Partial<MarketView> => ({
  referencePrice: decimal(5_500_000),
  book: book(['5499999 x 1'], ['5500001 x 1']),
  base: { asset: 'BTC', total: decimal(total), free: decimal(total) },
  quote: { asset: 'INR', total: decimal(0), free: decimal(0) },
  inventoryTarget: decimal(1),
});
const ON_TARGET = HELD('1');
const ONE_TOO_MUCH = HELD(decimal(50_000).div(5_500_000).add(1).toFixed(18));

async function quoted(name: string, params: object, changes: Partial<MarketView>): Promise<readonly number[]> {
  const loaded = await loadStrategy(name);
  if (!loaded.ok) throw new Error(loaded.error);
  const parsed = loaded.value.params.parse({ orderSize: '50000', ...params });
  return loaded.value.quote(view(changes), parsed, undefined).quotes.map(({ price }) => price.toNumber());
}

const bpsOf = (prices: readonly number[]): string[] =>
  prices.map((price) => Math.abs((price / 5_500_000 - 1) * 10_000).toFixed(2));

const stands = (text: string): void => expect(PAGE.replaceAll(/\s+/g, ' ')).toContain(text);

test('fixed-spread', async () => {
  expect(await quoted('fixed-spread', { halfSpreadBps: 90 }, ON_TARGET)).toEqual([5_450_500, 5_549_500]);
  stands('bid 5,450,500, ask 5,549,500');
  const all = { ...ON_TARGET, inventoryTarget: decimal(0) };
  const [bid = 0, ask = 0] = await quoted('fixed-spread', { halfSpreadBps: 90, skewBps: 60 }, all);
  expect((bid + ask) / 2).toBeCloseTo(5_467_000, 6);
  stands('the reservation price is 5,467,000');
});

test('avellaneda-stoikov', async () => {
  const prices = await quoted('avellaneda-stoikov', {}, ON_TARGET);
  expect([bpsOf(prices)[0], prices[0]?.toFixed(1)]).toEqual(['55.99', '5469205.4']);
  stands('7.2 + 48.79 = 55.99 bps on target, bid 5,469,205.4');
  expect(bpsOf(await quoted('avellaneda-stoikov', {}, ONE_TOO_MUCH))).toEqual(['70.39', '41.59']);
  stands('bid −70.39, ask +41.59 bps');
});

test('glft', async () => {
  const [onTarget = ''] = bpsOf(await quoted('glft', {}, ON_TARGET));
  const [leaning = ''] = bpsOf(await quoted('glft', {}, ONE_TOO_MUCH));
  expect([onTarget, (Number(leaning) - Number(onTarget)).toFixed(2)]).toEqual(['50.66', '3.73']);
  stands('give 50.66 bps and 3.73 bps');
});

test('cartea-jaimungal', async () => {
  expect(bpsOf(await quoted('cartea-jaimungal', {}, ON_TARGET))).toEqual(['51.35', '51.35']);
  stands('give 51.35 bps on target');
});
