// A quote as the order that would be sent for it, judged by the risk gate as of now.

import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/order.ts';
import { isDoubtful, type LiveOrder, outwardBy } from '../../quoting/live-order.ts';
import { type Assessment, assess } from '../../quoting/risk/risk.ts';
import type { RiskContext } from '../../quoting/risk/risk-context.ts';
import { saltedQuantity } from '../../quoting/salt.ts';
import type { WantedCreate } from '../state/decision.ts';
import { runOf, type TraderState } from '../state/state.ts';

/** Of a quote its level does not matter: the slot says where the order stands. */
interface Proposed extends Pick<WantedCreate, 'slot' | 'replaces'> {
  readonly quote: Omit<Quote, 'level'>;
}

export function assessCreate(
  state: TraderState,
  symbol: InstrumentSymbol,
  { slot, quote, replaces }: Proposed,
  context: RiskContext,
): Assessment {
  const { side } = quote;
  const price = priceToSend(state, symbol, quote, context.orders);
  const quantity = quantityToSend(state, symbol, { ...quote, price }, context.orders);
  return assess({ request: { symbol, side, price, quantity }, slot, replaces }, context);
}

/** So many lots are taken off at the most to tell an order from one of the same price. */
const MOST_LOTS_OFF = 9;

/**
 * A tick further from the market than an order of ours that was not found, and may turn up by its price and quantity.
 */
function priceToSend(
  state: TraderState,
  symbol: InstrumentSymbol,
  { side, price: wanted }: Proposed['quote'],
  orders: readonly LiveOrder[],
): Decimal {
  const { tickSize } = runOf(state, symbol).instrument;
  const isTaken = (at: Decimal): boolean => orders.some((each) => isDoubtfulOf(side, each) && each.price.eq(at));
  let price = wanted;
  while (isTaken(price)) price = outwardBy(side, price, tickSize);
  return price;
}

const isDoubtfulOf = (side: Quote['side'], order: LiveOrder): boolean => order.side === side && isDoubtful(order);

/** The quote's quantity, less some lots where that is wanted or tells it from an own order of the same values. */
function quantityToSend(
  state: TraderState,
  symbol: InstrumentSymbol,
  quote: Proposed['quote'],
  orders: readonly LiveOrder[],
): Decimal {
  const { instrument, quoting } = runOf(state, symbol);
  const { journal, orders: own } = state.durable;
  const alike = orders.filter(
    (order) => (order.side === quote.side && order.price.eq(quote.price)) || isDoubtfulOf(quote.side, order),
  );
  const salted = (lots: Parameters<typeof saltedQuantity>[2]): Decimal => saltedQuantity(quote, instrument, lots);
  const chosen = salted({ mostLots: quoting.saltLots, createNumber: journal.epoch + own.nextIntentNumber });
  const isTaken = (each: Decimal): boolean => alike.some(({ quantity }) => quantity.eq(each));
  for (let lots = 0; lots <= MOST_LOTS_OFF && isTaken(chosen); lots += 1) {
    const other = salted({ mostLots: MOST_LOTS_OFF, createNumber: lots });
    if (!isTaken(other)) return other;
  }
  return chosen;
}
