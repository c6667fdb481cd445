// The value of a quote asset: the simulator's amounts are written in INR, and a market of another quote gets the same
// value.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Asset } from '../../src/domain/instrument.ts';
import { invariant } from '../../src/domain/invariant.ts';

/** INR for one of each. */
const WORTH: Readonly<Record<Asset, number>> = { INR: 1, USDT: 88, BTC: 5_500_000 };
/** The exchange's decimals. */
const DECIMALS = 8;

export function worthOf(quote: Asset): number {
  const worth = WORTH[quote];
  invariant(worth !== undefined, () => `Nobody knows what the quote asset ${quote} is worth.`);
  return worth;
}

/** This much INR in another quote asset, to the last allowed digit. */
export const inQuote = (inr: Decimal | number, quote: Asset): Decimal =>
  new Decimal(inr).div(worthOf(quote)).toDecimalPlaces(DECIMALS);
