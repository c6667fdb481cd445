// External cash flows: money that moved by no trade of the bot. One type for transfers, simple buys and sells, and
// trades in other markets, from the lists of the account.
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import { orderId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../domain/transfer.ts';
import { cryptoName, fiatName, isPending } from '../../history/lists.ts';
import { type Amount, add, amountOf, NO_AMOUNT, negate, subtract } from '../../ledger/amount.ts';
import { type BookableFill, bookable } from '../../ledger/fill-entries.ts';
import type { ExternalAccount } from '../../ledger/ledger.ts';

/** The asset of fiat transfers and of the other side of simple buys and sells. */
export const FIAT: Asset = 'INR';

/** One way a transfer may have moved the wallet: with the fee on top, or inside the amount. */
export interface TransferReading {
  readonly walletChange: Amount;
  readonly fee: Amount;
}

export type ExternalFlow =
  | {
      readonly kind: 'transfer';
      /** Its permanent name; equal ones are counted. */
      readonly name: string;
      readonly account: ExternalAccount;
      readonly asset: Asset;
      readonly readings: readonly TransferReading[];
      readonly venueTime: EpochMs;
      readonly status: 'pending' | 'success' | 'failed';
    }
  /** A simple buy or sell, or a spot trade in a market without a run. */
  | {
      readonly kind: 'conversion' | 'owner-trade';
      readonly fill: Fill;
      readonly money: BookableFill;
      readonly venueTime: EpochMs;
    };

/** A trade that is not read like those of an opened market. */
export type TradeBeside = Exclude<ExternalFlow, { kind: 'transfer' }>;

/** Null if an amount is not exact: such a row is not booked. */
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

/** The specification leaves open whether a fee is part of the stated amount (§2.10); the wallet tells. */
function readingsOf(sign: 1 | -1, amount: Amount, fee: Amount): TransferReading[] {
  const likely = sign === 1 ? amount : negate(add(amount, fee));
  const other = sign === 1 ? subtract(amount, fee) : negate(amount);
  const first = { walletChange: likely, fee };
  return fee === 0n ? [first] : [first, { walletChange: other, fee }];
}

/** A simple buy or sell as an execution with an order of its own. */
export function flowOfSbs(row: SbsTrade): ExternalFlow | null {
  const fill: Fill = { ...row, orderId: orderId(row.tradeId), liquidity: 'taker' };
  const money = bookable(fill);
  return money.ok ? { kind: 'conversion', fill, money: money.value, venueTime: row.venueTime } : null;
}

export function flowOfTrade(fill: Fill): TradeBeside | null {
  const money = bookable(fill);
  return money.ok ? { kind: 'owner-trade', fill, money: money.value, venueTime: fill.venueTime } : null;
}

/** The wallet changes of an execution. */
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

// How a listed row moved the wallet, if the row itself leaves it open. Pure.

/** Wallet gains (positive) and losses, by asset. */
export type Changes = ReadonlyMap<Asset, Amount>;

/** A row of a list. `readings` are the ways it may have moved the wallet, the likeliest first. */
export interface Listed<T> {
  readonly what: T;
  readonly readings: readonly Changes[];
}

/**
 * The reading of a row that matches the wallet: together with the likeliest reading of the other rows, or with their
 * readings as they are, it accounts for the differences in its assets. Null if none does.
 */
export function readingOf<T>(differs: Changes, row: Listed<T>, all: readonly Listed<T>[]): number | null {
  const assets = [...new Set(row.readings.flatMap((changes) => [...changes.keys()]))];
  const readAs = ({ readings }: Listed<T>, reading: number): Changes =>
    readings[Math.min(reading, readings.length - 1)] ?? new Map();
  const fits = (reading: number, ofOthers: number): boolean =>
    assets.every((asset) => {
      const moved = all.map((each) => readAs(each, each === row ? reading : ofOthers).get(asset) ?? NO_AMOUNT);
      return moved.reduce(add, NO_AMOUNT) === (differs.get(asset) ?? NO_AMOUNT);
    });
  const found = row.readings.findIndex((_, reading) => fits(reading, 0) || fits(reading, reading));
  return found < 0 ? null : found;
}

/** The part of the changes in these assets. */
export const among = (assets: ReadonlySet<Asset>, changes: Changes): Changes =>
  new Map([...changes].filter(([asset]) => assets.has(asset)));

/** The sum of both. */
export function together(a: Changes, b: Changes): Changes {
  const sum = new Map(a);
  for (const [asset, by] of b) sum.set(asset, add(sum.get(asset) ?? NO_AMOUNT, by));
  return sum;
}
