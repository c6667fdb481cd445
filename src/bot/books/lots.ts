// Cost of coins held and coins that left, by FIFO and by average cost.
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
import { type BookedTrade, type Movement, tradeKey } from './movement.ts';
import { divideHalfEven, shareOf } from './rounding.ts';

/** Money for a whole quantity, not per unit. */
interface Price {
  readonly quote: Asset;
  readonly value: Value;
}

/** A quantity of an asset that came in (positive) or left at one moment, for one sum of money. */
export interface Lot {
  readonly at: EpochMs;
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
  /** Adds a lot that came in or left; returns the matches. */
  take(lot: Lot): readonly Match[];
  /** Lots held, or owed (negative). */
  lots(): readonly Lot[];
}

/** Lots leave in the order in which they came. */
export function fifo(): Holding {
  let held: Lot[] = [];
  return {
    take(lot) {
      const matches: Match[] = [];
      let rest = lot;
      let gone = 0;
      for (let oldest = held[gone]; oldest && areOpposite(oldest, rest); oldest = held[gone]) {
        const size = least(sizeOf(oldest), sizeOf(rest));
        const [met, kept] = split(oldest, size);
        const [part, more] = split(rest, size);
        matches.push(matchOf(met, part));
        if (kept.quantity === NO_AMOUNT) gone += 1;
        else held[gone] = kept;
        rest = more;
      }
      held = gone === 0 ? held : held.slice(gone);
      if (rest.quantity !== NO_AMOUNT) held.push(rest);
      return matches;
    },
    lots: () => held,
  };
}

/** Each unit that leaves is an average one: it takes the same share of every pool and its cost. */
export function averageCost(): Holding {
  /** Separate pools for lots that can't be added up: different quote assets, unknown prices. */
  const pools = new Map<string, Lot>();

  function takeFromPools(lot: Lot): { matches: Match[]; rest: Lot } {
    const matches: Match[] = [];
    const held = [...pools];
    let total = held.reduce((sum, [, pool]) => (sum + sizeOf(pool)) as Amount, NO_AMOUNT);
    let size = least(total, sizeOf(lot));
    let rest = lot;
    for (const [key, pool] of held) {
      const share = divideHalfEven(size * sizeOf(pool), total) as Amount;
      total = subtract(total, sizeOf(pool));
      size = subtract(size, share);
      if (share === NO_AMOUNT) continue;
      const [met, kept] = split(pool, share);
      const [part, more] = split(rest, share);
      matches.push(matchOf(met, part));
      if (kept.quantity === NO_AMOUNT) pools.delete(key);
      else pools.set(key, kept);
      rest = more;
    }
    return { matches, rest };
  }

  return {
    take(lot) {
      const [first] = pools.values();
      const { matches, rest } = first && areOpposite(first, lot) ? takeFromPools(lot) : { matches: [], rest: lot };
      if (rest.quantity !== NO_AMOUNT) pools.set(poolKey(rest), joined(pools.get(poolKey(rest)), rest));
      return matches;
    },
    lots: () => [...pools.values()],
  };
}

const poolKey = ({ price, symbol, origin }: Lot): string => `${price?.quote ?? ''} ${symbol ?? ''} ${origin ?? ''}`;

function joined(pool: Lot | undefined, lot: Lot): Lot {
  if (pool === undefined) return lot;
  const price = pool.price && lot.price && { ...pool.price, value: addValue(pool.price.value, lot.price.value) };
  return { ...pool, quantity: (pool.quantity + lot.quantity) as Amount, price };
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
  readonly seq: number;
}

/**
 * Lots of every asset that was traded as a base, in order of time. Each execution counts in its final form, as if the
 * bookings it replaced had never been. Quantities add up to the wallet's changes.
 */
export function lotEventsOf(movements: readonly Movement[]): readonly LotEvent[] {
  const events = [...tradesOf(movements).flatMap(eventsOfTrade), ...movements.flatMap(eventsOfFlow)];
  const coins = new Set(events.filter(({ price }) => price !== null).map(({ asset }) => asset));
  return events.filter(({ asset }) => coins.has(asset)).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

interface FinalTrade {
  readonly seq: number;
  /** The current booking; null if it was taken back. */
  now: BookedTrade | null;
  /** The last booking. */
  last: BookedTrade;
  /** Sum of all its bookings' wallet changes. */
  readonly wallet: Map<Asset, Amount>;
}

function tradesOf(movements: readonly Movement[]): readonly FinalTrade[] {
  const trades = new Map<string, FinalTrade>();
  for (const { seq, trade, takesBack, changes } of movements) {
    if (trade === null) continue;
    const key = tradeKey(trade);
    const final = trades.get(key) ?? { seq, now: null, last: trade, wallet: new Map() };
    trades.set(key, final);
    final.now = takesBack ? null : trade;
    final.last = trade;
    for (const { asset, by } of changes.filter(({ account }) => account === 'wallet'))
      final.wallet.set(asset, add(final.wallet.get(asset) ?? NO_AMOUNT, by));
  }
  return [...trades.values()];
}

/**
 * The coin against its money. Other wallet changes (money that is itself a coin, a fee in a third asset, a coin that
 * was not yet in the ledger when traded) have no price.
 */
function eventsOfTrade({ seq, now, last, wallet }: FinalTrade): readonly LotEvent[] {
  const { venueTime: at, origin, fill } = now ?? last;
  const coin = now === null ? null : coinOf(now.fill);
  return [...wallet]
    .filter(([, by]) => by !== NO_AMOUNT)
    .map(([asset, quantity]) => {
      const price = coin !== null && asset === fill.base && quantity === coin.quantity ? coin.price : null;
      return { asset, seq, at, quantity, price, symbol: fill.symbol, origin };
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

function eventsOfFlow({ seq, trade, changes, happenedAt: at }: Movement): readonly LotEvent[] {
  if (trade !== null) return [];
  return changes
    .filter(({ account }) => account === 'wallet')
    .map(({ asset, by: quantity }) => ({ asset, seq, at, quantity, price: null, symbol: null, origin: null }));
}

// Profit of coins sold: proceeds minus cost.

/** A quantity sold: by whom, proceeds, and cost. */
export interface Realized {
  readonly symbol: InstrumentSymbol;
  readonly origin: FillOrigin;
  readonly quote: Asset;
  readonly quantity: Amount;
  readonly proceeds: Value;
  /** In the same asset as the proceeds; null if unknown or paid in another. */
  readonly cost: Value | null;
}

export type LotsOfPeriod = ReturnType<typeof lotsOfPeriod>;

/** Unit cost of assets that came without a price, as stated by the owner. */
export type UnitCosts = ReadonlyMap<Asset, { readonly quote: Asset; readonly unit: Amount }>;

interface LotsOptions {
  readonly method: () => Holding;
  readonly costs: UnitCosts;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/**
 * Runs the lots from the first. Returns the sales of [from, to), and the lots held before and after it, by asset. A
 * sale counts once it is matched with its purchase.
 */
export function lotsOfPeriod(events: readonly LotEvent[], { method, costs, from, to }: LotsOptions) {
  const holdings = new Map<Asset, Holding>();
  const realized: Realized[] = [];
  /** Coins that left without proceeds (a withdrawal, a fee in a third asset), or for other money than they cost. */
  const unsold: { readonly asset: Asset; readonly quantity: Amount; readonly cost: Price | null }[] = [];
  const take = (event: LotEvent): readonly Match[] => {
    const holding = holdings.get(event.asset) ?? method();
    holdings.set(event.asset, holding);
    return holding.take(priced(event, costs));
  };
  const held = (): ReadonlyMap<Asset, readonly Lot[]> =>
    new Map([...holdings].map(([asset, holding]) => [asset, [...holding.lots()]]));
  for (const event of events) if (event.at < from) take(event);
  const opening = held();
  for (const event of events) {
    if (event.at < from || event.at >= to) continue;
    for (const match of take(event)) {
      const sale = saleIn(match);
      if (sale !== null) realized.push(sale);
      const { came, left } = match;
      if (sale === null || (sale.cost === null && came.price !== null))
        unsold.push({ asset: event.asset, quantity: left.quantity, cost: came.price });
    }
  }
  return { opening, realized, unsold, closing: held() };
}

/** Coins that came without a trade get the cost stated by the owner. */
function priced(event: LotEvent, costs: UnitCosts): LotEvent {
  const cost = costs.get(event.asset);
  if (event.price !== null || event.origin !== null || event.quantity < 0n || cost === undefined) return event;
  return { ...event, price: { quote: cost.quote, value: times(event.quantity, cost.unit) } };
}

function saleIn({ came, left }: Match): Realized | null {
  if (left.price === null) return null;
  const { symbol, origin, quantity, price } = left;
  invariant(symbol !== null && origin !== null, 'Something was sold that no trade sold.');
  const { quote, value: proceeds } = price;
  const cost = came.price?.quote === quote ? came.price.value : null;
  return { symbol, origin, quote, quantity, proceeds, cost };
}
