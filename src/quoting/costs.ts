// Costs of a round trip as ratios of the notional: the floor under every quote. All formulas are break-even algebra for
// buying at b and selling at a, with f_b and f_s the fees of the two sides and t the tax that counts as a cost.
import { type Decimal, ONE, ZERO } from '../domain/decimal.ts';
import { floorToTick, type Instrument } from '../domain/instrument.ts';

/** The treatment of tax withheld on sales. Ratios 0–1. */
interface TaxAssumptions {
  /** t: withheld from the proceeds of each sale. */
  readonly tdsRatio: Decimal;
  /** `cost`: lost. `credit`: comes back later, so its cost is the wait. `ignore`: does not count. */
  readonly treatment: 'cost' | 'credit' | 'ignore';
  /** ρ: the recoverable share, minus the cost of the wait. Used by `credit` only. */
  readonly recoverableRatio: Decimal;
}

/** Costs of one round trip. Fees include GST. */
export interface RoundTripCosts {
  readonly buyFeeRatio: Decimal;
  readonly sellFeeRatio: Decimal;
  readonly effectiveTaxRatio: Decimal;
}

/** t_eff, the part of the withheld tax that is a cost: t·(1 − ρ) if it is a credit. */
export function effectiveTaxRatio(tax: TaxAssumptions): Decimal {
  switch (tax.treatment) {
    case 'cost':
      return tax.tdsRatio;
    case 'ignore':
      return ZERO;
    case 'credit':
      return tax.tdsRatio.mul(ONE.sub(tax.recoverableRatio));
  }
}

/** a/b at which buying at b and selling at a breaks even: (1+f_b)/(1−f_s−t). */
export function breakEvenAskRatio({ buyFeeRatio, sellFeeRatio, effectiveTaxRatio: tax }: RoundTripCosts): Decimal {
  return ONE.add(buyFeeRatio).div(ONE.sub(sellFeeRatio).sub(tax));
}

/**
 * h at which bid = s·(1−h) and ask = s·(1+h) break even: (f_b+f_s+t)/(2+f_b−f_s−t). The tax applies to sales only, yet
 * both sides carry it equally: loading it on the ask alone would only move the middle.
 */
export function minimumHalfSpread({ buyFeeRatio, sellFeeRatio, effectiveTaxRatio: tax }: RoundTripCosts): Decimal {
  return buyFeeRatio.add(sellFeeRatio).add(tax).div(ONE.add(ONE).add(buyFeeRatio).sub(sellFeeRatio).sub(tax));
}

/** The lowest valid ask that earns something on a purchase at `bid`; a round trip at break-even does not. */
export function lowestAskThatEarns(bid: Decimal, costs: RoundTripCosts, instrument: Instrument): Decimal {
  return floorToTick(bid.mul(breakEvenAskRatio(costs)), instrument).add(instrument.tickSize);
}
