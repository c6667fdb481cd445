// What the judge works out that a run must quote, by numbers that were worked out by hand.
import { expect, test } from '@jest/globals';
import { expectedOf } from '../../../../simulation/quotes/expected.ts';
import type { Given } from '../../../../simulation/quotes/wanted.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../../src/quoting/quoting-settings.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';
import { strategy as avellanedaStoikov } from '../../../../strategies/avellaneda-stoikov.ts';
import { strategy as crossRate } from '../../../../strategies/cross-rate.ts';
import { strategy as fixedSpread } from '../../../../strategies/fixed-spread.ts';
import { strategy as joinBest } from '../../../../strategies/join-best.ts';
import { strategy as micropricePegged } from '../../../../strategies/microprice-pegged.ts';

const row = (price: number, quantity = 1) => ({ price: decimal(price), quantity: decimal(quantity) });

const GIVEN: Given = {
  ...{ reference: decimal(100), base: decimal(10), quote: decimal(1_000) },
  touch: { buy: row(99), sell: row(101) },
  chain: null,
};

function run(strategy: RunSettings['strategy'], params: object, quoting: object = {}): RunSettings {
  return {
    ...{ strategy, params: strategy.params.parse(params), quoting: quotingSettingsSchema.parse(quoting) },
    costs: {
      makerFeeRatio: decimal('0.005'),
      takerFeeRatio: decimal('0.006'),
      tdsRatio: decimal(0),
      effectiveTaxRatio: decimal(0),
    },
  } as unknown as RunSettings;
}

const pricesOf = (of: RunSettings, given = GIVEN) => {
  const { buy, sell } = expectedOf(of, given);
  return { buy: buy.map(({ price }) => price.toFixed()), sell: sell.map(({ price }) => price.toFixed()) };
};

const WIDE = { halfSpreadBps: 100, halfSpreadStepBps: 50, levels: 2, orderSize: '50' };

test('distances and sizes on each level', () => {
  expect(pricesOf(run(fixedSpread, WIDE))).toEqual({ buy: ['99', '98.5'], sell: ['101', '101.5'] });
  const { buy } = expectedOf(run(fixedSpread, { ...WIDE, orderSizeStep: '25' }), GIVEN);
  expect(buy.map(({ size }) => size.toFixed())).toEqual(['0.5', '0.75']);
});

test('what is too near moves out as a whole, from the middle between both sides', () => {
  // (0.005 + 0.005) / 2 of 100 is half a unit.
  expect(pricesOf(run(fixedSpread, { ...WIDE, halfSpreadBps: 20 }))).toEqual({
    buy: ['99.5', '99'],
    sell: ['100.5', '101'],
  });
  const off = run(fixedSpread, { ...WIDE, halfSpreadBps: 20 }, { costFloor: { enabled: false } });
  expect(pricesOf(off)).toEqual({ buy: ['99.8', '99.3'], sell: ['100.2', '100.7'] });
});

test('the lean follows what is held against the target', () => {
  // All is worth 20 base, of which a quarter is wanted: 5 too many, of 15 that there may be.
  const leaning = run(fixedSpread, { ...WIDE, levels: 1, skewBps: 30 }, { inventory: { targetRatio: 0.25 } });
  expect(pricesOf(leaning)).toEqual({ buy: ['98.901'], sell: ['100.899'] });
});

test('what joins the best of others is kept off by what a round trip costs', () => {
  const { buy, sell } = pricesOf(run(joinBest, { orderSizeBase: '1' }));
  expect({ buy, sell }).toEqual({ buy: ['99'], sell: ['101'] });
  const touch = { buy: row(99.9), sell: row(100.1) };
  expect(pricesOf(run(joinBest, { orderSizeBase: '1' }), { ...GIVEN, touch })).toEqual({
    buy: ['99.5'],
    sell: ['100.5'],
  });
});

test('around the micro-price: nearer to where less stands', () => {
  const touch = { buy: row(99, 1), sell: row(101, 3) };
  const { buy, sell } = pricesOf(run(micropricePegged, { ...WIDE, levels: 1 }), { ...GIVEN, touch });
  expect({ buy, sell }).toEqual({ buy: ['98.505'], sell: ['100.495'] });
});

test('around what two legs make, wider by what crossing both costs', () => {
  const chain = { price: decimal(200), addedBps: decimal(50) };
  const legs = ['BTC/USDT', 'USDT/INR'];
  const { buy, sell } = pricesOf(run(crossRate, { ...WIDE, levels: 1, legs }), { ...GIVEN, chain });
  expect({ buy, sell }).toEqual({ buy: ['197'], sell: ['203'] });
});

test('a model quotes by the orders that are held too many, from the reference price', () => {
  // All is worth 20 base, and half of it is held and wanted; an order is of half a base.
  const params = { orderSize: '50', orderSizeStep: '10', levels: 2, halfSpreadStepBps: 10, horizonSeconds: 3_600 };
  const floorless = { inventory: { targetRatio: 0.5 }, costFloor: { enabled: false } };
  const onTarget = expectedOf(run(avellanedaStoikov, params, floorless), GIVEN);
  expect(onTarget.buy.map(({ price }) => price.toNumber())).toEqual([
    expect.closeTo(100 - 0.5599, 4),
    expect.closeTo(100 - 0.6599, 4),
  ]);
  expect(onTarget.sell.map(({ size }) => size.toFixed())).toEqual(['0.5', '0.6']);
  const tooMany = expectedOf(run(avellanedaStoikov, params, floorless), {
    ...{ ...GIVEN, base: decimal('10.5'), quote: decimal(950) },
  });
  expect(tooMany.sell[0]?.price.toNumber()).toBeCloseTo(100 + 0.4159, 4);
});

test('of a level whose inner ones are left out only what it wants itself is asked', () => {
  const { sell } = expectedOf(run(fixedSpread, { ...WIDE, halfSpreadBps: 20 }), GIVEN);
  expect(sell.map(({ price, nearest }) => [price.toFixed(), nearest.toFixed()])).toEqual([
    ['100.5', '100.5'],
    ['101', '100.7'],
  ]);
});
