// What a run is to quote by its configuration, worked out from a reference price and what is held: written from what
// docs/configuration.md says of each key, without anything of the program's.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { type Given, type Wanted, wantedOf } from './wanted.ts';

const BPS = 10_000;
const ONE = new Decimal(1);

export interface Expected {
  readonly level: number;
  /** Not on a tick, but with the floor under it. */
  readonly price: Decimal;
  /** Where levels before it may be left out: what the strategy and the floor ask of this one alone. */
  readonly nearest: Decimal;
  /** In base, not in whole lots. */
  readonly size: Decimal;
}

/** Innermost first. */
export function expectedOf(run: RunSettings, given: Given): Readonly<Record<Side, readonly Expected[]>> {
  const wanted = { buy: wantedOf(run, given, 'buy'), sell: wantedOf(run, given, 'sell') };
  if (!run.quoting.costFloor.enabled) return { buy: wanted.buy.map(plainly), sell: wanted.sell.map(plainly) };
  const [bid, ask] = [wanted.buy[0]?.price, wanted.sell[0]?.price];
  const middle = bid === undefined || ask === undefined ? given.reference : bid.add(ask).div(2);
  return {
    buy: floored(run, wanted.buy, { side: 'buy', middle }),
    sell: floored(run, wanted.sell, { side: 'sell', middle }),
  };
}

const plainly = (wanted: Wanted): Expected => ({ ...wanted, nearest: wanted.price });

/** Both sides are so far from the middle between them that a round trip pays fees, tax and the profit wanted. */
function floored(
  { costs, quoting }: RunSettings,
  wanted: readonly Wanted[],
  { side, middle }: { readonly side: Side; readonly middle: Decimal },
): readonly Expected[] {
  const { makerFeeRatio: fee, effectiveTaxRatio: tax } = costs;
  const half = fee
    .mul(2)
    .add(tax)
    .div(new Decimal(2).sub(tax))
    .add(new Decimal(quoting.costFloor.minimumProfitBps).div(BPS));
  const sign = side === 'buy' ? -1 : 1;
  const limit = middle.mul(ONE.add(half.mul(sign)));
  const [first] = wanted;
  const missing = first === undefined ? ZERO : Decimal.max(ZERO, limit.sub(first.price).mul(sign));
  const further = (a: Decimal, b: Decimal): Decimal => (side === 'buy' ? Decimal.min(a, b) : Decimal.max(a, b));
  return wanted.map((each) => ({
    ...each,
    price: each.price.add(missing.mul(sign)),
    nearest: further(each.price, limit),
  }));
}
