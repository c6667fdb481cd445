// The ledger: balances per asset and account, and each intent's reservation. Immutable; `post` returns the next one.
import type { IntentId } from '../domain/ids.ts';
import type { Asset } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type Amount, add, amountText, NO_AMOUNT, subtract } from './amount.ts';
import { type Account, assertBalanced, changeOf, type Entry, type Reservation } from './entry.ts';

type Balances = ReadonlyMap<Account, Amount>;

export interface Ledger {
  /** Debits minus credits. An account that never moved is absent. */
  readonly balances: ReadonlyMap<Asset, Balances>;
  /** Amounts that live intents may spend; their sum per asset is the balance of `reserved`. */
  readonly reservations: ReadonlyMap<IntentId, Reservation>;
  /** Entries posted so far. */
  readonly entries: number;
}

export const EMPTY_LEDGER: Ledger = { balances: new Map(), reservations: new Map(), entries: 0 };

/**
 * The ledger with one more entry. An entry that does not balance per asset, or whose lines on `reserved` differ from
 * its reservation, is a bug and throws. Balances may go below zero: `negativeBalances` reports it.
 */
export function post(ledger: Ledger, entry: Entry): Ledger {
  assertBalanced(entry);
  assertReservation(ledger, entry);
  const balances = new Map(ledger.balances);
  const copied = new Map<Asset, Map<Account, Amount>>();
  for (const line of entry.lines) {
    let accounts = copied.get(line.asset);
    if (!accounts) {
      accounts = new Map(balances.get(line.asset));
      copied.set(line.asset, accounts);
      balances.set(line.asset, accounts);
    }
    accounts.set(line.account, add(accounts.get(line.account) ?? NO_AMOUNT, changeOf(line)));
  }
  return { balances, reservations: reservationsAfter(ledger, entry.reservation), entries: ledger.entries + 1 };
}

function reservationsAfter(ledger: Ledger, reservation: Reservation | undefined): ReadonlyMap<IntentId, Reservation> {
  if (!reservation) return ledger.reservations;
  const reservations = new Map(ledger.reservations);
  if (reservation.amount === 0n) reservations.delete(reservation.intentId);
  else reservations.set(reservation.intentId, reservation);
  return reservations;
}

function assertReservation(ledger: Ledger, entry: Entry): void {
  const { reservation } = entry;
  const before = reservation ? ledger.reservations.get(reservation.intentId) : undefined;
  if (reservation) {
    const { intentId, asset, amount } = reservation;
    invariant(amount >= 0n, () => `Intent ${intentId} would reserve ${amountText(amount)} ${asset}.`);
    invariant(!before || before.asset === asset, () => `Intent ${intentId} reserves ${before?.asset}, not ${asset}.`);
  }
  const wanted = subtract(reservation?.amount ?? NO_AMOUNT, before?.amount ?? NO_AMOUNT);
  for (const line of entry.lines) {
    if (line.account !== 'reserved') continue;
    invariant(
      line.asset === reservation?.asset,
      () => `Entry '${entry.memo}' moves reserved ${line.asset} of no intent.`,
    );
  }
  const moved = entry.lines
    .filter(({ account }) => account === 'reserved')
    .map(changeOf)
    .reduce(add, NO_AMOUNT);
  invariant(
    moved === wanted,
    () =>
      `Entry '${entry.memo}' moves ${amountText(moved)} of reserved, its reservation asks for ${amountText(wanted)}.`,
  );
}

/**
 * Whether the ledger accounts for the wallet's balance of an asset: not if only fees in it, or the owner's trades, are
 * booked.
 */
export function answersFor(ledger: Ledger, asset: Asset): boolean {
  return ledger.balances.get(asset)?.has('wallet') === true;
}

/** Debits minus credits of one account. */
export function balanceOf(ledger: Ledger, asset: Asset, account: Account): Amount {
  return ledger.balances.get(asset)?.get(account) ?? NO_AMOUNT;
}

/** The wallet's required total (free and locked), to the last digit (M2). */
export function expectedTotal(ledger: Ledger, asset: Asset): Amount {
  return add(balanceOf(ledger, asset, 'wallet'), balanceOf(ledger, asset, 'reserved'));
}

/** An intent's reservation; `null` if it has none. */
export function reservationOf(ledger: Ledger, intentId: IntentId): Reservation | null {
  return ledger.reservations.get(intentId) ?? null;
}

// Compares the ledger with the wallet.

export interface Difference {
  readonly asset: Asset;
  readonly expected: Amount;
  readonly actual: Amount;
  /** actual − expected. */
  readonly difference: Amount;
}

/**
 * Assets in which the wallet's total differs from the ledger's, by name; tolerance zero (M2). An asset that the wallet
 * does not list counts as zero there, one unknown to the ledger as zero here.
 */
export function compare(ledger: Ledger, walletTotals: ReadonlyMap<Asset, Amount>): Difference[] {
  const differences: Difference[] = [];
  for (const asset of [...new Set([...ledger.balances.keys(), ...walletTotals.keys()])].sort()) {
    const expected = expectedTotal(ledger, asset);
    const actual = walletTotals.get(asset) ?? NO_AMOUNT;
    if (actual !== expected) differences.push({ asset, expected, actual, difference: subtract(actual, expected) });
  }
  return differences;
}

/** `Expected 1.5 BTC in the wallet and found 1.4: -0.1.` */
export function differenceText({ asset, expected, actual, difference }: Difference): string {
  return (
    `Expected ${amountText(expected)} ${asset} in the wallet and found ${amountText(actual)}: ` +
    `${amountText(difference)}.`
  );
}
