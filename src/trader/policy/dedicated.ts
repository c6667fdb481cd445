// Something of somebody else's is on an account that is the bot's alone: trading halts, everywhere.
import type { Fill } from '../../domain/fill.ts';
import { type IntentId, intentId, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Intent } from '../durable/intent.ts';
import { liveOrderToChange } from '../state/live-order.ts';
import { symbolsOf, type TraderState, touch } from '../state/state.ts';
import { emit, haltSymbol, intentNotice, type Turn } from '../state/turn.ts';
import type { AccountPolicy, Match } from './account-policy.ts';
import {
  couldHaveFilled,
  earliestOf,
  hadLeft,
  isAlike,
  latestOf,
  originalAmong,
  wasThereBefore,
} from './attribution/match.ts';
import { isQuestioned, isThirdParty, orderWords } from './attribution/questions.ts';

function refuse(turn: Turn, what: string): void {
  const reason = `The account is the bot's alone (account.foreignOrders: refuse), and ${what} is not the bot's.`;
  for (const symbol of symbolsOf(turn.state)) haltSymbol(turn, symbol, reason, 'not-alone');
}

/** Orders of symbols that no run has. */
function refuseOtherMarkets(turn: Turn, rows: readonly OpenOrder[]): void {
  const symbols = symbolsOf(turn.state);
  const row = rows.find(({ symbol }) => !symbols.includes(symbol));
  if (row) refuse(turn, `${orderWords(row)} of ${row.symbol}`);
}

/** One that claims to be older than the create may be the second order of another create (F11), as its time says. */
const matchOf = (state: TraderState, intent: Intent, row: OpenOrder): Match =>
  row.venueTime < earliestOf(state)(intent) && isOfAnother(state, row) ? 'none' : 'certain';

function isOfAnother(state: TraderState, row: OpenOrder): boolean {
  const { intents, closed } = state.durable.orders;
  return [...intents.values(), ...closed.values()].some(
    (other) =>
      other.symbol === row.symbol &&
      isAlike(other, row) &&
      row.venueTime >= earliestOf(state)(other) &&
      row.venueTime <= latestOf(state, other),
  );
}

// A second order of one create (F11): on an account that is the bot's alone it can only be ours, so it is taken on,
// canceled and counted.

/** One that a list shows. */
function takeDuplicate(
  turn: Turn,
  original: Intent,
  { row, sentAt }: { readonly row: OpenOrder; readonly sentAt: EpochMs },
): true {
  const id = adoptDuplicate(turn, original, { orderId: row.orderId, evidence: 'open-order' });
  liveOrderToChange(turn.state, id).listedAt = sentAt;
  return true;
}

/** Fills of orders that nobody owns: a second order may fill before any list shows it. */
function takeFilledDuplicates(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void {
  const { state } = turn;
  for (const [orderId, rows] of Map.groupBy(fills, (fill) => fill.orderId)) {
    const { durable } = state;
    if (durable.orders.byOrderId.has(orderId)) continue;
    if (isQuestioned(durable, orderId) || isThirdParty(durable, orderId)) continue;
    const earliest = earliestOf(state);
    const couldBe = (intent: Intent): boolean =>
      couldHaveFilled(intent, rows) &&
      rows.every(({ venueTime }) => venueTime >= earliest(intent)) &&
      !wasThereBefore(state, intent, orderId) &&
      rows.reduce((left, row) => left.sub(row.quantity), intent.quantity).gte(0);
    const of =
      originalAmong(turn, symbol, (intent) => couldBe(intent) && hadLeft(state, intent, rows)) ??
      originalAmong(turn, symbol, couldBe);
    if (of) adoptDuplicate(turn, of, { orderId, evidence: 'fill' });
  }
}

/** Takes the order on as another of ours, and returns its name. It is canceled as soon as the lane opens. */
function adoptDuplicate(
  turn: Turn,
  of: Intent,
  { orderId, evidence }: { readonly orderId: OrderId; readonly evidence: 'open-order' | 'fill' },
): IntentId {
  const id = intentId(`${of.intentId}~${orderId}`);
  emit(turn, {
    type: 'duplicate-found',
    payload: { intentId: id, of: of.intentId, orderId, evidence, at: turn.now },
  });
  intentNotice(turn, of, {
    level: 'page',
    op: 'duplicate-order',
    message:
      `Order ${orderId} is a second one of intent ` +
      `${of.intentId}${of.orderId === null ? '' : ` beside order ${of.orderId}`}: the exchange took one create ` +
      'twice. It is canceled.',
  });
  touch(turn.state, of.symbol);
  return id;
}

// The account is the bot's alone: an order that is like one of its own is its own, and anything else that it did not
// place halts trading (decision 0009).

export const dedicated: AccountPolicy = {
  cancelsBySymbol: true,
  ownerTrades: false,
  trustsIncompleteLists: true,
  watchesOtherMarkets: true,
  noteThirdPartyOrder: (turn, row) => refuse(turn, orderWords(row)),
  noteThirdPartyTrade: refuse,
  noteOtherMarkets: refuseOtherMarkets,
  matchOf,
  areFillsOf: (_state, intent, { listed }) => listed === undefined || listed.mayBeOurs || isAlike(intent, listed.row),
  // Only which of its own it is can be in question: a list may show the other one.
  isListAwaited: (couldBe) => couldBe.length > 1,
  // The second one is ours as well: it is found to be a duplicate afterward.
  askIfAmbiguous: () => false,
  takeDuplicate,
  takeFilledDuplicates,
  // What is booked as not the bot's has halted trading already.
  askAboutFills: () => false,
  isAskedAboutFills: () => false,
};
