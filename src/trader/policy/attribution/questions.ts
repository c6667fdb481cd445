// Orders that may be ours, without certainty: a person is asked, and until the answer none of them is treated as ours.
import { plain } from '../../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../../domain/ids.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import type { HaltCode } from '../../../quoting/block.ts';
import type { Durable } from '../../durable/durable.ts';
import type { QuestionedRow } from '../../durable/events.ts';
import { type Questioned, THIRD_PARTY_REMEMBERED } from '../../durable/intent.ts';
import { marketIn } from '../../durable/market.ts';
import type { Market } from '../../state/market.ts';
import { emit, haltSymbol, notice, type Step } from '../../state/turn.ts';

export interface Question {
  readonly orders: readonly OrderId[];
  readonly as: Questioned['as'];
  /** One sentence or two: the uncertainty, and what the person can do. */
  readonly message: string;
  /** The orders as lists show them: with that they can be taken over once a person has said that they are the bot's. */
  readonly rows: readonly OpenOrder[];
  readonly code?: HaltCode;
  /** The creates that one of them may belong to. */
  readonly intents?: readonly IntentId[];
}

/**
 * Halts the symbol and remembers the orders in question until a person resumes it: the question stays open if one of
 * them disappears, or if the process restarts.
 */
export function askAbout(turn: Step<'session'>, market: Market, question: Question): void {
  const { symbol } = market;
  const { orders, as, message, rows, code, intents } = question;
  const { durable } = turn.state;
  // Lists can show any number of them. The others are left alone while the halt lasts, and asked about afterward.
  const news = [...new Set(orders)]
    .filter((id) => !isQuestioned(durable, id))
    .slice(0, Math.max(0, THIRD_PARTY_REMEMBERED - durable.orders.questioned.size));
  if (news.length > 0)
    emit(turn, {
      type: 'orders-questioned',
      payload: { symbol, orders: news, as, rows: rows.map(questionedRow), at: turn.now },
    });
  const { halt: before } = marketIn(durable, symbol);
  haltSymbol(turn, market, message, code ?? 'order-unknown', intents === undefined ? {} : { intents });
  if (news.length > 0 && before !== null && marketIn(durable, symbol).halt === before)
    notice(turn, { level: 'page', op: 'orders-questioned', symbol, message: `${symbol}, which is halted: ${message}` });
}

const questionedRow = ({ orderId, side, price, originalQuantity }: OpenOrder): QuestionedRow => ({
  orderId,
  side,
  price: plain(price),
  quantity: plain(originalQuantity),
});

/** An order, for people. */
export const orderWords = (row: OpenOrder): string =>
  `order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()})`;

/** Whether a person was asked about the order, whatever its values. */
export const isQuestioned = ({ orders }: Durable, id: OrderId): boolean => orders.questioned.has(id);

/** Whether a person said that the order is not the bot's: however alike it is, it belongs to no intent. */
export const isThirdParty = ({ orders }: Durable, id: OrderId): boolean => orders.thirdParty.has(id);
