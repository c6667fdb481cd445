// What a run is to quote by its configuration, worked out from a reference price and what is held: written from what
// docs/configuration.md says of each key, without anything of the program's.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { distanceBpsOf, levelsOf, sizeOf } from '../presence/quoted.ts';

const BPS = 10_000;
const ONE = new Decimal(1);

export interface Given {
  /** In quote per base. */
  readonly reference: Decimal;
  /** All that is held, reserved or not. */
  readonly base: Decimal;
  readonly quote: Decimal;
  /** The best prices of others; what joins them alone looks at that. */
  readonly touch: Readonly<Record<Side, Decimal>>;
}

export interface Expected {
  readonly level: number;
  /** Not on a tick, but with the floor under it. */
  readonly price: Decimal;
  /** In base, not in whole lots. */
  readonly size: Decimal;
}

/** Innermost first. */
export function expectedOf(run: RunSettings, given: Given): Readonly<Record<Side, readonly Expected[]>> {
  const wanted = { buy: wantedOf(run, given, 'buy'), sell: wantedOf(run, given, 'sell') };
  if (!run.quoting.costFloor.enabled) return wanted;
  const [bid, ask] = [wanted.buy[0]?.price, wanted.sell[0]?.price];
  const middle = bid === undefined || ask === undefined ? given.reference : bid.add(ask).div(2);
  return {
    buy: floored(run, wanted.buy, { side: 'buy', middle }),
    sell: floored(run, wanted.sell, { side: 'sell', middle }),
  };
}

function wantedOf(run: RunSettings, given: Given, side: Side): Expected[] {
  const around = reservationOf(run, given);
  const count = listedOf(run, side) ?? levelsOf(run);
  return Array.from({ length: count }, (_, level) => {
    const bps = distanceBpsOf(run, side, level);
    const price =
      bps === null ? given.touch[side] : around.mul(ONE.add(new Decimal(bps).div(BPS).mul(side === 'buy' ? -1 : 1)));
    return { level, price, size: sizeOf(run, side, { level, price: around }) };
  });
}

/** A list of distances says how many levels its side has. */
function listedOf({ params }: RunSettings, side: Side): number | undefined {
  const { bidHalfSpreadsBps, askHalfSpreadsBps } = params as Readonly<Record<string, readonly number[] | undefined>>;
  return (side === 'buy' ? bidHalfSpreadsBps : askHalfSpreadsBps)?.length;
}

/** Lower where more base is held than wanted, by the whole skew where inventory is a full range off. */
function reservationOf({ params, quoting }: RunSettings, { reference, base, quote }: Given): Decimal {
  const { skewBps = 0, inventoryRangeBase } = params as { skewBps?: number; inventoryRangeBase?: Decimal };
  if (skewBps === 0) return reference;
  const all = base.add(quote.div(reference));
  const target = all.mul(quoting.inventory.targetRatio);
  const off = base.sub(target);
  const range = inventoryRangeBase ?? (off.gt(0) ? all.sub(target) : target);
  if (range.lte(0)) return reference;
  const share = Decimal.max(-1, Decimal.min(1, off.div(range)));
  return reference.mul(ONE.sub(share.mul(skewBps).div(BPS)));
}

/** Both sides are so far from the middle between them that a round trip pays fees, tax and the profit wanted. */
function floored(
  { costs, quoting }: RunSettings,
  wanted: readonly Expected[],
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
  if (first === undefined) return wanted;
  const missing = Decimal.max(ZERO, limit.sub(first.price).mul(sign));
  return wanted.map((each) => ({ ...each, price: each.price.add(missing.mul(sign)) }));
}
