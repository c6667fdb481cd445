// Comparing the ledger with the wallet, and with itself.
import type { Asset } from '../domain/instrument.ts';
import type { Account } from './account.ts';
import { type Amount, add, amountText, NO_AMOUNT, subtract } from './amount.ts';
import { balanceOf, expectedTotal, type Ledger } from './ledger.ts';

export interface Difference {
  readonly asset: Asset;
  readonly expected: Amount;
  readonly actual: Amount;
  /** actual − expected. */
  readonly difference: Amount;
}

/**
 * Assets in which the wallet's total is not what the ledger expects, by name; tolerance zero (M2). An asset that the
 * wallet does not list counts as zero there, one that the ledger does not know as zero here.
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

export interface NegativeBalance {
  readonly asset: Asset;
  readonly account: Account;
  readonly balance: Amount;
}

/** Accounts that can't be below zero and are (M9): `wallet`, `reserved`, `tax-withheld`. By name of asset. */
export function negativeBalances(ledger: Ledger): NegativeBalance[] {
  const found: NegativeBalance[] = [];
  for (const asset of [...ledger.balances.keys()].sort()) {
    for (const account of ['wallet', 'reserved', 'tax-withheld'] as const) {
      const balance = balanceOf(ledger, asset, account);
      if (balance < 0n) found.push({ asset, account, balance });
    }
  }
  return found;
}

/**
 * Whether all accounts of every asset sum to zero and `reserved` is what the intents reserve: true unless memory is
 * broken.
 */
export function isConsistent(ledger: Ledger): boolean {
  const reserved = new Map<Asset, Amount>();
  for (const { asset, amount } of ledger.reservations.values()) {
    reserved.set(asset, add(reserved.get(asset) ?? NO_AMOUNT, amount));
  }
  const assets = new Set([...ledger.balances.keys(), ...reserved.keys()]);
  return [...assets].every((asset) => {
    const sum = [...(ledger.balances.get(asset)?.values() ?? [])].reduce(add, NO_AMOUNT);
    return sum === 0n && balanceOf(ledger, asset, 'reserved') === (reserved.get(asset) ?? NO_AMOUNT);
  });
}
