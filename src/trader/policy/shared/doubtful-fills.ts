// Trades that are booked as the owner's and may be of a create without an answer. Either its order was canceled before
// a list could show it: by hand, by the exchange, or by the watchdog while nothing was answered. Or it filled while a
// list showed another one like it, and that one is gone. That nothing of the intent rests is proved without them; that
// it was never placed is not.
import { plain, ZERO } from '../../../domain/decimal.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { Intent } from '../../durable/intent.ts';
import { marketIn } from '../../durable/market.ts';
import type { TraderState } from '../../state/state.ts';
import type { Turn } from '../../state/turn.ts';
import { bookedBefore, filledAsOwners, filledBy, mayBeOf } from '../attribution/match.ts';
import { askAbout, isThirdParty } from '../attribution/questions.ts';

/** No read tells any more whose they are: a person can look up of what quantity they were. */
export function askAboutFills(turn: Turn, intent: Intent): boolean {
  const parts = doubtfulParts(turn.state, intent);
  const orders = [...parts, ...filledAsOwners(turn.state, intent)];
  if (orders.length === 0) return false;
  const words = orders.map((id) => {
    const filled = bookedBefore(turn.state, intent, id).reduce((sum, { quantity }) => sum.add(quantity), ZERO);
    return `${id} (${plain(filled)} filled)`;
  });
  const sent = `${intent.side} ${plain(intent.quantity)} @ ${plain(intent.price)}`;
  const what = orders.length === 1 ? 'Order' : 'One of the orders';
  const unlisted = parts.length === 0 ? '' : 'no list shows of what quantity it was, and ';
  const message =
    `${what} ${words.join(', ')} could be intent ${intent.intentId} (${sent}): ${unlisted}its trades are booked as ` +
    "not the bot's. Look it up at the exchange, then resume the symbol: with --adopt-orders where it is the bot's.";
  askAbout(turn, intent.symbol, { orders, as: 'part', rows: [], message, intents: [intent.intentId] });
  return true;
}

export const isAskedAboutFills = (state: TraderState, intent: Intent): boolean =>
  [...doubtfulParts(state, intent), ...filledAsOwners(state, intent)].some(
    (id) => state.durable.orders.questioned.get(id)?.as === 'part',
  );

/** Orders booked as the owner's that may be the intent's, filled in part. */
function doubtfulParts(state: TraderState, intent: Intent): OrderId[] {
  const booked = marketIn(state.durable, intent.symbol).tally.recent.filter(({ ours }) => !ours);
  return [...new Set(booked.map(({ fill }) => fill.orderId))].filter((id) => {
    const fills = bookedBefore(state, intent, id);
    const isPart = filledBy(intent, fills).lt(intent.quantity) && mayBeOf(state, intent, fills);
    return isPart && !isThirdParty(state.durable, id);
  });
}
