// A run's intended quotes, from its configuration: the checks never ask the strategy.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';

type Amount = Decimal | number | string;

interface FixedSpread {
  readonly levels?: number;
  readonly halfSpreadBps?: number;
  readonly halfSpreadStepBps?: number;
  readonly skewBps?: number;
  readonly orderSize?: Amount;
  readonly orderSizeStep?: Amount;
  readonly sizeUnit?: 'quote' | 'base';
  readonly bidHalfSpreadsBps?: readonly number[];
  readonly askHalfSpreadsBps?: readonly number[];
  readonly bidSizes?: readonly Amount[];
  readonly askSizes?: readonly Amount[];
}

type Quoting = Pick<RunSettings, 'strategy' | 'params'>;
const BPS = 10_000;

/** Other strategies' quotes are unknown here: their prices come from models. */
export const isKnown = ({ strategy }: Quoting): boolean => KNOWN.has(strategy.name);

const KNOWN: ReadonlySet<string> = new Set(['fixed-spread', 'join-best']);

const isJoinBest = ({ strategy }: Quoting): boolean => strategy.name === 'join-best';

/** Levels per side. */
export const levelsOf = (run: Quoting): number => (run.params as FixedSpread).levels ?? 1;

/** Distance from the middle; null where the price is the best of others, wherever that is. */
export function distanceBpsOf(run: Quoting, side: Side, level: number): number | null {
  if (isJoinBest(run)) return null;
  const { halfSpreadBps = 0, halfSpreadStepBps = 0, ...params } = run.params as FixedSpread;
  const listed = side === 'buy' ? params.bidHalfSpreadsBps : params.askHalfSpreadsBps;
  return listed?.[level] ?? halfSpreadBps + level * halfSpreadStepBps;
}

/** The size of a level's order, in base. */
export function sizeOf(run: Quoting, side: Side, { level, price }: { level: number; price: Decimal }): Decimal {
  if (isJoinBest(run)) return new Decimal((run.params as { readonly orderSizeBase: Amount }).orderSizeBase);
  const { orderSize = 0, orderSizeStep = 0, sizeUnit = 'quote', ...params } = run.params as FixedSpread;
  const listed = side === 'buy' ? params.bidSizes : params.askSizes;
  const size = new Decimal(listed?.[level] ?? new Decimal(orderSize).add(new Decimal(orderSizeStep).mul(level)));
  return sizeUnit === 'base' ? size : size.div(price);
}

/**
 * How far the outermost order of a run may be from the middle: its level, price skew, and an order's tolerance.
 * `touchBps`: the distance of the others' best prices.
 */
export function widthBpsOf(run: Quoting & Pick<RunSettings, 'refresh' | 'costs'>, touchBps: number): number {
  const { makerFeeRatio, effectiveTaxRatio } = run.costs;
  const costBps = makerFeeRatio.mul(2).add(effectiveTaxRatio).div(2).mul(BPS).toNumber();
  const outermost = (side: Side): number => distanceBpsOf(run, side, levelsOf(run) - 1) ?? Math.max(touchBps, costBps);
  const { skewBps = 0 } = run.params as FixedSpread;
  return Math.max(outermost('buy'), outermost('sell')) + skewBps + run.refresh.priceToleranceBps;
}

/**
 * How much further off an order may be by design: one that is farther than wanted stays longer, and a size-weighted
 * reference price lies anywhere between the best prices.
 */
export function slackBpsOf({ refresh, referenceSource }: Judged, touchBps: number): number {
  // An order may be twice as far off away from the market as toward it.
  return refresh.priceToleranceBps + (referenceSource === 'mid' ? 0 : touchBps);
}

type Judged = Pick<RunSettings, 'refresh' | 'referenceSource'>;
