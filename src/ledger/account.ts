// The accounts of the ledger. Every asset has all of them.

/**
 * - `wallet` and `reserved`: together what the venue's wallet must show in total; `reserved` is what live intents may
 *   spend.
 * - `fees`: commissions paid. `tax-withheld`: a credit of the owner.
 * - `trading`: the other side of the strategy's fills. `external:…`: the other side of everything else that moves the
 *   wallet; `external:manual` holds the owner's own trades, `external:conversion` simple buy/sell.
 * - `suspense`: differences of the wallet that nothing explains yet. `opening`: the other side of the opening balances,
 *   and what moved of an asset that has none: the ledger does not answer for what the wallet holds of it.
 *
 * Balances are debits less credits: `wallet`, `reserved`, `fees` and `tax-withheld` grow by debits.
 */
export const ACCOUNTS = [
  'wallet',
  'reserved',
  'fees',
  'tax-withheld',
  'trading',
  'external:deposit',
  'external:withdrawal',
  'external:conversion',
  'external:manual',
  'suspense',
  'opening',
] as const;

export type Account = (typeof ACCOUNTS)[number];
export type ExternalAccount = Extract<Account, `external:${string}`>;
