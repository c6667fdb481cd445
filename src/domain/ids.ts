// Identifiers. They are text, exactly as received: a number of the venue may exceed 2^53.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The venue's id of an order, form `1-<number>-1`. */
export type OrderId = Branded<'OrderId'>;
/** The venue's number of one of our fills, as text. */
export type TradeId = Branded<'TradeId'>;
/** Our id of a wanted order, given before the venue knows of it. */
export type IntentId = Branded<'IntentId'>;

export const orderId = (text: string): OrderId => text as OrderId;
export const tradeId = (text: string): TradeId => text as TradeId;
export const intentId = (text: string): IntentId => text as IntentId;

/** Compares trade ids by number, without converting them. Both are plain digits. */
export function compareTradeIds(a: TradeId, b: TradeId): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
