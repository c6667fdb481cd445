// Entries of what moves the wallet without a trade: opening balances, transfers, and what nothing explains yet.
import type { Asset } from '../domain/instrument.ts';
import type { ExternalAccount } from './account.ts';
import { type Amount, add, amountText, negate } from './amount.ts';
import { type Entry, linesOf } from './entry.ts';

/** The wallet as it was found at the first start, per asset: totals, free and locked together. */
export function openingEntry(totals: ReadonlyMap<Asset, Amount>): Entry {
  const changes = [...totals].flatMap(([asset, total]) => [
    { asset, account: 'wallet' as const, by: total },
    { asset, account: 'opening' as const, by: negate(total) },
  ]);
  return { lines: linesOf(changes), memo: `Opening balances of ${totals.size} assets.`, source: { kind: 'opening' } };
}

export interface ExternalFlow {
  readonly account: ExternalAccount;
  readonly asset: Asset;
  /** What the wallet gained (positive) or lost (negative), the fee included. */
  readonly walletChange: Amount;
  /** The venue's fee inside that change, never negative: 11 leave the wallet, 10 arrive, the fee is 1. */
  readonly fee: Amount;
  /** The venue's reference, or what identifies the row. */
  readonly reference: string;
}

/** A deposit, withdrawal, conversion or other movement that is not ours. */
export function externalFlowEntry(flow: ExternalFlow): Entry {
  const { account, asset, walletChange, fee, reference } = flow;
  return {
    lines: linesOf([
      { asset, account: 'wallet', by: walletChange },
      { asset, account: 'fees', by: fee },
      { asset, account, by: negate(add(walletChange, fee)) },
    ]),
    memo: `${account} ${reference}: ${amountText(walletChange)} ${asset}.`,
    source: { kind: 'transfer', reference },
  };
}

/**
 * Books a difference between wallet and ledger that nothing explains: `difference` is actual less expected. The
 * opposite amount under the same reference takes it out again when it is explained.
 */
export function suspenseEntry(asset: Asset, difference: Amount, reference: string): Entry {
  return {
    lines: linesOf([
      { asset, account: 'wallet', by: difference },
      { asset, account: 'suspense', by: negate(difference) },
    ]),
    memo: `Unexplained: ${amountText(difference)} ${asset}, ${reference}.`,
    source: { kind: 'reconciliation', reference },
  };
}
