// Whether the records that are left give the ledger: what says that nothing is missing.
import type { Asset } from '../domain/instrument.ts';
import { ACCOUNTS, type Account } from '../ledger/account.ts';
import { type Amount, amountText } from '../ledger/amount.ts';
import { balanceOf, expectedTotal, type Ledger } from '../ledger/ledger.ts';
import type { Books } from './read-books.ts';

/** An account of which the records give another balance than the ledger has. */
export interface BooksDifference {
  readonly asset: Asset;
  readonly account: Account;
  readonly recorded: Amount;
  readonly ledger: Amount;
}

/** The balance as the books have it: what orders reserve is in the wallet. */
export const bookBalance = (ledger: Ledger, asset: Asset, account: Account): Amount =>
  account === 'wallet' ? expectedTotal(ledger, asset) : balanceOf(ledger, asset, account);

/** None where the records are whole. `ledger`: that of the whole journal, as the bot works with it. */
export function checkBooks({ ledger: recorded }: Pick<Books, 'ledger'>, ledger: Ledger): readonly BooksDifference[] {
  const assets = [...new Set([...ledger.balances.keys(), ...recorded.balances.keys()])].sort();
  return assets.flatMap((asset) =>
    ACCOUNTS.filter((account) => account !== 'reserved')
      .map((account) => ({
        asset,
        account,
        recorded: bookBalance(recorded, asset, account),
        ledger: bookBalance(ledger, asset, account),
      }))
      .filter((each) => each.recorded !== each.ledger),
  );
}

export const differenceSentence = ({ asset, account, recorded, ledger }: BooksDifference): string =>
  `The records give ${amountText(recorded)} ${asset} in '${account}', and the ledger has ${amountText(ledger)}.`;
