// What each strategy wants of each side, as docs/strategies.md and docs/configuration.md say it, before anything of the
// pipeline: the program's strategies and models are asked nothing.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { distanceBpsOf, levelsOf, sizeOf } from '../presence/quoted.ts';
import type { Row } from '../shown/shown-book.ts';
import { isGiven, isModel, modelDistances } from './model-distances.ts';

const BPS = 10_000;
const ONE = new Decimal(1);

/** The best of others on each side. */
export type Touch = Readonly<Record<Side, Row>>;

/** The price that two other markets make, and what crossing both adds to each side. */
export interface Chain {
  /** In quote per base. */
  readonly price: Decimal;
  readonly addedBps: Decimal;
}

export interface Given {
  /** In quote per base. */
  readonly reference: Decimal;
  /** All that is held, reserved or not. */
  readonly base: Decimal;
  readonly quote: Decimal;
  readonly touch: Touch;
  /** Null where the strategy goes by its own market. */
  readonly chain: Chain | null;
}

export interface Wanted {
  readonly level: number;
  /** Not on a tick. */
  readonly price: Decimal;
  /** In base, not in whole lots. */
  readonly size: Decimal;
}

type Quoting = Pick<RunSettings, 'strategy' | 'params' | 'quoting'>;

/** Whether all that the prices of the strategy come from is known here: nothing that it estimates, or learns. */
export function isWorkedOut(run: Quoting): boolean {
  if (isModel(run)) return isGiven(run);
  if (run.strategy.name === 'microprice-pegged') return (run.params as { learned?: boolean }).learned !== true;
  return ['fixed-spread', 'join-best', 'cross-rate'].includes(run.strategy.name);
}

/** Whether the best sizes of others move the quotes, or the reference price. */
export const isByBestSizes = ({ strategy, referenceSource }: Pick<RunSettings, 'strategy' | 'referenceSource'>) =>
  strategy.name === 'microprice-pegged' || referenceSource === 'micro';

/** Innermost first. */
export const wantedOf = (run: Quoting, given: Given, side: Side): readonly Wanted[] =>
  isModel(run) ? byModel(run, given, side) : byDistance(run, given, side);

const outwards = (side: Side): number => (side === 'buy' ? -1 : 1);

function byDistance(run: Quoting, given: Given, side: Side): Wanted[] {
  const around = reservationOf(run, given);
  const added = given.chain?.addedBps ?? 0;
  const count = listedOf(run, side) ?? levelsOf(run);
  return Array.from({ length: count }, (_, level) => {
    const bps = distanceBpsOf(run, side, level);
    const price =
      bps === null
        ? given.touch[side].price
        : around.mul(ONE.add(new Decimal(bps).add(added).div(BPS).mul(outwards(side))));
    return { level, price, size: sizeOf(run, side, { level, price: around }) };
  });
}

/** A list of distances says how many levels its side has. */
function listedOf({ params }: Quoting, side: Side): number | undefined {
  const { bidHalfSpreadsBps, askHalfSpreadsBps } = params as Readonly<Record<string, readonly number[] | undefined>>;
  return (side === 'buy' ? bidHalfSpreadsBps : askHalfSpreadsBps)?.length;
}

/** What distances are counted from where inventory is on target. */
function centerOf({ strategy }: Quoting, { reference, touch, chain }: Given): Decimal {
  if (chain !== null) return chain.price;
  return strategy.name === 'microprice-pegged' ? microPriceOf(touch) : reference;
}

/** The best prices, each weighed by the size at the other. */
export function microPriceOf({ buy, sell }: Touch): Decimal {
  const weighed = buy.price.mul(sell.quantity).add(sell.price.mul(buy.quantity));
  return weighed.div(buy.quantity.add(sell.quantity));
}

/** What is held is valued at the reference price to say how much of it is wanted. */
function targetOf({ quoting }: Quoting, { reference, base, quote }: Given): Decimal {
  return base.add(quote.div(reference)).mul(quoting.inventory.targetRatio);
}

/** Lower where more base is held than wanted, by the whole skew where inventory is a full range off. */
function reservationOf(run: Quoting, given: Given): Decimal {
  const center = centerOf(run, given);
  const { skewBps = 0, inventoryRangeBase } = run.params as { skewBps?: number; inventoryRangeBase?: Decimal };
  if (skewBps === 0) return center;
  const target = targetOf(run, given);
  const off = given.base.sub(target);
  const all = given.base.add(given.quote.div(center));
  const range = inventoryRangeBase ?? (off.gt(0) ? all.sub(target) : target);
  if (range.lte(0)) return center;
  const share = Decimal.max(-1, Decimal.min(1, off.div(range)));
  return center.mul(ONE.sub(share.mul(skewBps).div(BPS)));
}

/** Nothing where the model is at its bound, or as far off as the whole price. */
function byModel(run: Quoting, given: Given, side: Side): Wanted[] {
  const { reference, base } = given;
  const order = sizeOf(run, side, { level: 0, price: reference });
  const tooMany = base.sub(targetOf(run, given)).div(order).toNumber();
  const distance = modelDistances(run, tooMany)[side];
  if (distance === null || !(Math.abs(distance) < BPS)) return [];
  const { halfSpreadStepBps = 0 } = run.params as { halfSpreadStepBps?: number };
  return Array.from({ length: levelsOf(run) }, (_, level) => {
    const share = ((distance + level * halfSpreadStepBps) / BPS) * outwards(side);
    return { level, price: reference.mul(1 + share), size: sizeOf(run, side, { level, price: reference }) };
  }).filter(({ price }) => price.gt(0));
}
