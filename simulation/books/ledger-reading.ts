// What the bot's ledger says, read with the judge's own arithmetic: a mistake in the ledger's must not be one of the
// judge's as well.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Account } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** Amounts are whole numbers of 10^-18 of an asset; all digits are kept. */
export const decimalOfAmount = (units: bigint): Decimal => new Decimal(`${units}e-18`);

/** Zero for what was never moved. */
export const balanceIn = ({ balances }: Ledger, asset: string, account: Account): Decimal =>
  decimalOfAmount(balances.get(asset)?.get(account) ?? 0n);

/** What the wallet must hold of an asset, be it reserved or not. */
export const totalIn = (ledger: Ledger, asset: string): Decimal =>
  balanceIn(ledger, asset, 'wallet').add(balanceIn(ledger, asset, 'reserved'));
