// The fold of orders that a person is asked about, and of his answer.
import { decimal, ZERO } from '../../../domain/decimal.ts';
import { intentId, orderId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { invariant } from '../../../domain/invariant.ts';
import type { Side, Slot } from '../../../domain/order.ts';
import { reserveEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { type Durable, liveIntents } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { journalAmount } from '../journal-amount.ts';
import { marketToChange } from '../market.ts';
import { THIRD_PARTY_REMEMBERED } from '../orders.ts';
import { NO_REVISION } from '../revision.ts';
import { staleReason } from '../stale-reason.ts';
import { passGap } from './apply-opening.ts';
import { resumeProtections } from './locks.ts';

/**
 * Levels from here on are no strategy's: what was not placed for a slot takes one of its own, and none is wanted there.
 */
const DUPLICATE_LEVEL = 1_000;

export function spareSlot(durable: Durable, symbol: InstrumentSymbol, side: Side): Slot {
  const taken = new Set(liveIntents(durable, symbol).map(({ slot }) => slot));
  let level = DUPLICATE_LEVEL;
  while (taken.has(`${side}:${level}`)) level += 1;
  return `${side}:${level}`;
}

export function foldQuestions(durable: Durable, payload: PayloadOf<'orders-questioned'>): void {
  const { symbol, orders, as, rows = [] } = payload;
  for (const id of orders) {
    const row = rows.find((each) => each.orderId === id);
    const order = row === undefined ? null : { side: row.side, price: row.price, quantity: row.quantity };
    durable.orders.questioned.set(orderId(id), { symbol, as, order });
    if (as === 'other') durable.orders.byOrderId.delete(orderId(id));
  }
}

export function foldResumed(durable: Durable, payload: PayloadOf<'symbol-resumed'>): void {
  const { symbol, price, notOurs = [], at } = payload;
  const { orders, journal } = durable;
  const market = marketToChange(durable, symbol);
  resumeProtections(market, at);
  market.halt = null;
  market.breaches = [];
  passGap(market);
  if (price !== undefined) market.lastReference = { price, at, isStated: true };
  for (const [id, asked] of orders.questioned) if (asked.symbol === symbol) orders.questioned.delete(id);
  for (const id of notOurs) orders.thirdParty.add(orderId(id));
  const tooMany = Math.max(0, orders.thirdParty.size - THIRD_PARTY_REMEMBERED);
  for (const id of [...orders.thirdParty].slice(0, tooMany)) orders.thirdParty.delete(id);
  const isAnswered = journal.staleFrom !== null && staleReason(durable) === null;
  if (isAnswered) Object.assign(journal, { staleFrom: null, answeredAt: at });
}

export function foldTakenOver(durable: Durable, payload: PayloadOf<'order-taken-over'>): void {
  const { orders, books } = durable;
  const { symbol, side, reserve, at } = payload;
  const id = intentId(payload.intentId);
  invariant(!orders.intents.has(id) && !orders.closed.has(id), `Intent ${id} is in the journal twice.`);
  durable.journal.endedFlat = false;
  const named = orderId(payload.orderId);
  orders.questioned.delete(named);
  orders.byOrderId.set(named, id);
  orders.intents.set(id, {
    intentId: id,
    symbol,
    slot: spareSlot(durable, symbol, side),
    side,
    price: decimal(payload.price),
    quantity: decimal(payload.quantity),
    state: 'open',
    orderId: named,
    duplicateOf: null,
    cancel: 'none',
    timestamp: at,
    horizon: at,
    since: at,
    sentAt: at,
    filled: ZERO,
    closedAs: null,
    reserve: { asset: reserve.asset, amount: reserve.amount },
    revision: NO_REVISION,
  });
  const reservation = { intentId: id, asset: reserve.asset, amount: journalAmount(reserve.amount) };
  books.ledger = post(books.ledger, reserveEntry(books.ledger, reservation));
}
