import { describe, expect, test } from '@jest/globals';
import { decimal, ONE } from '../../../src/domain/decimal.ts';
import {
  breakEvenAskRatio,
  effectiveTaxRatio,
  lowestAskThatEarns,
  minimumHalfSpread,
  type RoundTripCosts,
} from '../../../src/quoting/costs.ts';
import { instrument } from './market.ts';

const costs = (buyFee: string, sellFee: string, tax: string): RoundTripCosts => ({
  buyFeeRatio: decimal(buyFee),
  sellFeeRatio: decimal(sellFee),
  effectiveTaxRatio: decimal(tax),
});

describe('minimum half-spread', () => {
  test.each([
    ['0.004', '0.001', '0.01'],
    ['0.001', '0.004', '0.01'],
    ['0.00472', '0.00472', '0.000909'],
  ])('at fees %s and %s and tax %s a round trip at it earns exactly nothing', (buyFee, sellFee, tax) => {
    const trip = costs(buyFee, sellFee, tax);
    const h = minimumHalfSpread(trip);
    const paid = ONE.sub(h).mul(ONE.add(trip.buyFeeRatio));
    const received = ONE.add(h).mul(ONE.sub(trip.sellFeeRatio).sub(trip.effectiveTaxRatio));
    expect(received.sub(paid).abs().lt('1e-36')).toBe(true);
    expect(ONE.add(h).div(ONE.sub(h)).sub(breakEvenAskRatio(trip)).abs().lt('1e-36')).toBe(true);
  });
});

describe('lowest ask that earns', () => {
  test.each([
    ['100', '0.001', '0.01', '0.01', '101.22'],
    ['7000000', '0.0005', '0.01', '1', '7077818'],
    ['85.5', '0.002', '0.01', '0.01', '86.72'],
    ['100', '0', '0', '0.5', '100.5'],
  ])('bought at %s with fee %s, tax %s, tick %s it is %s', (bid, fee, tax, tickSize, expected) => {
    const steps = { ...instrument, tickSize: decimal(tickSize) };
    expect(lowestAskThatEarns(decimal(bid), costs(fee, fee, tax), steps).toFixed()).toBe(expected);
  });
});

test.each([
  ['cost', '1', '0.01'],
  ['ignore', '1', '0'],
  ['credit', '1', '0'],
  ['credit', '0.931', '0.00069'],
  ['credit', '0', '0.01'],
] as const)('of a tax of 1 %% as %s, of which %s comes back, %s is a cost', (treatment, share, expected) => {
  const tax = effectiveTaxRatio({ tdsRatio: decimal('0.01'), treatment, recoverableRatio: decimal(share) });
  expect(tax.toFixed()).toBe(expected);
});
