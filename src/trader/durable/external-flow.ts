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

/** A trade that is not read as those of an opened market are. */
export type TradeBeside = Exclude<ExternalFlow, { kind: 'transfer' }>;

/** Null where an amount is not exact: such a row is not booked. */
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

export function flowOfTrade(fill: Fill): TradeBeside | null {
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

// How what a list shows moved the wallet, where its row does not say. Pure.

/** What the wallet gained (positive) or lost, by asset. */
export type Changes = ReadonlyMap<Asset, Amount>;

/** A row of a list. `readings` are the ways in which it may have moved the wallet, the likeliest first. */
export interface Listed<T> {
  readonly what: T;
  readonly readings: readonly Changes[];
}

/**
 * The reading of a row that the wallet bears out: alone beside the likeliest of the other rows, or read as they are, it
 * makes up what differs in its assets. Null where none does.
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

/** What of it moved these assets. */
export const among = (assets: ReadonlySet<Asset>, changes: Changes): Changes =>
  new Map([...changes].filter(([asset]) => assets.has(asset)));

/** Both together. */
export function together(a: Changes, b: Changes): Changes {
  const sum = new Map(a);
  for (const [asset, by] of b) sum.set(asset, add(sum.get(asset) ?? NO_AMOUNT, by));
  return sum;
}
