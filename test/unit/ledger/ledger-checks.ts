// What must always hold of a ledger: no account below zero that can't be, and sums that balance.
import type { Asset } from '../../../src/domain/instrument.ts';
import { type Amount, add, NO_AMOUNT } from '../../../src/ledger/amount.ts';
import { type Account, balanceOf, type Ledger } from '../../../src/ledger/ledger.ts';

interface NegativeBalance {
  readonly asset: Asset;
  readonly account: Account;
  readonly balance: Amount;
}

/** Accounts that can't be below zero and are (M9): `wallet`, `tax-withheld`. By name of asset. */
export function negativeBalances(ledger: Ledger): NegativeBalance[] {
  const found: NegativeBalance[] = [];
  for (const asset of [...ledger.balances.keys()].sort()) {
    for (const account of ['wallet', 'tax-withheld'] as const) {
      const balance = balanceOf(ledger, asset, account);
      if (balance < 0n) found.push({ asset, account, balance });
    }
  }
  return found;
}

/** Whether all accounts of every asset sum to zero: true unless memory is broken. */
export const isConsistent = ({ balances }: Ledger): boolean =>
  [...balances.values()].every((accounts) => [...accounts.values()].reduce(add, NO_AMOUNT) === 0n);
