// What the bot notes of its own orders: at its start, of each journal record, and of what its state knows and the notes
// do not.
import { type Decimal, decimal } from '../domain/decimal.ts';
import { intentId as intentIdOf, type OrderId, orderId } from '../domain/ids.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';
import type { Durable } from '../trader/durable/durable.ts';
import type { TraderEvent } from '../trader/durable/events.ts';
import type { Intent } from '../trader/durable/intent.ts';
import { noOrders, type OwnCreate, type OwnNote, type OwnOrder, type OwnOrders } from './own-orders.ts';

/** How the name of an order begins that the journal has never heard of: an intent of the journal may have its own. */
const LOST = 'lost ';
const withoutMark = (name: string): string => (name.startsWith(LOST) ? name.slice(LOST.length) : name);
/** So long after its horizon a create that was lost shows in the lists, and whoever it belongs to was asked. */
const LOST_CREATE_SHOWS_MS: DurationMs = MINUTE;

/**
 * What the journal holds, and orders that a file of the same exchange names and the journal has never heard of: it may
 * have been lost.
 */
export function ordersAtStart(found: OwnOrders, durable: Durable, paperInstance: string | null): OwnOrders {
  const orders = noOrders(paperInstance);
  const { byOrderId, thirdParty } = durable.orders;
  if (found.paperInstance === paperInstance) {
    orders.horizon = found.horizon;
    for (const [id, at] of found.closed) if (!thirdParty.has(id)) orders.closed.set(id, at);
    for (const [name, order] of found.open) {
      const { create, orderId: id } = order;
      const isHeard = id === null ? isIn(durable, name) : byOrderId.has(id) || thirdParty.has(id);
      if (!isHeard) orders.open.set(`${LOST}${id ?? withoutMark(name)}`, order);
      if (!isHeard && create !== null) orders.horizon = Math.max(orders.horizon, create.horizon);
    }
  }
  for (const intent of durable.orders.intents.values()) {
    orders.open.set(intent.intentId, { create: createOf(intent), orderId: intent.orderId });
    orders.horizon = Math.max(orders.horizon, intent.horizon);
  }
  for (const id of durable.orders.questioned.keys()) orders.questioned.add(id);
  return orders;
}

/** What the bot knows of its orders. */
export interface KnownOrders {
  readonly durable: Durable;
  /** Orders that were held for closed, and that lists show all the same. */
  readonly orders: { readonly reappeared: ReadonlyMap<OrderId, unknown> };
}

/** An order that is listed after it was closed is noted again so often: what is closed is forgotten by its age. */
const NOTED_AGAIN_MS: DurationMs = MINUTE;

export function differences(written: OwnOrders, { durable, orders }: KnownOrders, clock: Clock): OwnNote[] {
  const { open, questioned } = written;
  const notes: OwnNote[] = [];
  for (const id of orders.reappeared.keys())
    if (clock.now() - (written.closed.get(id) ?? 0) >= NOTED_AGAIN_MS)
      notes.push({ kind: 'was-ours', orderId: id, at: clock.now() });
  for (const intent of durable.orders.intents.values()) {
    const { intentId, orderId: id } = intent;
    const known = open.get(intentId);
    if (known === undefined) notes.push({ kind: 'sent', intentId, create: createOf(intent) });
    if (id !== null && known?.orderId !== id) notes.push({ kind: 'named', intentId, orderId: id });
  }
  for (const [name, { create, orderId: id }] of open) {
    if (id !== null && durable.orders.thirdParty.has(id)) {
      notes.push({ kind: 'not-ours', orderId: id });
      continue;
    }
    if (isOver(durable, name, { create, orderId: id }, clock))
      notes.push({ kind: 'closed', intentId: name, at: clock.now() });
  }
  for (const id of durable.orders.questioned.keys())
    if (!questioned.has(id)) notes.push({ kind: 'questioned', orderId: id });
  for (const id of questioned) if (!durable.orders.questioned.has(id)) notes.push({ kind: 'answered', orderId: id });
  return notes;
}

const isIn = ({ orders: { intents, closed } }: Durable, name: string): boolean =>
  intents.has(intentIdOf(name)) || closed.has(intentIdOf(name));

/** Whether nothing has to be remembered of it any more. */
function isOver(durable: Durable, name: string, { create, orderId }: OwnOrder, clock: Clock): boolean {
  const { intents, byOrderId } = durable.orders;
  if (intents.has(intentIdOf(name))) return false;
  if (orderId !== null && byOrderId.has(orderId)) return true;
  if (!name.startsWith(LOST)) return create !== null;
  if (orderId !== null || create === null) return false;
  // While the journal is known to be old a person is asked about what rests: one that has no name may be among it.
  const isHeld = [...durable.markets.values()].some(({ halt }) => halt?.code === 'journal-stale');
  const isAsked = isHeld || durable.journal.staleFrom !== null;
  return !isAsked && clock.now() - create.horizon >= LOST_CREATE_SHOWS_MS;
}

const createOf = ({ symbol, side, price, quantity, timestamp, horizon }: Intent): OwnCreate => ({
  symbol,
  side,
  price,
  quantity,
  timestamp,
  horizon,
});

const NOTED: ReadonlySet<string> = new Set<TraderEvent['type']>([
  'intent',
  'create-outcome',
  'adopted',
  'duplicate-found',
  'closed',
]);

export function notesOfRecord({ type, payload }: JournalRecord): OwnNote[] {
  if (!NOTED.has(type)) return [];
  // The trader wrote it a moment ago.
  return notesOfEvent({ type, payload: JSON.parse(payload) } as TraderEvent);
}

function notesOfEvent(event: TraderEvent): OwnNote[] {
  switch (event.type) {
    case 'intent': {
      const { intentId, symbol, side, price, quantity, timestamp, horizon } = event.payload;
      const exact = { price: exactly(price), quantity: exactly(quantity) };
      return [{ kind: 'sent', intentId, create: { symbol, side, ...exact, timestamp, horizon } }];
    }
    case 'create-outcome':
    case 'adopted':
    case 'duplicate-found': {
      const { intentId, orderId: id } = event.payload;
      return id === null ? [] : [{ kind: 'named', intentId, orderId: orderId(id) }];
    }
    case 'closed':
      return [{ kind: 'closed', intentId: event.payload.intentId, at: event.payload.at }];
    default:
      return [];
  }
}

const exactly = (text: string): Decimal => decimal(text);
