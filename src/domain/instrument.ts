// What is traded, and the steps of its prices and quantities.
import type { Decimal } from './decimal.ts';

/** `BASE/QUOTE`, upper case. */
export type InstrumentSymbol = string;
/** An asset ticker, upper case. */
export type Asset = string;

export interface Instrument {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  /** Price step, in quote per base. */
  readonly tickSize: Decimal;
  /** Quantity step, in base. */
  readonly lotSize: Decimal;
  /** Least price × quantity of an order, in quote. */
  readonly minNotional: Decimal;
}

const SYMBOL = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;

/** Splits `BASE/QUOTE`; `null` when the text has another form. */
export function parseSymbol(text: string): { base: Asset; quote: Asset } | null {
  const match = SYMBOL.exec(text);
  const [, base, quote] = match ?? [];
  return base !== undefined && quote !== undefined ? { base, quote } : null;
}
