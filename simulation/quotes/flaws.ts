// What is wrong with quotes, beside what was worked out for them.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import type { Totals } from '../proofs/ledger-totals.ts';
import type { Expected } from './expected.ts';
import { isModel } from './model-distances.ts';
import type { Touch } from './wanted.ts';

const SIDES = ['buy', 'sell'] as const;

export interface Money {
  readonly totals: Totals;
  /** What can't be had of each asset: reserved, and locked by others. */
  readonly taken: Totals;
}

export interface Quoted {
  readonly side: Side;
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export interface Question extends Money {
  readonly run: RunSettings;
  readonly quotes: readonly Quoted[];
  /** That it may be smaller by. */
  readonly lots: number;
  /** Whether nothing beside it is wanted. */
  readonly isAll: boolean;
}

export interface Judged extends Question {
  readonly expected: Readonly<Record<Side, readonly Expected[]>>;
  readonly touch: Touch;
  /** Orders that may be live. */
  readonly own: readonly JournalIntent[];
}

/** How exactly a price is worked out: what numbers differ by as they are written, and whole ticks beside that. */
interface Exactness {
  readonly ratio: Decimal;
  readonly ticks: number;
}

/** Numbers that are kept to twenty places differ by less. */
const AS_DECIMALS: Exactness = { ratio: new Decimal('1e-12'), ticks: 0 };
/** Models are worked out with floats, on both sides, and in other ways. */
const AS_FLOATS: Exactness = { ratio: new Decimal('1e-9'), ticks: 1 };

export const isAlmost = (a: Decimal, b: Decimal): boolean => a.sub(b).abs().lte(b.mul(AS_DECIMALS.ratio));

/** The first thing that is wrong, as a sentence; null where nothing is. */
export function flawOf(judged: Judged): string | null {
  for (const quote of judged.quotes) {
    if (isHanging(judged, quote)) continue;
    const expected = judged.expected[quote.side].find(({ level }) => level === quote.level);
    if (expected === undefined) return `No ${quote.side} is wanted on level ${quote.level}.`;
    const flaw = flawOfPrice(judged, quote, expected) ?? flawOfSize(judged, quote, expected);
    if (flaw !== null) return flaw;
  }
  if (!judged.isAll || judged.quotes.length === 0) return null;
  for (const side of SIDES)
    for (const each of judged.expected[side])
      if (
        isPlaceable(judged, side, each) &&
        !judged.quotes.some((quote) => quote.side === side && quote.level === each.level)
      )
        return `A ${side} on level ${each.level} is wanted and lacks, with money for it.`;
  return null;
}

const nameOf = ({ side, level }: Quoted): string => `the ${side} on level ${level}`;

/** Steps between the strategy and the costs: each of them moves a quote outwards, or takes it away. */
const FEATURES = [
  ...(['sessions', 'priceBand', 'tradeRate', 'trend', 'optimizeDepth', 'width', 'inventoryCost'] as const),
  ...(['externalGuard', 'hanging'] as const),
] as const;

const hasFeature = ({ quoting }: RunSettings): boolean =>
  quoting.pingPong || quoting.filledDelayMs > 0 || FEATURES.some((name) => quoting[name] !== undefined);

/** One that is left of its pair stays as it rests. */
function isHanging({ run, own }: Judged, { side, level, price }: Quoted): boolean {
  if (run.quoting.hanging === undefined) return false;
  return own.some((order) => order.side === side && order.slot === `${side}:${level}` && price.eq(order.price));
}

/** On its tick, or further out for a reason: the other side of the market, an order of ours, or the level before it. */
function flawOfPrice(judged: Judged, quote: Quoted, expected: Expected): string | null {
  const { run } = judged;
  const { tickSize } = run.instrument;
  const out = quote.side === 'buy' ? -1 : 1;
  const wanted = hasFeature(run) ? expected.nearest : expected.price;
  const { ratio, ticks } = isModel(run) ? AS_FLOATS : AS_DECIMALS;
  /** The tick that a price goes to where it is off by what may be, that way. */
  const onTick = (sign: number): Decimal => {
    const exactly = wanted.add(wanted.mul(ratio).mul(sign)).div(tickSize);
    return (out < 0 ? exactly.floor() : exactly.ceil()).add(ticks * sign).mul(tickSize);
  };
  const words = `${nameOf(quote)} is at ${quote.price.toFixed()}, wanted is ${onTick(0).toFixed()}`;
  if (quote.price.sub(onTick(-out)).mul(out).lt(0)) return `${words}.`;
  if (quote.price.sub(onTick(out)).mul(out).lte(0)) return null;
  if (hasFeature(run) || isInTheWay(judged, quote, wanted)) return null;
  if (quote.price.sub(behindInner(judged, quote)).mul(out).lte(0)) return null;
  return `${words}, and nothing is in its way.`;
}

/**
 * Where the quote may be at the most for the levels before it, placed or not: each of them stands beyond our own orders
 * of the other side, and a tick beyond the one before.
 */
function behindInner({ run, expected, own }: Judged, { side, level }: Quoted): Decimal {
  const { tickSize } = run.instrument;
  const out = side === 'buy' ? -1 : 1;
  const further = (a: Decimal, b: Decimal): Decimal => (a.sub(b).mul(out).gt(0) ? a : b);
  const beyond = own
    .filter((order) => order.side !== side)
    .map(({ price }) => new Decimal(price).add(tickSize.mul(out)));
  const onTick = ({ price }: Expected): Decimal => {
    const exactly = price.div(tickSize);
    return (out < 0 ? exactly.floor() : exactly.ceil()).mul(tickSize);
  };
  const upTo = expected[side].filter((each) => each.level <= level).toSorted((a, b) => a.level - b.level);
  return upTo
    .map((each) => beyond.reduce(further, onTick(each)))
    .reduce((before, each) => further(each, before.add(tickSize.mul(out))));
}

/** Whether something keeps the quote from where it is wanted, so that it may be further out. */
function isInTheWay({ run, touch, own, quotes }: Judged, quote: Quoted, wanted: Decimal): boolean {
  const { instrument, quoting } = run;
  const { tickSize } = instrument;
  const [out, other] = quote.side === 'buy' ? ([-1, 'sell'] as const) : ([1, 'buy'] as const);
  // How far the margin reaches where the price is taken to travel is not asked for.
  if (quoting.guard.volatilityBpsPerSqrtSecond > 0 && quoting.guard.volatilityMultiplier > 0) return true;
  const margin = tickSize.mul(quoting.guard.guardTicks);
  if (touch[other].price.sub(wanted).mul(-out).lte(margin)) return true;
  const meets = (at: Decimal): boolean => at.sub(wanted).mul(-out).lte(0);
  const others = own.filter(({ side }) => side === other).map(({ price }) => new Decimal(price));
  if ([...others, ...quotes.filter(({ side }) => side === other).map(({ price }) => price)].some(meets)) return true;
  const isApart = quotes.some(
    ({ side, level, price }) =>
      side === quote.side && level === quote.level - 1 && quote.price.sub(price).mul(out).eq(tickSize),
  );
  return (
    isApart || own.some(({ state, price }) => state !== 'open' && quote.price.sub(price).abs().lte(tickSize.mul(2)))
  );
}

function flawOfSize(judged: Judged, quote: Quoted, { size }: Expected): string | null {
  const { run, lots } = judged;
  if (run.quoting.inventorySkew.enabled) return null;
  const { lotSize } = run.instrument;
  const slack = size.mul(AS_DECIMALS.ratio);
  const inLots = (of: Decimal): Decimal => of.div(lotSize).floor().mul(lotSize);
  const [most, least] = [inLots(size.add(slack)), inLots(size.sub(slack))];
  const words = `${nameOf(quote)} is of ${quote.quantity.toFixed()}, wanted is ${most.toFixed()}`;
  if (quote.quantity.gt(most)) return `${words}.`;
  // Before it closes a session may want no more than brings the base to its target.
  const isSmall = run.quoting.sessions === undefined && quote.quantity.lt(least.sub(lotSize.mul(lots)));
  return isSmall && isRoomy(judged, quote.side) ? `${words}, with money for it.` : null;
}

const isPlaceable = (judged: Judged, side: Side, { price, size }: Expected): boolean =>
  price.mul(size).gt(judged.run.instrument.minNotional.mul(2)) &&
  !judged.run.quoting.inventorySkew.enabled &&
  !hasFeature(judged.run) &&
  isRoomy(judged, side);

/** Whether all open orders may be worth what rests and twice what is wanted, and as much again in the other markets. */
function hasNotional({ run, totals, expected, own }: Judged): boolean {
  const { maxOpenNotional, maxOpenNotionalOverAll = Number.POSITIVE_INFINITY } = run.limits;
  const worth = (orders: readonly { price: Decimal | string; size: Decimal | string }[]): Decimal =>
    orders.reduce((sum, { price, size }) => sum.add(new Decimal(price).mul(size)), ZERO);
  const resting = worth(own.map(({ price, quantity }) => ({ price, size: quantity })));
  const all = worth([...expected.buy, ...expected.sell])
    .mul(2)
    .add(resting);
  return all.lte(maxOpenNotional) && all.mul(totals.size).lte(maxOpenNotionalOverAll);
}

/** Whether money, limits and inventory are plenty for all that the side wants, twice. */
function isRoomy(judged: Judged, side: Side): boolean {
  const { run, expected, totals, taken } = judged;
  if (!hasNotional(judged)) return false;
  const { instrument, quoting } = run;
  const { inventory, budget } = quoting;
  const need = expected[side]
    .reduce((sum, { price, size }) => sum.add(side === 'buy' ? price.mul(size) : size), ZERO)
    .mul(2);
  const asset = side === 'buy' ? instrument.quote : instrument.base;
  const total = totals.get(asset) ?? ZERO;
  const capped = side === 'buy' ? budget.maxQuote : budget.maxBase;
  if (capped !== undefined || (side === 'buy' && (inventory.maxBase !== undefined || inventory.maxBaseRatio < 1)))
    return false;
  const reserve = side === 'buy' ? budget.reserveQuote : Decimal.max(budget.reserveBase, inventory.minBase);
  return total
    .sub(taken.get(asset) ?? ZERO)
    .sub(reserve)
    .gte(need);
}
