// The accounts of the ledger. Every asset has all of them.
import type { IntentId, TradeId } from '../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type Amount, add, amountText, NO_AMOUNT, negate } from './amount.ts';

/**
 * - `wallet` and `reserved`: together what the venue's wallet must show in total; `reserved` is what live intents may
 *   spend.
 * - `fees`: commissions paid. `tax-withheld`: a credit of the owner.
 * - `trading`: the other side of the strategy's fills. `external:…`: the other side of everything else that moves the
 *   wallet; `external:manual` holds the owner's own trades, `external:conversion` simple buy/sell.
 * - `opening`: the other side of the opening balances, and what moved of an asset that has none: the ledger does not
 *   answer for what the wallet holds of it.
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
  'opening',
] as const;

export type Account = (typeof ACCOUNTS)[number];
export type ExternalAccount = Extract<Account, `external:${string}`>;

// One entry of the ledger: lines whose debits equal their credits in every asset.

/** One line. `amount` is positive, in units of the asset. */
export interface Line {
  readonly asset: Asset;
  readonly account: Account;
  readonly side: 'debit' | 'credit';
  readonly amount: Amount;
}

/** The cause of the entry. */
type EntrySource =
  | { readonly kind: 'opening' }
  | { readonly kind: 'intent'; readonly intentId: IntentId }
  | { readonly kind: 'trade'; readonly symbol: InstrumentSymbol; readonly tradeId: TradeId }
  /** A deposit, withdrawal or conversion; `reference` is the venue's, or identifies the row. */
  | { readonly kind: 'transfer'; readonly reference: string };

/** The amount that an intent may spend from now on. Zero ends the reservation. */
export interface Reservation {
  readonly intentId: IntentId;
  readonly asset: Asset;
  readonly amount: Amount;
}

export interface Entry {
  readonly lines: readonly Line[];
  /** One sentence for people. */
  readonly memo: string;
  readonly source: EntrySource;
  /** The reservation resulting from the lines on `reserved`; the ledger refuses the entry if they differ. */
  readonly reservation?: Reservation;
}

/** A change of one account: positive debits it, negative credits it. */
export interface Change {
  readonly asset: Asset;
  readonly account: Account;
  readonly by: Amount;
}

/** The lines for some changes: one per asset and account, none for a change of zero. */
export function linesOf(changes: readonly Change[]): Line[] {
  const sums = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.asset} ${change.account}`;
    const before = sums.get(key);
    sums.set(key, before ? { ...change, by: add(before.by, change.by) } : change);
  }
  return [...sums.values()]
    .filter(({ by }) => by !== 0n)
    .map(({ asset, account, by }) =>
      by > 0n ? { asset, account, side: 'debit', amount: by } : { asset, account, side: 'credit', amount: negate(by) },
    );
}

/** A line's effect on its account's balance: debits minus credits. */
export const changeOf = (line: Line): Amount => (line.side === 'debit' ? line.amount : negate(line.amount));

/** Debits minus credits per asset; all zero in an entry that balances. */
export function imbalanceOf(lines: readonly Line[]): Map<Asset, Amount> {
  const sums = new Map<Asset, Amount>();
  for (const line of lines) sums.set(line.asset, add(sums.get(line.asset) ?? NO_AMOUNT, changeOf(line)));
  return sums;
}

/** Stops the program when the entry does not balance in every asset (M1) or has a line that is not positive. */
export function assertBalanced(entry: Entry): void {
  for (const line of entry.lines) {
    invariant(line.amount > 0n, () => `A line of '${entry.memo}' has ${amountText(line.amount)} ${line.asset}.`);
  }
  for (const [asset, sum] of imbalanceOf(entry.lines)) {
    invariant(sum === 0n, () => `Entry '${entry.memo}' is off by ${amountText(sum)} ${asset}.`);
  }
}
