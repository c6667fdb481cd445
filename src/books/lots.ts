// What a coin that is held cost, and what becomes of that when it leaves: by FIFO and by average cost.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import {
  type Amount,
  addValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  subtract,
  subtractValue,
  type Value,
} from '../ledger/amount.ts';
import type { FillOrigin } from '../ledger/fill-entries.ts';
import { divideHalfEven, shareOf } from './rounding.ts';

/** A sum of money of a quantity; not of a unit of it. */
export interface Price {
  readonly quote: Asset;
  readonly value: Value;
}

/** A quantity of an asset that came (positive) or left at one moment, for one sum of money. */
export interface Lot {
  readonly at: EpochMs;
  readonly quantity: Amount;
  /** Null where no price is known: an opening balance, a deposit, a withdrawal. */
  readonly price: Price | null;
  readonly symbol: InstrumentSymbol | null;
  /** Null for what is no trade. */
  readonly origin: FillOrigin | null;
}

/** A part of what came, and the part of what left that it meets: equal quantities, both positive. */
export interface Match {
  readonly came: Lot;
  readonly left: Lot;
}

/**
 * What is held of one asset. What leaves while nothing is held is owed: what comes next meets it. So what is held is
 * the sum of all lots at any time, and no price is lost.
 */
export interface Holding {
  /** Takes in what came or left; gives what met. */
  take(lot: Lot): readonly Match[];
  /** What is held, or owed (negative). */
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

/** Each unit that leaves is an average one: the same share of everything that is held, and of what it cost. */
export function averageCost(): Holding {
  /** Apart by what can't be added up: money of several kinds, prices that are not known. */
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

/** A part of this size, and the rest; together they have the price to the last digit. */
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
