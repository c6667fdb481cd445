// Accounts and what they hold, in whole units.
import type { Asset } from '../domain/instrument.ts';
import type { Account, Holding } from './market.ts';
import type { AccountName, Units } from './types.ts';

/** Where collected fees go. It is internal: no command may act for it. */
export const FEES_ACCOUNT: AccountName = 'fees';
/** Where withheld tax goes. Internal as well. */
export const TAX_ACCOUNT: AccountName = 'tax';

export function newAccount(name: AccountName, unlimited: boolean): Account {
  return { name, unlimited, holdings: new Map(), orders: new Set() };
}

/** The account's holding of an asset, made where there is none yet. */
export function holdingOf(account: Account, asset: Asset): Holding {
  const existing = account.holdings.get(asset);
  if (existing !== undefined) return existing;
  const holding: Holding = { free: 0n, locked: 0n };
  account.holdings.set(asset, holding);
  return holding;
}

/** Whether the account can be made to pay: up to what is free, or anything at all where it is unlimited. */
export function canPay(account: Account, asset: Asset, amount: Units): boolean {
  return account.unlimited || (account.holdings.get(asset)?.free ?? 0n) >= amount;
}
