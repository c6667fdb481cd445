// What one quote is in money: what it locks, what a fill pays, from where a round trip earns, and what it earns then.
import { type Decimal, ONE, ZERO } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/quote.ts';
import { ceilToTick } from '../../domain/rounding.ts';
import { breakEvenAskRatio, lowestAskThatEarns } from '../../quoting/costs.ts';
import type { Costs } from '../../quoting/strategy.ts';

export interface QuoteMoney {
  /** Quote asset, except where a name says otherwise. */
  readonly notional: Decimal;
  readonly distanceRatio: Decimal;
  /** What the order locks: quote with the fee for a bid, base for an ask. */
  readonly locks: Decimal;
  readonly makerFee: Decimal;
  /** Zero for a bid. */
  readonly taxWithheld: Decimal;
  /** The nearest price of the other side at which the round trip earns. */
  readonly earnsFrom: Decimal;
  /**
   * What a fill earns that is undone at the reference price: the distance, less half of what the round trip costs
   * (quoting.md §3: both sides carry fees and tax alike).
   */
  readonly earns: Decimal;
}

export interface QuotePlace {
  /** In quote per base. */
  readonly reference: Decimal;
  readonly costs: Costs;
  readonly instrument: Instrument;
}

export function quoteMoney(quote: Quote, { reference, costs, instrument }: QuotePlace): QuoteMoney {
  const { side, price, quantity } = quote;
  const { makerFeeRatio: fee, tdsRatio, effectiveTaxRatio } = costs;
  const trip = { buyFeeRatio: fee, sellFeeRatio: fee, effectiveTaxRatio };
  const notional = price.mul(quantity);
  const isBid = side === 'buy';
  const toReference = (isBid ? reference.sub(price) : price.sub(reference)).mul(quantity);
  return {
    notional,
    distanceRatio: price.sub(reference).abs().div(reference),
    locks: isBid ? notional.mul(ONE.add(fee)) : quantity,
    makerFee: notional.mul(fee),
    taxWithheld: isBid ? ZERO : notional.mul(tdsRatio),
    earnsFrom: isBid
      ? lowestAskThatEarns(price, trip, instrument)
      : ceilToTick(price.div(breakEvenAskRatio(trip)), instrument).sub(instrument.tickSize),
    earns: toReference.sub(notional.mul(fee.add(effectiveTaxRatio.div(2)))),
  };
}
