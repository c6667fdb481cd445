// The fold of one order's life: from the intent, by what is learned of its create and cancel, until it is closed.
import { decimal, ZERO } from '../../../domain/decimal.ts';
import { type IntentId, intentId, orderId } from '../../../domain/ids.ts';
import { assertNever, invariant } from '../../../domain/invariant.ts';
import type { Slot } from '../../../domain/order.ts';
import type { EpochMs } from '../../../domain/time.ts';
import { releaseEntry, reserveEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import type { Durable } from '../durable.ts';
import type { IntentRecord, PayloadOf } from '../events.ts';
import { type Intent, remainingOf } from '../intent.ts';
import { journalAmount } from '../journal-amount.ts';
import { marketToChange } from '../market.ts';
import { CLOSED_REMEMBERED, type DurableOrders } from '../orders.ts';
import { REMEMBERED, withEvent } from '../remembered/windows.ts';
import { reserveLeft, withValues } from '../reserve.ts';
import { noteStamp } from './move-clock.ts';
import { spareSlot } from './questioned.ts';

export function applyIntent(durable: Durable, record: IntentRecord): void {
  const { orders, books } = durable;
  const id = intentId(record.intentId);
  invariant(!orders.intents.has(id) && !orders.closed.has(id), `Intent ${id} is in the journal twice.`);
  const intent: Intent = {
    intentId: id,
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
  };
  orders.intents.set(id, intent);
  orders.nextIntentNumber += 1;
  if (record.reference !== undefined)
    marketToChange(durable, record.symbol).lastReference = { price: record.reference, at: record.sentAt };
  const reservation = { intentId: id, asset: record.reserve.asset, amount: journalAmount(record.reserve.amount) };
  books.ledger = post(books.ledger, reserveEntry(books.ledger, reservation));
}

export function applyCreateOutcome(durable: Durable, payload: PayloadOf<'create-outcome'>): void {
  const id = intentId(payload.intentId);
  switch (payload.outcome) {
    case 'accepted': {
      invariant(payload.orderId !== null, `Intent ${id} was accepted without an order id.`);
      const named = orderId(payload.orderId);
      durable.orders.byOrderId.set(named, id);
      return change(durable, payload, (intent) => {
        noteStamp(durable, intent);
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
  change(durable, payload, (intent) => {
    noteStamp(durable, intent);
    if (intent.state === 'soft-rejected') {
      const market = marketToChange(durable, intent.symbol);
      const breach = { intentId: intent.intentId, at: payload.at };
      market.breaches = withEvent(market.breaches, breach, REMEMBERED.breaches);
    }
    return { ...intent, state: 'open', orderId: named };
  });
}

export function applyDuplicate(durable: Durable, payload: PayloadOf<'duplicate-found'>): void {
  const { orders, books } = durable;
  const of = intentId(payload.of);
  const first = orders.intents.get(of) ?? orders.closed.get(of);
  invariant(first !== undefined, `Intent ${of} is not known.`);
  const id = intentId(payload.intentId);
  invariant(!orders.intents.has(id) && !orders.closed.has(id), `Intent ${id} is in the journal twice.`);
  const named = orderId(payload.orderId);
  orders.byOrderId.set(named, id);
  orders.intents.set(id, {
    ...first,
    intentId: id,
    slot: spareSlot(durable, first.symbol, first.side),
    state: 'open',
    orderId: named,
    duplicateOf: of,
    since: payload.at,
    filled: ZERO,
    closedAs: null,
    cancel: 'none',
  });
  const reservation = { intentId: id, asset: first.reserve.asset, amount: journalAmount(first.reserve.amount) };
  books.ledger = post(books.ledger, reserveEntry(books.ledger, reservation));
}

/** What the order reserves follows its values. */
export function applyValues({ orders, books }: Durable, payload: PayloadOf<'order-differs'>): void {
  const id = intentId(payload.intentId);
  const intent = orders.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  const kept = withValues(intent, { price: decimal(payload.price), quantity: decimal(payload.quantity) });
  orders.intents.set(id, kept);
  const amount = reserveLeft(kept, remainingOf(kept));
  const reservation = { intentId: id, asset: kept.reserve.asset, amount };
  books.ledger = post(books.ledger, reserveEntry(books.ledger, reservation));
}

export const applyCancelSent = (durable: Durable, payload: PayloadOf<'cancel-sent'>): void =>
  change(durable, payload, (intent) => ({
    ...intent,
    state: 'cancel-sent',
    cancel: intent.state === 'cancel-sent' ? intent.cancel : 'sent',
  }));

/** The time of the state stays: an answer to a cancel is no proof of anything. */
export function applyCancelOutcome({ orders }: Durable, { intentId: id, outcome }: PayloadOf<'cancel-outcome'>): void {
  const key = intentId(id);
  const intent = orders.intents.get(key);
  if (intent === undefined || outcome !== 'acknowledged') return;
  orders.intents.set(key, { ...intent, cancel: 'acknowledged' });
}

export const applyClosing = (durable: Durable, payload: PayloadOf<'closing'>): void =>
  change(durable, payload, (intent) => ({ ...intent, state: 'closing' }));

export const applyReopened = (durable: Durable, payload: PayloadOf<'reopened'>): void =>
  change(durable, payload, (intent) => ({
    ...intent,
    state: 'open',
    cancel: payload.belied === true ? 'none' : intent.cancel,
  }));

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

function close({ orders, books }: Durable, id: IntentId, { as, at }: { as: Intent['closedAs']; at: EpochMs }): void {
  const intent = orders.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  orders.intents.delete(id);
  orders.closed.set(id, { ...intent, state: 'closed', closedAs: as, since: at });
  const release = releaseEntry(books.ledger, id);
  if (release) books.ledger = post(books.ledger, release);
  forgetOldest(orders);
}

function forgetOldest({ closed, byOrderId }: DurableOrders): void {
  if (closed.size <= CLOSED_REMEMBERED) return;
  const [oldest] = closed;
  if (!oldest) return;
  const [id, { orderId: named }] = oldest;
  closed.delete(id);
  // It may be another one's by now: a person said so.
  if (named !== null && byOrderId.get(named) === id) byOrderId.delete(named);
}
