// Orders that the journal learns of without a create of their own: the second one of a create, and one that a person
// named.
import { ZERO } from '../../src/domain/decimal.ts';
import type { JournalIntent } from './journal-intent.ts';
import type { Contradiction, Told } from './told.ts';

/** The part of a model that this changes. */
interface KnownOrders {
  readonly intents: Map<string, JournalIntent>;
  readonly live: Map<string, JournalIntent>;
  readonly byOrder: Map<string, JournalIntent>;
}

const text = (value: unknown): string => String(value);

/** Common fields of orders found on the book. */
const OPEN = {
  state: 'open',
  cancelSent: false,
  cancelTaken: false,
  orderId: null,
  closedAs: null,
  filled: ZERO,
} as const;

/** An adopted order without an intent of its own becomes one from then on. */
export function foldFound(journal: KnownOrders, told: Told, at: number): Contradiction | null {
  const { of } = told.payload.order as Told['payload'];
  return of === null ? foldTakenOver(journal, told, at) : foldDuplicate(journal, told, { of: text(of), at });
}

/** The second order of one create (F11). */
function foldDuplicate(
  journal: KnownOrders,
  { payload, seq, epoch }: Told,
  { of, at }: { readonly of: string; readonly at: number },
): Contradiction | null {
  const first = journal.intents.get(of);
  if (first === undefined) return { invariant: 'R5', sentence: `a duplicate of ${of} was found, which is no intent.` };
  const intent: JournalIntent = {
    ...first,
    ...OPEN,
    ...{ intentId: text(payload.intentId), epoch, seq, at, since: at },
    slot: `${first.slot}, second order ${text(payload.orderId)}`,
    duplicateOf: first.intentId,
  };
  return begun(journal, intent, text(payload.orderId));
}

/** An order that a person called the bot's: its create is unknown. */
function foldTakenOver(journal: KnownOrders, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const order = payload.order as Told['payload'];
  const intent: JournalIntent = {
    ...OPEN,
    ...{ intentId: text(payload.intentId), epoch, seq, at, since: at },
    symbol: text(order.symbol),
    slot: `taken over, order ${text(payload.orderId)}`,
    side: order.side === 'buy' ? 'buy' : 'sell',
    price: text(order.price),
    quantity: text(order.quantity),
    ...{ timestamp: Number(payload.at), horizon: Number(payload.at), bookSentAt: Number(payload.at) },
    ...{ replaces: null, duplicateOf: null },
  };
  return begun(journal, intent, text(payload.orderId));
}

function begun(journal: KnownOrders, intent: JournalIntent, orderId: string): Contradiction | null {
  journal.intents.set(intent.intentId, intent);
  journal.live.set(intent.intentId, intent);
  return bind(journal, intent, orderId);
}

/** The order is the intent's from now on. */
export function bind(journal: KnownOrders, intent: JournalIntent, orderId: string): Contradiction | null {
  const owner = journal.byOrder.get(orderId);
  intent.orderId ??= orderId;
  journal.byOrder.set(orderId, intent);
  return owner === undefined || owner === intent
    ? null
    : { invariant: 'R5', sentence: `order ${orderId} is bound to ${owner.intentId} and to ${intent.intentId}.` };
}
