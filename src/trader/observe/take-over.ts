// A person's answer about orders of unknown owner: the bot's, which then takes them over and cancels them, or not.
import { decimal, maxOf, ZERO } from '../../domain/decimal.ts';
import { intentId, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { amountText, NO_AMOUNT } from '../../ledger/amount.ts';
import { type Durable, keepsOf, staleMarkets } from '../durable/durable.ts';
import { type Questioned, reserveFor } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { attributeBooked } from '../money/corrections.ts';
import { closeFilled } from '../orders/close.ts';
import { bookedBefore, couldBeOf, unresolvedOf } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import { isOpened, marketOf, symbolsOf } from '../state/state.ts';
import { emit, intentNotice, notice, type Step, type Turn } from '../state/turn.ts';

/** `adopt`: the orders in question are the bot's. `not-mine`: they are somebody else's, and are left alone. */
export type Answer = 'adopt' | 'not-mine';

/**
 * At a start. The answer settles halts for an old journal, and no others: that an order in question there is not the
 * bot's is stated by resuming its symbol.
 */
export function takeAnswer(turn: Turn, answer: Answer, resumed: readonly string[]): void {
  const { state, now } = turn;
  const { durable } = state;
  const questioned = [...durable.orders.questioned].filter(([, { symbol }]) => symbolsOf(state).includes(symbol));
  const stale = staleMarkets(durable);
  if (stale.length === 0 && questioned.length === 0) {
    const message = 'No order is in question: the answer given at this start has no effect.';
    return notice(turn, { level: 'warn', op: 'taken-over', message });
  }
  if (answer === 'not-mine') notifyUnanswered(turn, new Set(questioned.map(([, { symbol }]) => symbol)), resumed);
  // Fills can only belong to a create's order; a resting order is canceled, whichever create it belongs to.
  const filledFirst = questioned.toSorted(([, a], [, b]) => Number(b.order === null) - Number(a.order === null));
  if (answer === 'adopt') for (const [orderId, question] of filledFirst) takeOver(turn, orderId, question);
  // A market must be configured and opened before its orders can be taken over and canceled.
  const isAnswered = (symbol: InstrumentSymbol): boolean =>
    answer === 'not-mine' ||
    (symbolsOf(state).includes(symbol) &&
      !questioned.some(([, each]) => each.symbol === symbol && waits(durable, symbol)));
  for (const symbol of stale.filter(isAnswered)) {
    emit(turn, { type: 'symbol-resumed', payload: { symbol, ...notOursIn(durable, symbol, answer), at: now } });
    const message =
      `${symbol} is resumed: a person said that ` +
      `${answer === 'adopt' ? 'the orders in question are' : 'no order in question is'} the bot's.`;
    notice(turn, { level: 'info', op: 'symbol-resumed', symbol, message });
  }
  for (const symbol of stale.filter((each) => !isAnswered(each))) {
    const message = symbolsOf(state).includes(symbol)
      ? `${symbol} was configured since the ledger was opened: cancel its orders by hand, and start with --not-mine.`
      : `${symbol} is not configured: configure it, so that its orders can be taken over and canceled.`;
    notice(turn, { level: 'warn', op: 'taken-over', symbol, message });
  }
}

/** Nothing in the market is booked before it is opened, so neither could the fills of our orders be. */
const waits = (durable: Durable, symbol: InstrumentSymbol): boolean =>
  durable.books.opened && !isOpened(durable, symbol);

function notifyUnanswered(turn: Step, asked: ReadonlySet<InstrumentSymbol>, resumed: readonly string[]): void {
  const answered = [...staleMarkets(turn.state.durable), ...resumed];
  for (const symbol of [...asked].filter((each) => !answered.includes(each))) {
    const message = `The answer --not-mine applies to orders in question in ${symbol} only if it is resumed as well.`;
    notice(turn, { level: 'warn', op: 'taken-over', symbol, message });
  }
}

/**
 * Orders in question that resuming the symbol declares not the bot's: all of them if the person says so, or if the
 * journal is old. Otherwise all but those that look exactly like one of ours: the one that he left may be ours, unless
 * it has filled and is booked as the owner's.
 */
export function notOursIn(
  durable: Durable,
  symbol: InstrumentSymbol,
  answer: Answer | null,
): { readonly notOurs?: readonly OrderId[] } {
  const isOld = marketIn(durable, symbol).halt?.code === 'journal-stale';
  const isNone = answer === 'not-mine' || (answer === null && isOld);
  const isNotOurs = (id: OrderId, asked: Questioned): boolean =>
    isNone || asked.as !== 'twin' || isFilledAsOwners(durable, id, asked);
  const open = [...durable.orders.questioned].filter(([id, asked]) => asked.symbol === symbol && isNotOurs(id, asked));
  return open.length === 0 ? {} : { notOurs: open.map(([orderId]) => orderId) };
}

/** An order that can't rest. If no list has shown it, the question arose from its fills. */
function isFilledAsOwners(durable: Durable, id: OrderId, { symbol, order }: Questioned): boolean {
  const filled = bookedBefore(durable, { symbol }, id).reduce((sum, { quantity }) => sum.add(quantity), ZERO);
  return filled.gt(0) && (order === null || filled.gte(order.quantity));
}

function takeOver(turn: Turn, orderId: OrderId, { symbol, order }: Questioned): void {
  const { state, now } = turn;
  if (state.durable.orders.byOrderId.has(orderId) || waits(state.durable, symbol)) return;
  const market = marketOf(state, symbol);
  if (order === null) return takeOverFilled(turn, market, orderId);
  const [price, quantity] = [decimal(order.price), decimal(order.quantity)];
  const lost = unresolvedOf(state.durable, symbol).find(
    (intent) => intent.side === order.side && intent.price.eq(price) && intent.quantity.eq(quantity),
  );
  const id = lost?.intentId ?? intentId(`${state.durable.journal.epoch}~${orderId}`);
  const adopted = { intentId: id, orderId, evidence: 'open-order', at: now } as const;
  if (lost) emit(turn, { type: 'adopted', payload: adopted });
  else {
    const { instrument, costs } = market.run;
    const { asset, amount } = reserveFor(
      { symbol, side: order.side, price, quantity },
      instrument,
      maxOf(costs.makerFeeRatio, costs.takerFeeRatio),
    );
    // The ledger holds nothing of an asset still to be opened, so nothing can be reserved.
    const reserve = { asset, amount: amountText(keepsOf(state.durable)(asset) ? amount : NO_AMOUNT) };
    emit(turn, { type: 'adopted', payload: { ...adopted, order: { of: null, symbol, ...order, reserve } } });
  }
  const intent = state.durable.orders.intents.get(id);
  if (intent === undefined) return;
  const message =
    `Order ${orderId} (${order.side} ${order.quantity} @ ${order.price}) is the bot's, a person said: it is ` +
    'canceled.';
  intentNotice(turn, intent, { level: 'info', op: 'taken-over', message });
  attributeBooked(turn, market, intent, orderId);
  closeFilled(turn, market);
}

/** The order is gone: nothing is left to cancel, and its fills belong to the lost create. */
function takeOverFilled(turn: Turn, market: Market, orderId: OrderId): void {
  const { state, now } = turn;
  const intent = unresolvedOf(state.durable, market.symbol).find((lost) => {
    const fills = bookedBefore(state.durable, lost, orderId);
    return fills.length > 0 && couldBeOf(state, market, lost, fills);
  });
  if (intent === undefined) return notifyUnlisted(turn, orderId);
  const { intentId: id } = intent;
  emit(turn, { type: 'adopted', payload: { intentId: id, orderId, evidence: 'fill', at: now } });
  const message = `Order ${orderId} is intent ${id}, a person said: its trades are booked as the bot's.`;
  intentNotice(turn, intent, { level: 'info', op: 'taken-over', message });
  attributeBooked(turn, market, intent, orderId);
  closeFilled(turn, market);
}

function notifyUnlisted(turn: Step, orderId: OrderId): void {
  const message = `The values of order ${orderId} are unknown, so it can't be taken over: cancel it by hand.`;
  notice(turn, { level: 'warn', op: 'taken-over', orderId, message });
}
