// The owner's orders: people are notified once, and they are left alone.
import { plain, ZERO } from '../../domain/decimal.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';
import type { AccountPolicy, CandidateOrder, Match, UnmatchedFills } from './account-policy.ts';
import {
  bookedBefore,
  earliestOf,
  filledAsOwners,
  filledBy,
  isAlike,
  latestOf,
  mayBeOf,
  wasThereBefore,
} from './attribution/match.ts';
import { askAbout, isPossibleDuplicate, isThirdParty } from './attribution/questions.ts';

function notifyThirdPartyOrder(turn: Turn, row: OpenOrder, isNew: boolean): void {
  if (!isNew) return;
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) is not the ` +
    `bot's: it is left alone.`;
  notice(turn, { level: 'warn', op: 'stray-order', symbol: row.symbol, orderId: row.orderId, message });
}

// Orders of which one is the bot's, and which is not certain: none is canceled before a person has said whose it is.

/**
 * Where more than one could be the create's, or a person was asked about the only one: that the other one is gone
 * afterward says nothing of whose that was.
 */
function askIfAmbiguous(turn: Turn, intent: Intent, candidates: readonly CandidateOrder[]): boolean {
  const orders = candidates.map(({ orderId }) => orderId);
  if (orders.length < 2 && !orders.some((id) => isPossibleDuplicate(turn.state.durable, id))) return false;
  const message =
    `${orders.length} orders could be intent ${intent.intentId}, and which is not certain: ${orders.join(', ')}. ` +
    'Cancel by hand what is not wanted, then resume the symbol.';
  const rows = candidates.flatMap(({ row }) => (row === null ? [] : [row]));
  askAbout(turn, intent.symbol, { orders, as: 'twin', rows, message, intents: [intent.intentId] });
  return true;
}

/** It may be a second order of ours, and may be the owner's: it is never canceled. */
function askAboutDuplicate(turn: Turn, original: Intent, { row }: { readonly row: OpenOrder }): false {
  const ours = original.orderId === null ? `intent ${original.intentId}` : `order ${original.orderId}`;
  const what = `${row.side} ${row.originalQuantity.toFixed()} @ ${row.price.toFixed()}`;
  const message =
    `Order ${row.orderId} (${what}) is the same as our ${ours} and may be a second one of it. Cancel by hand what ` +
    'is not wanted, then resume the symbol.';
  // One that has its order already is in no question: the other one may be its second.
  const intents = original.orderId === null ? [original.intentId] : [];
  askAbout(turn, original.symbol, { orders: [row.orderId], as: 'twin', rows: [row], message, intents });
  return false;
}

// Which order is a create's where the owner places orders that may be like it: his are told apart by time and size.

/**
 * An order that was created before the create left, or when it could no longer be taken, is the owner's, or its time is
 * not what it says, and a person is asked. A session that has placed nothing yet does not know how the times of the
 * list are shifted.
 */
function matchOf(state: TraderState, intent: Intent, row: OpenOrder): Match {
  if (row.venueTime < earliestOf(state)(intent)) return 'none';
  if (!cameLater(state, intent, row)) return 'certain';
  return intent.sentAt < state.session.startedAt ? 'possible' : 'none';
}

/** However alike it is, the order is the owner's. */
const cameLater = (state: TraderState, intent: Intent, row: OpenOrder): boolean =>
  row.venueTime > latestOf(state, intent);

/**
 * Of an order that was listed the row says more than its fills. Those of another one must be all that was asked for
 * (`orders/unmatched-orders.ts`), and nothing like it listed besides.
 */
function areFillsOf(state: TraderState, intent: Intent, { orderId, fills, listed }: UnmatchedFills): boolean {
  if (hasRival(state, intent, orderId)) return false;
  if (listed !== undefined && cameLater(state, intent, listed.row)) return false;
  if (listed !== undefined && (listed.mayBeOurs || !isAlike(intent, listed.row))) return listed.mayBeOurs;
  return filledBy(intent, fills).eq(intent.quantity);
}

/**
 * Whether another order is listed that is like the intent's as well: which of them fills says nothing of whose it is.
 */
function hasRival(state: TraderState, intent: Intent, id: OrderId): boolean {
  const { unmatched } = marketOf(state, intent.symbol).openOrders;
  return [...unmatched].some(
    ([other, { row }]) =>
      other !== id &&
      !state.durable.orders.byOrderId.has(other) &&
      !isThirdParty(state.durable, other) &&
      isAlike(intent, row) &&
      !cameLater(state, intent, row) &&
      !wasThereBefore(state, intent, other),
  );
}

// Trades that are booked as the owner's and may be of a create without an answer. Either its order was canceled before
// a list could show it: by hand, by the exchange, or by the watchdog while nothing was answered. Or it filled while a
// list showed another one like it, and that one is gone. That nothing of the intent rests is proved without them; that
// it was never placed is not.

/** No read tells any more whose they are: a person can look up of what quantity they were. */
function askAboutFills(turn: Turn, intent: Intent): boolean {
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

const isAskedAboutFills = (state: TraderState, intent: Intent): boolean =>
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

// The owner trades on the account as well: nothing of his is canceled or taken for the bot's, and where the two can't
// be told apart a person is asked (decision 0009).

export const shared: AccountPolicy = {
  cancelsBySymbol: false,
  ownerTrades: true,
  trustsIncompleteLists: false,
  watchesOtherMarkets: false,
  noteThirdPartyOrder: notifyThirdPartyOrder,
  // The booking notifies of it.
  noteThirdPartyTrade: () => undefined,
  noteOtherMarkets: () => undefined,
  matchOf,
  areFillsOf,
  // They may be of a part of what was sent, or of a smaller order of the owner's.
  isListAwaited: (couldBe, fills) => couldBe.some((intent) => filledBy(intent, fills).lt(intent.quantity)),
  askIfAmbiguous,
  takeDuplicate: askAboutDuplicate,
  // A second order that fills unseen is booked as the owner's.
  takeFilledDuplicates: () => undefined,
  askAboutFills,
  isAskedAboutFills,
};
