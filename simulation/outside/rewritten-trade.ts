// The exchange's later change of a trade: removal, another price, or another quantity.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { FillRow } from '../../src/paper/state/account-record.ts';
import type { OwnerAction } from '../../src/paper/state/owner-actions.ts';

export interface Rewriting {
  readonly how: 'bust' | 'correct' | 'quantity';
  /** The remaining share of a corrected quantity, at least one lot: with more an order would exceed its own. */
  readonly share: number;
  /** The market of the trade. */
  readonly instrument: Pick<Instrument, 'tickSize' | 'lotSize'>;
}

const PRICE_RATIO = 0.99;

export function rewritten({ id, price, qty }: FillRow, { how, share, instrument }: Rewriting): OwnerAction {
  if (how === 'bust') return { kind: 'bust-trade', tradeId: id };
  const was = { price: new Decimal(price), quantity: new Decimal(qty) };
  const { tickSize, lotSize } = instrument;
  if (how === 'correct') {
    const ticks = was.price.mul(PRICE_RATIO).div(tickSize).toDecimalPlaces(0);
    return { kind: 'correct-trade', tradeId: id, ...was, price: tickSize.mul(ticks) };
  }
  const lots = was.quantity.mul(share).div(lotSize).floor();
  return { kind: 'correct-trade', tradeId: id, ...was, quantity: lotSize.mul(Decimal.max(1, lots)) };
}
