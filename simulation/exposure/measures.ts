// Totals over orders, each with the limit of the run that it must stay under.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { reader } from '../../src/matching/engine.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext } from '../checks/context.ts';
import type { InvariantId } from '../checks/invariants.ts';
import type { Exposed } from './may-be-live.ts';

/** A total and its limit, in the same unit. */
export interface Measure {
  readonly invariant: InvariantId;
  readonly limit: LimitName;
  readonly value: Decimal;
  readonly most: Decimal;
  readonly what: string;
  /** Whether the owner's moves, and fills of a second order of one create, are known only later. */
  readonly movesByOthers: boolean;
}

/** The limits of a run, as the counters name them. */
export const LIMIT_NAMES = [
  'open notional',
  'open notional over all',
  'open orders',
  'open orders over all',
  'most inventory',
  'least inventory',
  'budget in quote',
  'budget in base',
  'quote funds',
  'base funds',
  'self-cross',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Fees are rounded to the smallest unit at each fill, an order's reservation once. */
const ROUNDED_UNITS = 100;

export interface Counted {
  readonly all: readonly Exposed[];
  readonly here: readonly Exposed[];
  readonly created: string | null;
}

/** Limits over all symbols are those of the symbol whose order is placed; at other times the widest counts. */
function overAll({ settings }: CheckContext, run: RunSettings, created: string | null) {
  const { quote, symbol } = run.instrument;
  const runs = created === symbol ? [run] : settings.runs.filter(({ instrument }) => instrument.quote === quote);
  const limits = runs.map((each) => each.limits);
  return {
    notional: Decimal.max(...limits.map((each) => each.maxOpenNotionalOverAll ?? Number.POSITIVE_INFINITY)),
    orders: Math.max(...limits.map(({ maxOpenOrdersOverAll }) => maxOpenOrdersOverAll)),
  };
}

/**
 * An asset's bounds from any run: inventory bounds as a base, reserves as base or quote. The tightest counts, for the
 * orders of every run together.
 */
function boundsOf({ settings }: CheckContext, asset: string) {
  const asBase = settings.runs.filter(({ instrument }) => instrument.base === asset).map(({ limits }) => limits);
  const asQuote = settings.runs.filter(({ instrument }) => instrument.quote === asset).map(({ limits }) => limits);
  const kept = [...asBase.map(({ reserveBase }) => reserveBase), ...asQuote.map(({ reserveQuote }) => reserveQuote)];
  return {
    most: asBase.length === 0 ? null : Decimal.min(...asBase.map(({ maxInventoryBase }) => maxInventoryBase)),
    least: asBase.length === 0 ? null : Decimal.max(...asBase.map(({ minInventoryBase }) => minInventoryBase)),
    kept: Decimal.max(0, ...kept),
  };
}

interface Moved {
  readonly asset: string;
  readonly way: 'brought' | 'taken';
  /** The most that rounding may take off a cost. */
  readonly slack: Decimal;
}

/** The amount of an asset that all possibly live orders would bring or take; null without any. */
function movedOf(all: readonly Exposed[], { asset, way, slack }: Moved): Decimal | null {
  const [ofBase, ofQuote] = way === 'brought' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const traded = all.filter(({ side, run }) => side === ofBase && run.instrument.base === asset);
  const paid = all.filter(({ side, run }) => side === ofQuote && run.instrument.quote === asset);
  if (traded.length + paid.length === 0) return null;
  const ofTraded = traded.reduce((sum, each) => sum.add(baseOf([each], each.run.instrument)), new Decimal(0));
  if (paid.length === 0) return ofTraded;
  return ofTraded.add(way === 'taken' ? notionalWithFees(paid).sub(slack) : notionalOf(paid));
}

export function measuresOf(context: CheckContext, run: RunSettings, { all, here, created }: Counted): Measure[] {
  const { limits, instrument } = run;
  const wide = overAll(context, run, created);
  const { symbol, base, quote } = instrument;
  const measure = (limit: LimitName, invariant: InvariantId, value: Decimal | number, most: Decimal | number) => ({
    limit,
    invariant,
    value: new Decimal(value),
    most: new Decimal(most),
    what: `${limit} of ${symbol}`,
    movesByOthers: invariant !== 'K3',
  });
  const sameQuote = all.filter((each) => each.run.instrument.quote === quote);
  const slack = new Decimal(ROUNDED_UNITS).div(unitsOf(context));
  /** Where no order moves it this way, the holding itself is not the bot's fault. */
  const moved = (asset: string): Measure[] => {
    const { most, least, kept } = boundsOf(context, asset);
    const held = heldOf(context, asset);
    const brought = movedOf(all, { asset, way: 'brought', slack });
    const taken = movedOf(all, { asset, way: 'taken', slack });
    const funds = asset === base ? 'base funds' : 'quote funds';
    return [
      ...(brought === null || most === null ? [] : [measure('most inventory', 'K2', held.add(brought), most)]),
      ...(taken === null || least === null ? [] : [measure('least inventory', 'K2', taken, held.sub(least))]),
      ...(taken === null ? [] : [measure(funds, 'K8', taken, held.sub(kept))]),
    ];
  };
  return [
    measure('open notional', 'K3', notionalOf(here), limits.maxOpenNotional),
    measure('open notional over all', 'K3', notionalOf(sameQuote), wide.notional),
    measure('open orders', 'K3', here.length, limits.maxOpenOrders),
    measure('open orders over all', 'K3', all.length, wide.orders),
    ...moved(base),
    ...moved(quote),
    ...ofBudget(run, here, slack).map(([limit, value, most]) => measure(limit, 'K3', value, most)),
  ];
}

/** Amounts that the orders of a side lock together, and their limits. */
function ofBudget(
  { quoting: { budget }, instrument }: RunSettings,
  here: readonly Exposed[],
  slack: Decimal,
): readonly (readonly [LimitName, Decimal, Decimal])[] {
  const { maxQuote, maxBase } = budget;
  const bids = here.filter(({ side }) => side === 'buy');
  const asks = here.filter(({ side }) => side === 'sell');
  return [
    ...(maxQuote === undefined ? [] : [['budget in quote', notionalWithFees(bids).sub(slack), maxQuote] as const]),
    ...(maxBase === undefined ? [] : [['budget in base', baseOf(asks, instrument), maxBase] as const]),
  ];
}

const notionalOf = (orders: readonly Exposed[]): Decimal =>
  orders.reduce((sum, { run, ticks, lots }) => {
    const { tickSize, lotSize } = run.instrument;
    return sum.add(tickSize.mul(lotSize).mul(String(ticks * lots)));
  }, new Decimal(0));

/** The bids' highest cost, fees included. */
const notionalWithFees = (bids: readonly Exposed[]): Decimal =>
  bids.reduce((sum, bid) => {
    const { makerFeeRatio, takerFeeRatio } = bid.run.costs;
    return sum.add(notionalOf([bid]).mul(Decimal.max(makerFeeRatio, takerFeeRatio).add(1)));
  }, new Decimal(0));

const baseOf = (orders: readonly Exposed[], { lotSize }: Instrument): Decimal =>
  lotSize.mul(String(orders.reduce((sum, { lots }) => sum + lots, 0n)));

const unitsOf = (context: CheckContext): Decimal =>
  new Decimal(10).pow(context.exchange().settings.engine.assetDecimals);

export function heldOf(context: CheckContext, asset: string): Decimal {
  const { free, locked } = reader(context.exchange().engine).balance(context.account, asset);
  return new Decimal((free + locked).toString()).div(unitsOf(context));
}
