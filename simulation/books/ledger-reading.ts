// Reads the bot's ledger with the judge's own arithmetic, so that both don't share one mistake.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Account, Ledger } from '../../src/ledger/ledger.ts';

/** Amounts are whole numbers of 10^-18 of an asset; all digits are kept. */
export const decimalOfAmount = (units: bigint): Decimal => new Decimal(`${units}e-18`);

/** Zero for an asset that never moved. */
export const balanceIn = ({ balances }: Ledger, asset: string, account: Account): Decimal =>
  decimalOfAmount(balances.get(asset)?.get(account) ?? 0n);

/** The wallet's required total of an asset. */
export const totalIn = (ledger: Ledger, asset: string): Decimal => balanceIn(ledger, asset, 'wallet');
