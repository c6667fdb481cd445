// External cash flows: money that moved by no trade of the bot. Transfers, simple buys and sells and trades in other
// markets, as the lists of the account show them, in one type.
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import { orderId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../domain/transfer.ts';
import { cryptoName, fiatName, isPending } from '../../history/lists.ts';
import { type Amount, add, amountOf, NO_AMOUNT, negate, subtract } from '../../ledger/amount.ts';
import type { ExternalAccount } from '../../ledger/entry.ts';
import { type BookableFill, bookable } from '../../ledger/fill-entries.ts';

/** The asset of fiat transfers and of the other side of simple buys and sells. */
export const FIAT: Asset = 'INR';

/** One way in which a transfer may have moved the wallet: with the fee on top, or inside the amount. */
export interface TransferReading {
  readonly walletChange: Amount;
  readonly fee: Amount;
}

export type ExternalFlow =
  | {
      readonly kind: 'transfer';
      /** What names it for ever; equal ones are counted. */
      readonly name: string;
      readonly account: ExternalAccount;
      readonly asset: Asset;
      readonly readings: readonly TransferReading[];
      readonly venueTime: EpochMs;
      readonly status: 'pending' | 'success' | 'failed';
    }
  /** A simple buy or sell; a spot trade in a market that no run has. */
  | {
      readonly kind: 'conversion' | 'owner-trade';
      readonly fill: Fill;
      readonly money: BookableFill;
      readonly venueTime: EpochMs;
    };

/** Null where an amount is not exact: such a row explains nothing. */
export function flowOfCrypto(row: CryptoTransfer): ExternalFlow | null {
  return flowOf(row, `crypto ${cryptoName(row)}`, row.asset);
}

export function flowOfFiat(row: FiatTransfer): ExternalFlow | null {
  return flowOf(row, `fiat ${fiatName(row)}`, FIAT);
}

function flowOf(row: CryptoTransfer | FiatTransfer, name: string, asset: Asset): ExternalFlow | null {
  const amount = amountOf(row.amount);
  const fee = amountOf(row.fee);
  if (!amount.ok || !fee.ok) return null;
  const { direction, venueTime } = row;
  const status = isPending(row) ? 'pending' : row.status === 'success' ? 'success' : 'failed';
  const readings = readingsOf(direction === 'deposit' ? 1 : -1, amount.value, fee.value);
  return { kind: 'transfer', name, account: `external:${direction}`, asset, readings, venueTime, status };
}

/** Whether a fee is part of the stated amount the specification does not say (§2.10): the wallet does. */
function readingsOf(sign: 1 | -1, amount: Amount, fee: Amount): TransferReading[] {
  const likely = sign === 1 ? amount : negate(add(amount, fee));
  const other = sign === 1 ? subtract(amount, fee) : negate(amount);
  const first = { walletChange: likely, fee };
  return fee === 0n ? [first] : [first, { walletChange: other, fee }];
}

/** A simple buy or sell as an execution whose order is its own. */
export function flowOfSbs(row: SbsTrade): ExternalFlow | null {
  const fill: Fill = { ...row, orderId: orderId(row.tradeId), liquidity: 'taker' };
  const money = bookable(fill);
  return money.ok ? { kind: 'conversion', fill, money: money.value, venueTime: row.venueTime } : null;
}

export function flowOfTrade(fill: Fill): Exclude<ExternalFlow, { kind: 'transfer' }> | null {
  const money = bookable(fill);
  return money.ok ? { kind: 'owner-trade', fill, money: money.value, venueTime: fill.venueTime } : null;
}

/** What an execution does to the wallet. */
export function changesOfFill(fill: BookableFill): Changes {
  const changes = new Map<Asset, Amount>();
  const move = (asset: Asset, by: Amount): void => {
    changes.set(asset, add(changes.get(asset) ?? NO_AMOUNT, by));
  };
  move(fill.base, fill.side === 'buy' ? fill.quantity : negate(fill.quantity));
  move(fill.quote, fill.side === 'buy' ? negate(fill.quoteQuantity) : fill.quoteQuantity);
  move(fill.commissionAsset, negate(fill.commission));
  move(fill.quote, negate(fill.tds));
  return changes;
}

export function readingsOfFlow(flow: ExternalFlow): readonly Changes[] {
  if (flow.kind !== 'transfer') return [changesOfFill(flow.money)];
  return flow.readings.map(({ walletChange }) => new Map([[flow.asset, walletChange]]));
}

// Which of the things that may have happened explain a difference between wallet and ledger to the last digit. Pure.

/** What the wallet gained (positive) or lost, by asset. */
export type Changes = ReadonlyMap<Asset, Amount>;

/**
 * Something that may have happened. `readings` are the ways in which it may have moved the wallet: a fee inside or on
 * top.
 */
export interface Possible<T> {
  readonly what: T;
  readonly readings: readonly Changes[];
}

export interface Explanation<T> {
  readonly what: T;
  /** Index of the reading that fits. */
  readonly reading: number;
}

/** Sets of more than so many are tried only as a whole. */
const MOST_AT_ONCE = 4;
const MOST_STEPS = 100_000;

/** Of more assets than these only each alone is tried. */
const MOST_ASSETS = 4;

/**
 * A set of possible things whose changes sum to exactly what is wanted, the smallest first; null where none is found,
 * or nothing is wanted.
 */
export function explain<T>(wanted: Changes, possible: readonly Possible<T>[]): readonly Explanation<T>[] | null {
  if (possible.length === 0 || isNothing(wanted)) return null;
  const search: Search<T> = { possible, steps: 0 };
  for (let count = 1; count <= Math.min(MOST_AT_ONCE, possible.length); count += 1) {
    const found = choose(search, wanted, { from: 0, count });
    if (found !== null) return found;
  }
  return allOf(wanted, possible);
}

export interface PartExplained<T> {
  readonly part: Changes;
  readonly found: readonly Explanation<T>[];
}

/**
 * The most of the assets that can be explained while the others can not: where one moved for a reason that no list
 * shows, the rest may have one. Null where there is none.
 */
export function explainPart<T>(wanted: Changes, possible: readonly Possible<T>[]): PartExplained<T> | null {
  for (const part of partsOf(wanted)) {
    const found = explain(part, possibleFor(part, possible));
    if (found !== null) return { part, found };
  }
  return null;
}

/** Never all of it; of most assets first. */
function partsOf(wanted: Changes): Changes[] {
  const all = [...wanted];
  if (all.length > MOST_ASSETS) return all.map((each) => new Map([each]));
  const chosen = Array.from({ length: 2 ** all.length - 1 }, (_, set) =>
    all.filter((_each, index) => Math.floor(set / 2 ** index) % 2 === 1),
  );
  const parts = chosen.filter(({ length }) => length > 0).map((part) => new Map(part));
  return parts.sort((a, b) => b.size - a.size);
}

/**
 * Those that moved nothing else; of one asset all, as what one thing took of another asset a second one may have
 * brought.
 */
function possibleFor<T>(part: Changes, possible: readonly Possible<T>[]): readonly Possible<T>[] {
  if (part.size === 1) return possible;
  return possible.filter(({ readings }) => readings.every((changes) => [...changes.keys()].every((a) => part.has(a))));
}

interface Search<T> {
  readonly possible: readonly Possible<T>[];
  steps: number;
}

function choose<T>(
  search: Search<T>,
  wanted: Changes,
  { from, count }: { readonly from: number; readonly count: number },
): Explanation<T>[] | null {
  if (count === 0) return isNothing(wanted) ? [] : null;
  for (let index = from; index + count <= search.possible.length; index += 1) {
    for (const [reading, changes] of (search.possible[index]?.readings ?? []).entries()) {
      search.steps += 1;
      if (search.steps > MOST_STEPS) return null;
      const rest = choose(search, without(wanted, changes), { from: index + 1, count: count - 1 });
      const what = search.possible[index]?.what;
      if (rest !== null && what !== undefined) return [{ what, reading }, ...rest];
    }
  }
  return null;
}

/** Everything together, read in the same way: what piles up while nobody looks. */
function allOf<T>(wanted: Changes, possible: readonly Possible<T>[]): readonly Explanation<T>[] | null {
  const most = Math.max(...possible.map(({ readings }) => readings.length));
  for (let reading = 0; reading < most; reading += 1) {
    const chosen = possible.map(({ what, readings }) => ({ what, reading: Math.min(reading, readings.length - 1) }));
    const rest = chosen.reduce(
      (left, each, index) => without(left, possible[index]?.readings[each.reading] ?? new Map()),
      wanted,
    );
    if (isNothing(rest)) return chosen;
  }
  return null;
}

function without(wanted: Changes, changes: Changes): Changes {
  const left = new Map(wanted);
  for (const [asset, by] of changes) left.set(asset, subtract(left.get(asset) ?? NO_AMOUNT, by));
  return left;
}

const isNothing = (changes: Changes): boolean => [...changes.values()].every((by) => by === 0n);

/** What of it moved these assets. */
export const among = (assets: ReadonlySet<Asset>, changes: Changes): Changes =>
  new Map([...changes].filter(([asset]) => assets.has(asset)));

/** Both together. */
export function together(a: Changes, b: Changes): Changes {
  const sum = new Map(a);
  for (const [asset, by] of b) sum.set(asset, add(sum.get(asset) ?? NO_AMOUNT, by));
  return sum;
}
