// A confirmed difference between wallet and ledger, as the journal holds it.
import { type Amount, subtract } from '../../../ledger/amount.ts';
import { journalAmount } from '../journal-amount.ts';

/** Totals as plain text. */
export interface ConfirmedDifference {
  readonly expected: string;
  readonly actual: string;
}

/** What the wallet held more than the ledger expected. A fill that both of them know moves both, and leaves it. */
export const confirmedAmount = ({ expected, actual }: ConfirmedDifference): Amount =>
  subtract(journalAmount(actual), journalAmount(expected));
