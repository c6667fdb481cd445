// The fold of one order: from the intent through the answers to its create and cancel until it is closed.
import { decimal, ZERO } from '../../../domain/decimal.ts';
import { type IntentId, intentId, orderId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { assertNever, invariant } from '../../../domain/invariant.ts';
import type { Side, Slot } from '../../../domain/order.ts';
import type { EpochMs } from '../../../domain/time.ts';
import { type Durable, liveIntents, recordStamp } from '../durable.ts';
import type { AdoptedOrder, IntentRecord, PayloadOf } from '../events.ts';
import { CLOSED_REMEMBERED, type DurableOrders, type Intent, withValues } from '../intent.ts';
import { marketToChange } from '../market.ts';
import { REMEMBERED, withEvent } from '../remembered.ts';
import { NO_REVISION } from '../revision.ts';

export function applyIntent(durable: Durable, record: IntentRecord): void {
  begin(durable, {
    intentId: intentId(record.intentId),
    symbol: record.symbol,
    slot: record.slot as Slot,
    side: record.side,
    price: decimal(record.price),
    quantity: decimal(record.quantity),
    state: 'sent',
    orderId: null,
    duplicateOf: null,
    timestamp: record.timestamp,
    horizon: record.horizon,
    since: record.sentAt,
    sentAt: record.sentAt,
    filled: ZERO,
    closedAs: null,
    cancel: 'none',
    reserve: { asset: record.reserve.asset, amount: record.reserve.amount },
    revision: record.revision,
  });
  durable.orders.nextIntentNumber += 1;
  if (record.reference !== undefined)
    marketToChange(durable, record.symbol).lastReference = { price: record.reference, at: record.sentAt };
}

function begin({ orders }: Durable, intent: Intent): void {
  const { intentId: id } = intent;
  invariant(!orders.intents.has(id) && !orders.closed.has(id), `Intent ${id} is in the journal twice.`);
  orders.intents.set(id, intent);
}

export function applyCreateOutcome(durable: Durable, payload: PayloadOf<'create-outcome'>): void {
  const id = intentId(payload.intentId);
  switch (payload.outcome) {
    case 'accepted': {
      invariant(payload.orderId !== null, `Intent ${id} was accepted without an order id.`);
      const named = orderId(payload.orderId);
      durable.orders.byOrderId.set(named, id);
      return change(durable, payload, (intent) => {
        recordStamp(durable, intent);
        return { ...intent, state: 'open', orderId: named };
      });
    }
    case 'not-sent':
      return close(durable, id, { as: 'not-placed', at: payload.at });
    case 'rejected':
      return close(durable, id, { as: 'rejected', at: payload.at });
    case 'soft-rejected':
      return change(durable, payload, (intent) => ({ ...intent, state: 'soft-rejected' }));
    case 'unknown':
      return change(durable, payload, (intent) => ({ ...intent, state: 'unknown' }));
    default:
      assertNever(payload.outcome);
  }
}

export function applyAdopted(durable: Durable, payload: PayloadOf<'adopted'>): void {
  const { orders } = durable;
  const named = orderId(payload.orderId);
  orders.byOrderId.set(named, intentId(payload.intentId));
  orders.questioned.delete(named);
  if (payload.order !== undefined) return takeOn(durable, payload, payload.order);
  change(durable, payload, (intent) => {
    recordStamp(durable, intent);
    if (intent.state === 'soft-rejected') {
      const market = marketToChange(durable, intent.symbol);
      const breach = { intentId: intent.intentId, at: payload.at };
      market.breaches = withEvent(market.breaches, breach, REMEMBERED.breaches);
    }
    return { ...intent, state: 'open', orderId: named };
  });
}

/** The order becomes another intent, to be canceled: it gets the times of the create that it repeats. */
function takeOn(durable: Durable, { intentId: name, orderId: named, at }: PayloadOf<'adopted'>, order: AdoptedOrder) {
  const { orders } = durable;
  const { symbol, side, reserve } = order;
  const of = order.of === null ? null : intentId(order.of);
  const first = of === null ? undefined : (orders.intents.get(of) ?? orders.closed.get(of));
  invariant(of === null || first !== undefined, `Intent ${of} is not known.`);
  durable.journal.endedFlat = false;
  begin(durable, {
    ...{ intentId: intentId(name), symbol, slot: spareSlot(durable, symbol, side), side },
    ...{ price: decimal(order.price), quantity: decimal(order.quantity), filled: ZERO },
    ...{ state: 'open', orderId: orderId(named), duplicateOf: of, closedAs: null, cancel: 'none' },
    ...{ timestamp: first?.timestamp ?? at, horizon: first?.horizon ?? at, sentAt: first?.sentAt ?? at, since: at },
    ...{ reserve: { asset: reserve.asset, amount: reserve.amount }, revision: first?.revision ?? NO_REVISION },
  });
}

/** The reserve follows the order's values. */
export function applyValues({ orders }: Durable, payload: PayloadOf<'order-differs'>): void {
  const id = intentId(payload.intentId);
  const intent = orders.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  const values = { price: decimal(payload.price), quantity: decimal(payload.quantity) };
  orders.intents.set(id, withValues(intent, values));
}

export const applyCancelSent = (durable: Durable, payload: PayloadOf<'cancel-sent'>): void =>
  change(durable, payload, (intent) => ({
    ...intent,
    state: 'cancel-sent',
    cancel: intent.state === 'cancel-sent' ? intent.cancel : 'sent',
  }));

/** The time of the state stays: an answer to a cancel proves nothing. */
export function applyCancelOutcome({ orders }: Durable, { intentId: id, outcome }: PayloadOf<'cancel-outcome'>): void {
  const key = intentId(id);
  const intent = orders.intents.get(key);
  if (intent === undefined || outcome !== 'acknowledged') return;
  orders.intents.set(key, { ...intent, cancel: 'acknowledged' });
}

export function applyListed(durable: Durable, payload: PayloadOf<'listed'>): void {
  const closed = payload.listed ? durable.orders.closed.get(intentId(payload.intentId)) : undefined;
  if (closed !== undefined) return reopen(durable, closed, payload.at);
  change(durable, payload, (intent) => ({
    ...intent,
    state: payload.listed ? 'open' : 'closing',
    cancel: payload.belied === true ? 'none' : intent.cancel,
  }));
}

/** The order was closed wrongly. Its slot may have another order by now. */
function reopen(durable: Durable, closed: Intent, at: EpochMs): void {
  const { symbol, side } = closed;
  durable.orders.closed.delete(closed.intentId);
  const slot = spareSlot(durable, symbol, side);
  begin(durable, { ...closed, slot, state: 'open', closedAs: null, cancel: 'none', since: at });
}

export const applyClosed = (durable: Durable, payload: PayloadOf<'closed'>): void =>
  close(durable, intentId(payload.intentId), payload);

function change(
  { orders }: Durable,
  { intentId: id, at }: { intentId: string; at: EpochMs },
  to: (intent: Intent) => Intent,
): void {
  const key = intentId(id);
  const intent = orders.intents.get(key);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  orders.intents.set(key, { ...to(intent), since: at });
}

function close({ orders }: Durable, id: IntentId, { as, at }: { as: Intent['closedAs']; at: EpochMs }): void {
  const intent = orders.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  orders.intents.delete(id);
  orders.closed.set(id, { ...intent, state: 'closed', closedAs: as, since: at });
  forgetOldest(orders);
}

function forgetOldest({ closed, byOrderId }: DurableOrders): void {
  if (closed.size <= CLOSED_REMEMBERED) return;
  const [oldest] = closed;
  if (!oldest) return;
  const [id, { orderId: named }] = oldest;
  closed.delete(id);
  // The id may belong to another intent by now: a person said so.
  if (named !== null && byOrderId.get(named) === id) byOrderId.delete(named);
}

// The fold of orders that a person is asked about.

/**
 * Levels from here on belong to no strategy: an order not placed for a slot gets one of these, and no quote is wanted
 * there.
 */
const DUPLICATE_LEVEL = 1_000;

function spareSlot(durable: Durable, symbol: InstrumentSymbol, side: Side): Slot {
  const taken = new Set(liveIntents(durable, symbol).map(({ slot }) => slot));
  let level = DUPLICATE_LEVEL;
  while (taken.has(`${side}:${level}`)) level += 1;
  return `${side}:${level}`;
}

export function applyQuestions(durable: Durable, payload: PayloadOf<'orders-questioned'>): void {
  const { symbol, orders, as, rows = [] } = payload;
  for (const id of orders) {
    const row = rows.find((each) => each.orderId === id);
    const order = row === undefined ? null : { side: row.side, price: row.price, quantity: row.quantity };
    durable.orders.questioned.set(orderId(id), { symbol, as, order });
    if (as === 'other') durable.orders.byOrderId.delete(orderId(id));
  }
}
