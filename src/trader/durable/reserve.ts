// What an order may take out of the wallet while it may be live.
import { Decimal } from '../../domain/decimal.ts';
import type { Asset, Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderRequest } from '../../domain/order.ts';
import { AMOUNT_DECIMALS, type Amount, amountOf, amountText } from '../../ledger/amount.ts';
import type { Intent } from './intent.ts';

/**
 * Quote for a buy, with its fee at the dearer of maker and taker; base for a sale, whose fee and tax come out of the
 * proceeds.
 */
export function reserveFor(
  order: OrderRequest,
  instrument: Instrument,
  feeRatio: Decimal,
): { asset: Asset; amount: Amount } {
  if (order.side === 'sell') return { asset: instrument.base, amount: roundedUp(order.quantity) };
  return { asset: instrument.quote, amount: roundedUp(order.price.mul(order.quantity).mul(feeRatio.add(1))) };
}

/** What an intent still needs when `remaining` of it is left. */
export function reserveLeft(intent: Intent, remaining: Decimal): Amount {
  if (!remaining.gt(0)) return roundedUp(new Decimal(0));
  return roundedUp(new Decimal(intent.reserve.amount).mul(remaining).div(intent.quantity));
}

/** The intent as the exchange keeps it: what it reserves is changed in the same proportion as what it can cost. */
export function withValues(intent: Intent, { price, quantity }: Pick<Intent, 'price' | 'quantity'>): Intent {
  const cost = (order: Pick<Intent, 'price' | 'quantity'>): Decimal =>
    intent.side === 'sell' ? order.quantity : order.price.mul(order.quantity);
  const amount = new Decimal(intent.reserve.amount).mul(cost({ price, quantity })).div(cost(intent));
  return { ...intent, price, quantity, reserve: { ...intent.reserve, amount: amountText(roundedUp(amount)) } };
}

function roundedUp(value: Decimal): Amount {
  const read = amountOf(value.toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_UP));
  invariant(read.ok, () => `A reservation of ${value.toFixed()} is not an exact amount.`);
  return read.value;
}
