// Orders that the journal comes to know without a create of their own: the second one of a create, and one that a
// person named.
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

/** What every order has that is found on the book. */
const OPEN = {
  state: 'open',
  cancelSent: false,
  cancelTaken: false,
  orderId: null,
  closedAs: null,
  filled: ZERO,
} as const;

/** The second order of one create (F11) is an intent of its own from when it is found. */
export function foldDuplicate(journal: KnownOrders, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const first = journal.intents.get(text(payload.of));
  if (first === undefined)
    return { invariant: 'R5', sentence: `a duplicate of ${text(payload.of)} was found, which is no intent.` };
  const intent: JournalIntent = {
    ...first,
    ...OPEN,
    ...{ intentId: text(payload.intentId), epoch, seq, at, since: at },
    slot: `${first.slot}, second order ${text(payload.orderId)}`,
    duplicateOf: first.intentId,
  };
  return begun(journal, intent, text(payload.orderId));
}

/** One that a person said is the bot's: of its create nothing is known. */
export function foldTakenOver(journal: KnownOrders, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const intent: JournalIntent = {
    ...OPEN,
    ...{ intentId: text(payload.intentId), epoch, seq, at, since: at },
    symbol: text(payload.symbol),
    slot: `taken over, order ${text(payload.orderId)}`,
    side: payload.side === 'buy' ? 'buy' : 'sell',
    price: text(payload.price),
    quantity: text(payload.quantity),
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
