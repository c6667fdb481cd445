// The decimals in which an asset is shown to people. Exact amounts stand beside it wherever a machine reads.
import { type Decimal, plain } from './decimal.ts';

/** Paise for the rupee. */
const SHOWN: Readonly<Record<string, number>> = { INR: 2 };
const SHOWN_ELSE = 8;

export const shownDecimals = (asset: string): number => SHOWN[asset] ?? SHOWN_ELSE;

/** Without trailing zeros. */
export const shownPlain = (amount: Decimal, asset: string): string =>
  plain(amount.toDecimalPlaces(shownDecimals(asset)));
