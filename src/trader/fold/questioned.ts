// The fold of orders that a person is asked about, and of his answer.
import { decimal, ZERO } from '../../domain/decimal.ts';
import { intentId, orderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { Slot } from '../../domain/quote.ts';
import { post } from '../../ledger/ledger.ts';
import { reserveEntry } from '../../ledger/reservation-entries.ts';
import { type Durable, liveIntents, THIRD_PARTY_REMEMBERED } from '../durable/durable.ts';
import type { TraderEvent } from '../durable/events.ts';
import { exact } from '../durable/exact.ts';
import { passGap } from './apply-opening.ts';

type Payload<T extends TraderEvent['type']> = Extract<TraderEvent, { type: T }>['payload'];

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

export function foldQuestions(durable: Durable, payload: Payload<'orders-questioned'>): void {
  const { symbol, orders, as, rows = [] } = payload;
  for (const id of orders) {
    const row = rows.find((each) => each.orderId === id);
    const order = row === undefined ? null : { side: row.side, price: row.price, quantity: row.quantity };
    durable.questioned.set(orderId(id), { symbol, as, order });
  }
}

export function foldResumed(durable: Durable, { symbol, price, notOurs = [], at }: Payload<'symbol-resumed'>): void {
  durable.halts.delete(symbol);
  durable.breaches.delete(symbol);
  passGap(durable, symbol);
  for (const [id, asked] of durable.questioned) if (asked.symbol === symbol) durable.questioned.delete(id);
  for (const id of notOurs) durable.thirdParty.add(orderId(id));
  const tooMany = Math.max(0, durable.thirdParty.size - THIRD_PARTY_REMEMBERED);
  for (const id of [...durable.thirdParty].slice(0, tooMany)) durable.thirdParty.delete(id);
  if (price !== undefined) durable.references.set(symbol, { price, at });
  if (![...durable.risk.haltCodes.values()].includes('journal-stale')) durable.staleFrom = null;
}

export function foldTakenOver(durable: Durable, payload: Payload<'order-taken-over'>): void {
  const { symbol, side, reserve, at } = payload;
  const id = intentId(payload.intentId);
  invariant(!durable.intents.has(id) && !durable.closed.has(id), `Intent ${id} is in the journal twice.`);
  const named = orderId(payload.orderId);
  durable.questioned.delete(named);
  durable.orders.set(named, id);
  durable.intents.set(id, {
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
  });
  const reservation = { intentId: id, asset: reserve.asset, amount: exact(reserve.amount) };
  durable.ledger = post(durable.ledger, reserveEntry(durable.ledger, reservation));
}
