// A difference between ledger and wallet, in words.
import { decimal, plain } from '../../../domain/decimal.ts';

/** Amounts as plain text. `The wallet holds 1.4 BTC and the ledger expects 1.5: -0.1.` */
export function differenceWords({
  asset,
  expected,
  actual,
}: {
  asset: string;
  expected: string;
  actual: string;
}): string {
  return (
    `The wallet holds ${actual} ${asset} and the ledger expects ${expected}: ` +
    `${plain(decimal(actual).sub(decimal(expected)))}.`
  );
}
