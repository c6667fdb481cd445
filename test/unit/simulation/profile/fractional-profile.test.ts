// The fractional profile is what it is called: steps that are no powers of ten, another quote than INR, charges that
// must be rounded; and it changes nothing of what a seed suffers.
import { describe, expect, test } from '@jest/globals';
import { paperSettings, tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { fractionalProfile } from '../../../../simulation/profile/fractional-profile.ts';
import { inQuote } from '../../../../simulation/profile/quote-worth.ts';
import { Decimal, decimal } from '../../../../src/domain/decimal.ts';

const seeds = Array.from({ length: 200 }, (_, seed) => String(seed));
const markets = seeds.flatMap((seed) => fractionalProfile(seed).markets);
const isPowerOfTen = (step: Decimal): boolean => Decimal.log10(step).isInteger();

describe('the fractional profile', () => {
  test('has no tick and no lot that is a power of ten', () => {
    const lots = new Set(markets.map(({ instrument }) => instrument.lotSize.toFixed()));
    const ticks = new Set(markets.map(({ instrument }) => instrument.tickSize.toFixed()));
    expect([...lots].filter((lot) => isPowerOfTen(decimal(lot)))).toEqual([]);
    expect([...ticks].filter((tick) => isPowerOfTen(decimal(tick)))).toEqual([]);
    expect([...ticks]).toEqual(expect.arrayContaining(['0.0005', '0.25']));
    expect([...lots]).toEqual(expect.arrayContaining(['0.025', '0.0075', '2.5']));
  });

  test('makes settings that a configuration and an exchange could hold, with limits above what is quoted', () => {
    for (const seed of seeds) {
      const plan = drawPlan(seed, { profile: 'fractional' });
      expect(() => paperSettings(plan)).not.toThrow();
      for (const { instrument, limits, opening } of fractionalProfile(seed).markets) {
        expect(opening.mod(instrument.lotSize).toNumber()).toBe(0);
        expect(decimal(String(limits.maxOrderQuantity)).mod(instrument.lotSize).toNumber()).toBe(0);
      }
      for (const { params, limits } of tradingSettings(plan).trader.runs) {
        const { orderSize, orderSizeStep } = params as Readonly<Record<'orderSize' | 'orderSizeStep', Decimal>>;
        expect(limits.maxOrderNotional.gt(orderSize.add(orderSizeStep))).toBe(true);
      }
    }
  });
});

test('an amount in INR is worth as much in another quote, to the last digit that an exchange counts in', () => {
  expect(inQuote(100, 'INR').toFixed()).toBe('100');
  expect(inQuote(100, 'USDT').toFixed()).toBe('1.13636364');
  expect(() => inQuote(100, 'DOGE')).toThrow('the quote asset DOGE');
});
