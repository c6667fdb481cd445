// Moves of the account's money that are not booked with their true content: the exchange's own records against the
// journal model.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type Asset, parseSymbol } from '../../src/domain/instrument.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import { walletRow } from '../../src/paper/engine/engine-step.ts';
import type { FillRow, TradeRow } from '../../src/paper/state/account-record.ts';
import type { Transfer } from '../../src/paper/state/owner-actions.ts';
import { isWaiting, type OpenedLater } from '../fold/journal-markets.ts';
import type { CheckContext } from './context.ts';
import { type BookedFill, type BookedTransfer, fillKey, type JournalModel } from './journal-model.ts';

/** The wallet's gain or loss, by asset. */
export type Changes = ReadonlyMap<Asset, Decimal>;

/** An event missing from the ledger, or booked with other content. */
export interface Unbooked {
  /** Includes its content: a trade changed once more is another event. */
  readonly name: string;
  /**
   * - `transfer`, `simple-trade`, `trade`: it happened and is not booked.
   * - `undone`: it is booked, and the exchange has no such trade.
   * - `changed`: it is booked with other content.
   */
  readonly kind: 'transfer' | 'simple-trade' | 'trade' | 'undone' | 'changed';
  /** The wallet's changes that are not in the ledger. */
  readonly changes: Changes;
  /** Order and symbol of a trade; null for everything else. */
  readonly orderId: string | null;
  readonly symbol: string | null;
  /** When it happened, by the exchange's clock. */
  readonly venueTime: EpochMs;
}

/** The fields of a trade that move money, or show whose it is. */
type Content = Pick<
  BookedFill,
  'symbol' | 'side' | 'price' | 'quantity' | 'quoteQuantity' | 'commission' | 'commissionAsset' | 'tds'
>;

const AMOUNTS = ['price', 'quantity', 'quoteQuantity', 'commission', 'tds'] as const;

export const keyOfRow = ({ symbol, id, isBuyer }: TradeRow): string => fillKey(symbol, id, isBuyer ? 'buy' : 'sell');

export function contentOf(row: TradeRow): Content {
  const { symbol, price, commission, commissionAsset, tds, isBuyer } = row;
  const [quantity, quoteQuantity] = [row.qty, row.quoteQty];
  return { symbol, side: isBuyer ? 'buy' : 'sell', price, quantity, quoteQuantity, commission, commissionAsset, tds };
}

/** How a booked trade differs from the exchange's, in words; null if it does not. */
export function otherThan(booked: BookedFill, row: TradeRow & Partial<Pick<FillRow, 'orderId'>>): string | null {
  const truth = contentOf(row);
  const amount = AMOUNTS.find((each) => !new Decimal(booked[each]).eq(truth[each]));
  if (amount !== undefined) return `${amount} ${booked[amount]}, and it was ${truth[amount]}`;
  if (booked.commissionAsset !== truth.commissionAsset)
    return `a commission in ${booked.commissionAsset}, and it was in ${truth.commissionAsset}`;
  if (row.orderId !== undefined && booked.orderId !== row.orderId)
    return `order ${booked.orderId}, and it was of ${row.orderId}`;
  return null;
}

/** Adds a trade's effect on the wallet, times `sign`, to `sums`. */
function moveBy(sums: Map<Asset, Decimal>, content: Content, sign: 1 | -1): void {
  const assets = parseSymbol(content.symbol);
  if (assets === null) return;
  const bought = content.side === 'buy' ? sign : -sign;
  const move = (asset: Asset, amount: string, by: number): void => {
    sums.set(asset, (sums.get(asset) ?? ZERO).add(new Decimal(amount).mul(by)));
  };
  move(assets.base, content.quantity, bought);
  move(assets.quote, content.quoteQuantity, -bought);
  move(content.commissionAsset, content.commission, -sign);
  move(assets.quote, content.tds, -sign);
}

/** `is` instead of `was`, each where there is one. */
function between(was: Content | null, is: Content | null): Changes {
  const sums = new Map<Asset, Decimal>();
  if (was !== null) moveBy(sums, was, -1);
  if (is !== null) moveBy(sums, is, 1);
  return new Map([...sums].filter(([, by]) => !by.isZero()));
}

/** A trade's effect on the wallet. */

/**
 * A successful transfer's effect on the wallet: a withdrawal costs amount and fee, a deposit's fee was deducted before.
 */
export function changeOfTransfer({ direction, amount, fee }: Transfer): Decimal {
  return direction === 'deposit' ? new Decimal(amount) : new Decimal(amount).add(fee).neg();
}

/** Transfers of the account that have succeeded. */
export function trueTransfers({ exchange, account }: Pick<CheckContext, 'exchange' | 'account'>): Transfer[] {
  const rows = exchange().accounts.get(account)?.transfers.values() ?? [];
  return [...rows].filter(({ status }) => status === 'SUCCESS');
}

export const trueSimpleTrades = ({ exchange, account }: Pick<CheckContext, 'exchange' | 'account'>): TradeRow[] =>
  (exchange().accounts.get(account)?.sbsTrades ?? []).map(({ row }) => row);

/**
 * Matches booked transfers to real ones by asset, time and effect on the wallet, each once; unmatched ones are left
 * out.
 */
export function matchTransfers(
  journal: JournalModel,
  rows: readonly Transfer[],
): ReadonlyMap<BookedTransfer, Transfer> {
  const left = [...rows];
  const booked = new Map<BookedTransfer, Transfer>();
  for (const intent of journal.transfers) {
    const at = left.findIndex(
      (row) =>
        row.asset === intent.asset && row.time === intent.venueTime && changeOfTransfer(row).eq(intent.walletChange),
    );
    const [row] = at < 0 ? [] : left.splice(at, 1);
    if (row !== undefined) booked.set(intent, row);
  }
  return booked;
}

export const nameOfTransfer = ({ transferId }: Transfer): string => `transfer ${transferId}`;
export const nameOfSimpleTrade = (row: TradeRow): string => `simple trade ${keyOfRow(row)}`;

/**
 * All events since the ledger was opened that are not booked with their true content; `before` names the earlier
 * transfers and simple trades.
 */
export function unbooked(context: CheckContext, before: ReadonlySet<string>): Unbooked[] {
  const { journal } = context;
  const transfers = trueTransfers(context);
  const known = new Set([...matchTransfers(journal, transfers).values()].map(nameOfTransfer));
  const ofOwner: Unbooked[] = [
    ...transfers.map((row) => ({
      name: nameOfTransfer(row),
      kind: 'transfer' as const,
      changes: new Map([[row.asset, changeOfTransfer(row)]]),
      orderId: null,
      symbol: null,
      venueTime: row.time,
    })),
    ...trueSimpleTrades(context)
      .filter((row) => !journal.conversions.has(keyOfRow(row)))
      .map((row) => ({
        name: nameOfSimpleTrade(row),
        kind: 'simple-trade' as const,
        changes: between(null, contentOf(row)),
        orderId: null,
        symbol: null,
        venueTime: row.time,
      })),
  ];
  const open = [...ofOwner.filter(({ name }) => !known.has(name) && !before.has(name)), ...unbookedTrades(context)];
  const kept = keptAssets(context);
  const isKept = (asset: Asset, { symbol, venueTime }: Unbooked): boolean =>
    kept.has(asset) && venueTime >= keptFrom(journal, asset)[symbol === null ? 'venueAt' : 'from'];
  return open.map((each) => ({
    ...each,
    changes: new Map([...each.changes].filter(([asset]) => isKept(asset, each))),
  }));
}

/** Assets of the runs whose markets the ledger has opened: the wallet's totals of others are the owner's business. */
export function keptAssets({ settings, journal }: Pick<CheckContext, 'settings' | 'journal'>): ReadonlySet<Asset> {
  const opened = settings.runs.filter(({ instrument }) => !isWaiting(journal, instrument.symbol));
  return new Set(opened.flatMap(({ instrument: { base, quote } }) => [base, quote]));
}

const FROM_THE_START: OpenedLater = { from: 0, venueAt: 0, at: 0 };

/** From when on moves of an asset count. */
export const keptFrom = ({ openedLater }: Pick<JournalModel, 'openedLater'>, asset: Asset): OpenedLater =>
  openedLater.get(asset) ?? FROM_THE_START;

function unbookedTrades({ journal, oracle }: CheckContext): Unbooked[] {
  const since = journal.openedAt ?? 0;
  const found: Unbooked[] = [];
  for (const [key, row] of oracle.fills) {
    const about = { orderId: row.orderId, symbol: row.symbol, venueTime: row.time };
    const booked = journal.fills.get(key);
    if (booked === undefined) {
      if (row.time >= since)
        found.push({ name: `trade ${key}`, kind: 'trade', changes: between(null, contentOf(row)), ...about });
      continue;
    }
    const other = otherThan(booked, row);
    if (other === null) continue;
    const changes = between(booked, contentOf(row));
    found.push({ name: `trade ${key}, booked with ${other}`, kind: 'changed', changes, ...about });
  }
  for (const [key, booked] of journal.fills) {
    if (oracle.fills.has(key)) continue;
    const { orderId, symbol, venueTime } = booked;
    const changes = between(booked, null);
    found.push({ name: `trade ${key}, which is none`, kind: 'undone', changes, orderId, symbol, venueTime });
  }
  return found;
}

/** The account's true balance at the exchange, free and set aside. */
export function trueTotal({ exchange, account }: Pick<CheckContext, 'exchange' | 'account'>, asset: Asset): Decimal {
  const { free, locked, lockedFd, lockedStaking, lockedOtc } = walletRow(exchange(), account, asset);
  return [free, locked, lockedFd, lockedStaking, lockedOtc].reduce((sum, each) => sum.add(each), ZERO);
}

/** The sum of their changes. */
export function sumOf(all: readonly Pick<Unbooked, 'changes'>[]): Map<Asset, Decimal> {
  const sums = new Map<Asset, Decimal>();
  for (const { changes } of all) for (const [asset, by] of changes) sums.set(asset, (sums.get(asset) ?? ZERO).add(by));
  return sums;
}
