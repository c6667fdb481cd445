// Behavior that depends on the account's users: `dedicated`, for the bot alone, and `shared`, if its owner trades as
// well. Callers don't know which policy they call (decision 0009).
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { type IntentId, intentId, type OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import type { Market } from '../state/market.ts';
import { seenToChange } from '../state/seen.ts';
import type { TraderSettings } from '../state/settings.ts';
import { symbolsOf, touch } from '../state/state.ts';
import { emit, haltSymbol, intentNotice, notice, type Step } from '../state/turn.ts';
import { couldHaveFilled, filledBy, hadLeft, originalAmong, wasThereBefore } from './attribution/match.ts';
import { askAbout, isQuestioned, isThirdParty, orderWords } from './attribution/questions.ts';

export interface AccountPolicy {
  /**
   * Whether the owner trades on the account. Then orders that are not in the journal may be his, an order of his may
   * trade with one of the bot's, which only moves the quote asset, by fees and tax (F51), and an incomplete list
   * identifies no create's order: it may leave out the bot's, and show one of his that has its name (F39, decision
   * 0015).
   *
   * If nobody else has orders, all orders of a symbol may be canceled at once. After the horizon of a create that is a
   * fence: it also cancels orders that no list has shown, so absence and a stop rest on it (decision 0009). Orders of
   * markets without a run matter as well: the whole account's list is read even for a single run.
   */
  readonly ownerTrades: boolean;

  /** A list shows an order that is not the bot's; `isNew`: no list of this session has shown it before. */
  takeThirdPartyOrder(turn: Step<'session'>, row: OpenOrder, isNew: boolean): void;
  /** A trade was booked that is not the bot's; `what` names it. */
  takeThirdPartyTrade(turn: Step<'session'>, what: string): void;
  /** A list of the whole account was read: orders of markets without a run are not the bot's. */
  takeOtherMarkets(turn: Step<'session'>, rows: readonly OpenOrder[]): void;

  /**
   * The order `row` has the name of `original`, and may be a second one that the exchange made of it (F11). True if it
   * is taken on as such; otherwise a person was asked. `sentAt`: when the list left.
   */
  takeDuplicate(
    turn: Step<'session' | 'orders'>,
    market: Market,
    original: Intent,
    listed: { readonly row: OpenOrder; readonly sentAt: EpochMs },
  ): boolean;
  /** Takes on second orders that show only by their fills: they may fill before any list shows them. */
  takeFilledDuplicates(turn: Step<'settings' | 'clock'>, market: Market, fills: readonly Fill[]): void;
}

// An account that is the bot's alone: any order that is not its own halts all trading.

function refuse(turn: Step<'session'>, what: string): void {
  const reason = `The account is the bot's alone (account.foreignOrders: refuse), and ${what} is not the bot's.`;
  for (const market of turn.state.markets.values()) haltSymbol(turn, market, reason, 'not-alone');
}

const dedicated: AccountPolicy = {
  ownerTrades: false,
  takeThirdPartyOrder: (turn, row) => refuse(turn, orderWords(row)),
  takeThirdPartyTrade: refuse,
  takeOtherMarkets(turn, rows) {
    const symbols = symbolsOf(turn.state);
    const row = rows.find(({ symbol }) => !symbols.includes(symbol));
    if (row) refuse(turn, `${orderWords(row)} of ${row.symbol}`);
  },
  takeDuplicate(turn, market, original, { row, sentAt }) {
    const id = adoptDuplicate(turn, market, original, { orderId: row.orderId, evidence: 'open-order' });
    seenToChange(turn.state.orders, id).listedAt = sentAt;
    return true;
  },
  takeFilledDuplicates(turn, market, fills) {
    const { state } = turn;
    for (const [orderId, rows] of Map.groupBy(fills, (fill) => fill.orderId)) {
      if (isSettled(state.durable, orderId)) continue;
      const couldBe = (intent: Intent): boolean =>
        couldHaveFilled(intent, rows) &&
        hadLeft(state, intent, rows) &&
        !wasThereBefore(market, intent, orderId) &&
        filledBy(rows).lte(intent.quantity);
      const original = originalAmong(state.durable, { symbol: market.symbol, now: turn.now }, couldBe);
      if (original) adoptDuplicate(turn, market, original, { orderId, evidence: 'fill' });
    }
  },
};

/** Whether it belongs to an intent or a third party, or is in question. */
const isSettled = (durable: Durable, orderId: OrderId): boolean =>
  durable.orders.byOrderId.has(orderId) || isQuestioned(durable, orderId) || isThirdParty(durable, orderId);

/** Takes the order on as another of ours, and returns its name. It is canceled as soon as the lane opens. */
function adoptDuplicate(
  turn: Step,
  market: Market,
  of: Intent,
  { orderId, evidence }: { readonly orderId: OrderId; readonly evidence: 'open-order' | 'fill' },
): IntentId {
  const id = intentId(`${of.intentId}~${orderId}`);
  const { symbol, side, price, quantity, reserve } = of;
  const order = { of: of.intentId, symbol, side, price: plain(price), quantity: plain(quantity), reserve };
  emit(turn, { type: 'adopted', payload: { intentId: id, orderId, evidence, order, at: turn.now } });
  intentNotice(turn, of, {
    level: 'page',
    op: 'duplicate-order',
    message:
      `Order ${orderId} is a second one of intent ` +
      `${of.intentId}${of.orderId === null ? '' : ` beside order ${of.orderId}`}: the exchange took one create ` +
      'twice. It is canceled.',
  });
  touch(market);
  return id;
}

// An account on which the owner trades as well: none of his orders is canceled or treated as the bot's. If one has the
// name of one of the bot's orders, a person is asked.

const shared: AccountPolicy = {
  ownerTrades: true,
  takeThirdPartyOrder(turn, row, isNew) {
    const { symbol, orderId } = row;
    const words = orderWords(row);
    const message = `O${words.slice(1)} is not the bot's: it is left alone.`;
    if (isNew) notice(turn, { level: 'warn', op: 'stray-order', symbol, orderId, message });
  },
  // The booking sends the notice.
  takeThirdPartyTrade: () => undefined,
  takeOtherMarkets: () => undefined,
  takeDuplicate(turn, market, original, { row }) {
    const ours = original.orderId === null ? `intent ${original.intentId}` : `order ${original.orderId}`;
    const what = `${row.side} ${plain(row.originalQuantity)} @ ${plain(row.price)}`;
    const message =
      `Order ${row.orderId} (${what}) is the same as our ${ours} and may be a second one of it. Cancel unwanted ` +
      'orders by hand, then resume the symbol.';
    // A create that has its order is not in question: the other order may be its second.
    const intents = original.orderId === null ? [original.intentId] : [];
    askAbout(turn, market, { orders: [row.orderId], as: 'twin', rows: [row], message, intents });
    return false;
  },
  // A second order that fills before any list shows it is booked as the owner's.
  takeFilledDuplicates: () => undefined,
};

export const policyOf = (settings: TraderSettings): AccountPolicy =>
  settings.foreignOrders === 'refuse' ? dedicated : shared;
