// The ledger: double entry, balances per asset and account. Immutable; `post` returns the next one.
import type { Asset } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type Amount, add, amountText, NO_AMOUNT, subtract } from './amount.ts';

/**
 * Every asset has all accounts:
 *
 * - `wallet`: what the venue's wallet must show in total, the part that live orders reserve included.
 * - `fees`: commissions paid. `tax-withheld`: a credit of the owner.
 * - `trading`: the other side of the strategy's fills. `external:…`: the other side of everything else that moves the
 *   wallet; `external:manual` holds the owner's own trades, `external:conversion` simple buy/sell.
 * - `opening`: the other side of the opening balances, and what moved of an asset that has none: the ledger does not
 *   answer for what the wallet holds of it.
 *
 * Balances are debits less credits: `wallet`, `fees` and `tax-withheld` grow by debits.
 */
export const ACCOUNTS = [
  'wallet',
  'fees',
  'tax-withheld',
  'trading',
  'external:deposit',
  'external:withdrawal',
  'external:conversion',
  'external:manual',
  'opening',
] as const;

export type Account = (typeof ACCOUNTS)[number];
export type ExternalAccount = Extract<Account, `external:${string}`>;

/** A change of one account: positive debits it, negative credits it. */
export interface Change {
  readonly asset: Asset;
  readonly account: Account;
  readonly by: Amount;
}

/** One booking: its changes sum to zero in every asset. */
export type Entry = readonly Change[];

/** One change per asset and account, none of zero. */
export function summed(changes: readonly Change[]): Change[] {
  const sums = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.asset} ${change.account}`;
    const before = sums.get(key);
    sums.set(key, before ? { ...change, by: add(before.by, change.by) } : change);
  }
  return [...sums.values()].filter(({ by }) => by !== 0n);
}

export interface Ledger {
  /** Debits minus credits. An account that never moved is absent. */
  readonly balances: ReadonlyMap<Asset, ReadonlyMap<Account, Amount>>;
}

export const EMPTY_LEDGER: Ledger = { balances: new Map() };

/** The ledger with one more entry. An entry that does not balance in every asset (M1) is a bug and throws. */
export function post(ledger: Ledger, entry: Entry): Ledger {
  const changes = summed(entry);
  const balances = new Map(ledger.balances);
  for (const [asset, moved] of Map.groupBy(changes, (change) => change.asset)) {
    const sum = moved.reduce((total, { by }) => add(total, by), NO_AMOUNT);
    invariant(sum === 0n, () => `An entry is off by ${amountText(sum)} ${asset}.`);
    const accounts = new Map(balances.get(asset));
    for (const { account, by } of moved) accounts.set(account, add(accounts.get(account) ?? NO_AMOUNT, by));
    balances.set(asset, accounts);
  }
  return { balances };
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
export const expectedTotal = (ledger: Ledger, asset: Asset): Amount => balanceOf(ledger, asset, 'wallet');

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
