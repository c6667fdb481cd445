// What must always hold of a ledger: no account below zero that can't be, and sums that balance.
import type { Asset } from '../../../src/domain/instrument.ts';
import { type Amount, add, NO_AMOUNT } from '../../../src/ledger/amount.ts';
import type { Account } from '../../../src/ledger/entry.ts';
import { balanceOf, type Ledger } from '../../../src/ledger/ledger.ts';

interface NegativeBalance {
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
