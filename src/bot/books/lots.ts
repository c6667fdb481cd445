// Cost of coins held and coins that left, by the method of `statement.method`: the only place that knows how it works.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import {
  type Amount,
  add,
  addValue,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  subtract,
  subtractValue,
  times,
  type Value,
} from '../../ledger/amount.ts';
import type { BookableFill, FillOrigin } from '../../ledger/fill-entries.ts';
import { type Change, summed } from '../../ledger/ledger.ts';
import { type Movement, tradeKey } from './movement.ts';
import { divideHalfEven, shareOf } from './rounding.ts';

/** Money for a whole quantity, not per unit. */
interface Price {
  readonly quote: Asset;
  readonly value: Value;
}

/** A quantity of an asset that came in (positive) or left at one moment, for one sum of money. */
export interface Lot {
  /** When it came or left, and the record that booked it first; null for a pool of several lots. */
  readonly at: EpochMs | null;
  readonly seq: number | null;
  readonly quantity: Amount;
  /** Null if the price is unknown: an opening balance, a deposit, a withdrawal. */
  readonly price: Price | null;
  readonly symbol: InstrumentSymbol | null;
  /** Null if it is no trade. */
  readonly origin: FillOrigin | null;
}

/** An incoming part and the outgoing part that it is matched with: equal quantities, both positive. */
interface Match {
  readonly came: Lot;
  readonly left: Lot;
}

/**
 * Lots held of one asset. What leaves while nothing is held is owed and matched with the next that comes in. So the
 * holding always equals the sum of all lots, and no price is lost.
 */
export interface Holding {
  /** Adds a lot that came in or left; `rest` is the part that matched nothing and is now held, or owed. */
  take(lot: Lot): { readonly matches: readonly Match[]; readonly rest: Lot };
  /** Lots held, or owed (negative). */
  lots(): readonly Lot[];
}

/** Each lot leaves as a whole before the next. `goesBefore`: whether a new lot leaves before one that is held. */
const lotByLot = (goesBefore: (lot: Lot, held: Lot) => boolean): Holding =>
  holdingBy({ portionOf: (held, size) => least(sizeOf(held), size), goesBefore });

/** Which lot leaves first, by the names of `statement.method`. */
export const METHODS = {
  /** The oldest. */
  fifo: () => lotByLot(() => false),
  /** The newest. */
  lifo: () => lotByLot(() => true),
  /** The one with the highest unit cost, the older of two alike; without a known cost last. */
  hifo: () => lotByLot((lot, held) => unitCostCompared(lot, held) > 0n),
  /**
   * Each unit that leaves is an average one: it takes the same share of every pool and its cost. Separate pools for
   * lots that can't be added up: different quote assets, unknown prices.
   */
  average: () =>
    holdingBy({
      portionOf: (held, size, total) => divideHalfEven(size * sizeOf(held), total) as Amount,
      poolOf: ({ price, symbol, origin }) => `${price?.quote ?? ''} ${symbol ?? ''} ${origin ?? ''}`,
    }),
} as const satisfies Readonly<Record<string, () => Holding>>;
export type Method = keyof typeof METHODS;

/** Zero for different money, which nothing compares. */
function unitCostCompared(a: Lot, b: Lot): bigint {
  if (a.price && b.price && a.price.quote !== b.price.quote) return 0n;
  return (a.price?.value ?? 0n) * sizeOf(b) - (b.price?.value ?? 0n) * sizeOf(a);
}

interface Way {
  /** How much a held lot gives of the `size` that is still to leave; `total`: in this lot and those after it. */
  readonly portionOf: (held: Lot, size: Amount, total: Amount) => Amount;
  /** Lots of one pool become one; without it, each stays apart. */
  readonly poolOf?: (lot: Lot) => string;
  /** Lots are held in the order in which they leave. */
  readonly goesBefore?: (lot: Lot, held: Lot) => boolean;
}

function holdingBy({ portionOf, poolOf, goesBefore = () => false }: Way): Holding {
  let held: Lot[] = [];

  function takeFrom(before: readonly Lot[], lot: Lot): { matches: Match[]; rest: Lot } {
    const matches: Match[] = [];
    let total = before.reduce((sum, each) => add(sum, sizeOf(each)), NO_AMOUNT);
    let rest = lot;
    let size = least(total, sizeOf(lot));
    held = before.flatMap((each) => {
      if (size === NO_AMOUNT) return [each];
      const portion = portionOf(each, size, total);
      total = subtract(total, sizeOf(each));
      if (portion === NO_AMOUNT) return [each];
      size = subtract(size, portion);
      const [met, kept] = split(each, portion);
      const [part, more] = split(rest, portion);
      matches.push(matchOf(met, part));
      rest = more;
      return kept.quantity === NO_AMOUNT ? [] : [kept];
    });
    return { matches, rest };
  }

  function put(lot: Lot): void {
    const pool = poolOf ? held.findIndex((each) => poolOf(each) === poolOf(lot)) : -1;
    const known = held[pool];
    const place = held.findIndex((each) => goesBefore(lot, each));
    if (known !== undefined) held[pool] = joined(known, lot);
    else held.splice(place < 0 ? held.length : place, 0, lot);
  }

  return {
    take(lot) {
      const [first] = held;
      const { matches, rest } = first && areOpposite(first, lot) ? takeFrom(held, lot) : { matches: [], rest: lot };
      if (rest.quantity !== NO_AMOUNT) put(rest);
      return { matches, rest };
    },
    lots: () => held,
  };
}

function joined(pool: Lot, lot: Lot): Lot {
  const price = pool.price && lot.price && { ...pool.price, value: addValue(pool.price.value, lot.price.value) };
  return { ...pool, at: null, seq: null, quantity: (pool.quantity + lot.quantity) as Amount, price };
}

const areOpposite = (a: Lot, b: Lot): boolean => b.quantity !== NO_AMOUNT && a.quantity > 0n !== b.quantity > 0n;
const sizeOf = ({ quantity }: Lot): Amount => (quantity < 0n ? negate(quantity) : quantity);
const least = (a: Amount, b: Amount): Amount => (a < b ? a : b);

/** A part of this size, and the rest; their prices add up to the last digit. */
function split(lot: Lot, size: Amount): readonly [part: Lot, rest: Lot] {
  const { quantity, price } = lot;
  const signed = quantity < 0n ? negate(size) : size;
  const value = price === null ? NO_VALUE : shareOf(price.value, size, sizeOf(lot));
  return [
    { ...lot, quantity: signed, price: price && { ...price, value } },
    {
      ...lot,
      quantity: subtract(quantity, signed),
      price: price && { ...price, value: subtractValue(price.value, value) },
    },
  ];
}

function matchOf(held: Lot, taken: Lot): Match {
  const [came, left] = held.quantity > 0n ? [held, taken] : [taken, held];
  return { came, left: { ...left, quantity: negate(left.quantity) } };
}

// From movements to lots: which coins came in and left, and for how much.

interface LotEvent extends Lot {
  readonly asset: Asset;
  readonly at: EpochMs;
  readonly seq: number;
}

/** An execution in its final form, as if the bookings it replaced had never been; or another movement. */
export interface Settled {
  /** The record that booked it first. */
  readonly seq: number;
  readonly at: EpochMs;
  readonly changes: readonly Change[];
  /** Its last booking. */
  readonly movement: Movement;
}

/** In order of time. */
export function settledOf(movements: readonly Movement[]): readonly Settled[] {
  const trades = movements.flatMap((movement) => (movement.trade === null ? [] : [{ movement, key: movement.trade }]));
  const settled = [...Map.groupBy(trades, ({ key }) => tradeKey(key)).values()].flatMap((bookings): Settled[] => {
    const [first, last] = [bookings[0], bookings.at(-1)];
    if (first === undefined || last === undefined) return [];
    const changes = summed(bookings.flatMap(({ movement }) => movement.changes));
    return [{ seq: first.movement.seq, at: last.key.venueTime, changes, movement: last.movement }];
  });
  const flows = movements
    .filter(({ trade }) => trade === null)
    .map((movement): Settled => ({ ...movement, at: movement.happenedAt, movement }));
  return [...settled, ...flows].sort((a, b) => a.at - b.at || a.seq - b.seq);
}

/** Lots of every asset that was traded as a base. Quantities add up to the wallet's changes. */
export function lotEventsOf(settled: readonly Settled[]): readonly LotEvent[] {
  const events = settled.flatMap(eventsOf);
  const coins = new Set(events.filter(({ price }) => price !== null).map(({ asset }) => asset));
  return events.filter(({ asset }) => coins.has(asset));
}

/**
 * Changes of the wallet. A traded coin has a price; other changes (transfers, money that is itself a coin, a fee in a
 * third asset, a coin that was not yet in the ledger when traded) have none.
 */
function eventsOf({ seq, at, changes, movement: { trade, takesBack } }: Settled): readonly LotEvent[] {
  // None if it was taken back in the end.
  const coin = trade === null || takesBack ? null : coinOf(trade.fill);
  const about = { seq, at, symbol: trade?.fill.symbol ?? null, origin: trade?.origin ?? null };
  return changes.flatMap(({ asset, account, by: quantity }) => {
    if (account !== 'wallet') return [];
    const price = coin !== null && asset === trade?.fill.base && quantity === coin.quantity ? coin.price : null;
    return [{ ...about, asset, quantity, price }];
  });
}

/**
 * The coin's change and its price. A commission in the coin is valued at the trade's price and listed among the fees: a
 * buy's reduces both quantity and cost, a sale's leaves at its worth.
 */
function coinOf(fill: BookableFill): { readonly quantity: Amount; readonly price: Price } {
  const fee = fill.commissionAsset === fill.base ? fill.commission : NO_AMOUNT;
  const [paid, worth] = [asValue(fill.quoteQuantity), times(fee, fill.price)];
  const isBuy = fill.side === 'buy';
  return {
    quantity: isBuy ? subtract(fill.quantity, fee) : negate(add(fill.quantity, fee)),
    price: { quote: fill.quote, value: isBuy ? subtractValue(paid, worth) : addValue(paid, worth) },
  };
}

// Profit of coins sold: proceeds minus cost.

/** A quantity that came in one lot and was sold by one trade. */
export type Disposal = NonNullable<ReturnType<typeof disposalIn>>;

export type LotsOfPeriod = ReturnType<typeof lotsOfPeriod>;

/** Unit cost of assets that came without a price, as stated by the owner. */
export type UnitCosts = ReadonlyMap<Asset, { readonly quote: Asset; readonly unit: Amount }>;

/** How lots are matched, and what those cost that came without a price. */
export interface LotRules {
  readonly method: Method;
  readonly costs: UnitCosts;
}

/**
 * Runs the lots from the first. Returns the sales of [from, to), and the lots held before and after it, by asset. A
 * sale counts once it is matched with its purchase.
 */
export function lotsOfPeriod(
  events: readonly LotEvent[],
  { method, costs, from, to }: LotRules & { readonly from: EpochMs; readonly to: EpochMs },
) {
  const holdings = new Map<Asset, Holding>();
  const take = (event: LotEvent) => {
    const holding = holdings.get(event.asset) ?? METHODS[method]();
    holdings.set(event.asset, holding);
    const { matches, rest } = holding.take(priced(event, costs));
    const own = matches.map((match) => ({ asset: event.asset, ...match }));
    return { event, matches: own, rest, disposals: own.flatMap((match) => disposalIn(match) ?? []) };
  };
  const held = (): ReadonlyMap<Asset, readonly Lot[]> =>
    new Map([...holdings].map(([asset, holding]) => [asset, [...holding.lots()]]));
  for (const event of events.filter(({ at }) => at < from)) take(event);
  const opening = held();
  const steps = events.filter(({ at }) => at >= from && at < to).map(take);
  return {
    ...{ opening, steps, closing: held() },
    disposals: steps.flatMap(({ disposals }) => disposals),
    /** Coins that left without proceeds (a withdrawal, a fee in a third asset), or for other money than they cost. */
    unsold: steps
      .flatMap(({ matches }) => matches)
      .flatMap(({ asset, came, left }) =>
        left.price === null || (came.price !== null && came.price.quote !== left.price.quote)
          ? [{ asset, quantity: left.quantity, cost: came.price }]
          : [],
      ),
  };
}

/** Coins that came without a trade get the cost stated by the owner. */
function priced(event: LotEvent, costs: UnitCosts): LotEvent {
  const cost = costs.get(event.asset);
  if (event.price !== null || event.origin !== null || event.quantity < 0n || cost === undefined) return event;
  return { ...event, price: { quote: cost.quote, value: times(event.quantity, cost.unit) } };
}

function disposalIn({ asset, came, left }: Match & { readonly asset: Asset }) {
  if (left.price === null) return null;
  const { symbol, origin, quantity, price } = left;
  invariant(symbol !== null && origin !== null, 'Something was sold that no trade sold.');
  const { quote, value: proceeds } = price;
  /** In the same asset as the proceeds; null if unknown or paid in another. */
  const cost = came.price?.quote === quote ? came.price.value : null;
  const gain = cost === null ? null : subtractValue(proceeds, cost);
  const lots = { acquiredAt: came.at, acquiredSeq: came.seq, at: left.at, seq: left.seq };
  return { asset, symbol, origin, quote, quantity, proceeds, cost, gain, ...lots };
}
