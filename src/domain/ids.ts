// Identifiers. They are text taken from the source as written: a number of the venue's may exceed 2^53.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The venue's name of an order, shape `1-<number>-1`. */
export type OrderId = Branded<'OrderId'>;
/** The venue's number of one of our fills, as text. */
export type TradeId = Branded<'TradeId'>;
/** Our name of an order that we wanted, given before the venue knew of it. */
export type IntentId = Branded<'IntentId'>;

export const orderId = (text: string): OrderId => text as OrderId;
export const tradeId = (text: string): TradeId => text as TradeId;
export const intentId = (text: string): IntentId => text as IntentId;

/** Orders trade ids by their number, without converting them to one. Both are plain digits. */
export function compareTradeIds(a: TradeId, b: TradeId): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
