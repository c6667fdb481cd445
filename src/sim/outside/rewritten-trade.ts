// What the exchange makes of a trade afterwards: nothing, another price, or another quantity.
import { Decimal } from '../../domain/decimal.ts';
import type { FillRow } from '../../paper/account-record.ts';
import type { OwnerAction } from '../../paper/owner-action.ts';
import { TRADED } from '../configuration.ts';

export interface Rewriting {
  readonly how: 'bust' | 'correct' | 'quantity';
  /** What is left of a corrected quantity, one lot at the least: with more an order would exceed its own. */
  readonly share: number;
}

const PRICE_RATIO = 0.99;

export function rewritten({ id, symbol, price, qty }: FillRow, { how, share }: Rewriting): OwnerAction {
  if (how === 'bust') return { kind: 'bust-trade', tradeId: id };
  const was = { price: new Decimal(price), quantity: new Decimal(qty) };
  if (how === 'correct')
    return { kind: 'correct-trade', tradeId: id, ...was, price: was.price.mul(PRICE_RATIO).toDecimalPlaces(0) };
  const lot = TRADED.find((instrument) => instrument.symbol === symbol)?.lotSize ?? was.quantity;
  const lots = was.quantity.mul(share).div(lot).floor();
  return { kind: 'correct-trade', tradeId: id, ...was, quantity: lot.mul(Decimal.max(1, lots)) };
}
