// The bot's own orders as known without its journal: each create, its name once it has one, and whether it is closed.
// Folded from notes that the bot leaves in a file.
import { type Decimal, decimal } from '../domain/decimal.ts';
import { intentId as intentIdOf, type OrderId, orderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';
import type { Durable } from '../trader/durable/durable.ts';
import type { TraderEvent } from '../trader/durable/events.ts';
import type { Intent } from '../trader/durable/intent.ts';

/** A create as sent: enough to recognize its order in a list. */
export interface OwnCreate {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** T: by the estimate of the exchange's clock. */
  readonly timestamp: EpochMs;
  /** T + W + ε + Lm by the bot's clock: later no copy of it can be newly accepted. */
  readonly horizon: EpochMs;
}

/** An order that may be open. */
interface OwnOrder {
  /** Null for an order known by its name alone. */
  readonly create: OwnCreate | null;
  /** Null while the exchange has not named it to us. */
  readonly orderId: OrderId | null;
}

export type OwnNote =
  /** First line of a file. */
  | { readonly kind: 'begun'; readonly paperInstance: string | null; readonly horizon: EpochMs }
  /** Durable before the create leaves. */
  | { readonly kind: 'sent'; readonly intentId: string; readonly create: OwnCreate }
  | { readonly kind: 'named'; readonly intentId: string; readonly orderId: OrderId }
  | { readonly kind: 'closed'; readonly intentId: string; readonly at: EpochMs }
  /** A remembered closed order, in a file that was rewritten. */
  | { readonly kind: 'was-ours'; readonly orderId: OrderId; readonly at: EpochMs }
  /** An order that may be ours and that a person was asked about; and that the question is answered or dropped. */
  | { readonly kind: 'questioned'; readonly orderId: OrderId }
  | { readonly kind: 'answered'; readonly orderId: OrderId }
  /** An order that an older journal had lost, and that a person claimed. */
  | { readonly kind: 'not-ours'; readonly orderId: OrderId };

/** Owned linearly: `note` changes it in place. */
export interface OwnOrders {
  /** The paper exchange of the orders; null for a live venue. */
  paperInstance: string | null;
  /** The latest horizon of all creates, including closed ones: a proxy may deliver one twice. By the bot's clock. */
  horizon: EpochMs;
  /** By intent. */
  readonly open: Map<string, OwnOrder>;
  /** Closed orders and when: a list that lags may show them, and they are still ours. */
  readonly closed: Map<OrderId, EpochMs>;
  /** Orders that only a person can attribute: never canceled automatically. */
  readonly questioned: Set<OrderId>;
}

/** How long a closed order is remembered, and how many at most. */
const REMEMBERED_MS: DurationMs = 15 * MINUTE;
const REMEMBERED_MAX = 500;

export function noOrders(paperInstance: string | null): OwnOrders {
  return { paperInstance, horizon: 0, open: new Map(), closed: new Map(), questioned: new Set() };
}

/** Applies a note. */
export function take(orders: OwnOrders, note: OwnNote): void {
  const { open, closed } = orders;
  switch (note.kind) {
    case 'begun':
      orders.paperInstance = note.paperInstance;
      orders.horizon = Math.max(orders.horizon, note.horizon);
      return;
    case 'sent':
      orders.horizon = Math.max(orders.horizon, note.create.horizon);
      open.set(note.intentId, { create: note.create, orderId: open.get(note.intentId)?.orderId ?? null });
      return;
    case 'named':
      open.set(note.intentId, { create: open.get(note.intentId)?.create ?? null, orderId: note.orderId });
      return;
    case 'closed': {
      const orderId = open.get(note.intentId)?.orderId ?? null;
      open.delete(note.intentId);
      if (orderId !== null) closed.set(orderId, note.at);
      return;
    }
    case 'was-ours':
      closed.set(note.orderId, note.at);
      return;
    case 'questioned':
      orders.questioned.add(note.orderId);
      return;
    case 'answered':
      orders.questioned.delete(note.orderId);
      return;
    case 'not-ours':
      closed.delete(note.orderId);
      for (const [intentId, { orderId }] of open) if (orderId === note.orderId) open.delete(intentId);
  }
}

/** Removes orders too old to matter at `now`. */
export function forgetOld({ closed }: OwnOrders, now: EpochMs): void {
  for (const [orderId, at] of closed) if (now - at >= REMEMBERED_MS) closed.delete(orderId);
}

/** Notes that reproduce the same orders, without those too old to matter at `now`. */
export function notesOf(orders: OwnOrders, now: EpochMs): OwnNote[] {
  const { paperInstance, horizon, open, closed, questioned } = orders;
  const notes: OwnNote[] = [{ kind: 'begun', paperInstance, horizon }];
  const young = [...closed].filter(([, at]) => now - at < REMEMBERED_MS).slice(-REMEMBERED_MAX);
  for (const [orderId, at] of young) notes.push({ kind: 'was-ours', orderId, at });
  for (const [intentId, { create, orderId }] of open) {
    if (create !== null) notes.push({ kind: 'sent', intentId, create });
    if (orderId !== null) notes.push({ kind: 'named', intentId, orderId });
  }
  for (const orderId of questioned) notes.push({ kind: 'questioned', orderId });
  return notes;
}

/** The union of two readings. */
export function together(before: OwnOrders, after: OwnOrders): OwnOrders {
  return {
    paperInstance: after.paperInstance,
    horizon: Math.max(before.horizon, after.horizon),
    open: new Map([...before.open, ...after.open]),
    closed: new Map([...before.closed, ...after.closed]),
    questioned: new Set([...before.questioned, ...after.questioned]),
  };
}

/** The remainder once every order known to be the bot's is proved gone. */
export function withoutOrders({ paperInstance, horizon, questioned }: OwnOrders): OwnOrders {
  return { ...noOrders(paperInstance), horizon, questioned: new Set(questioned) };
}

// The bot's notes on its own orders: at its start, for each journal record, and for differences between its state and
// the notes.

/** Prefix for the names of orders unknown to the journal: one of its intents may have the same name. */
const LOST = 'lost ';
const withoutMark = (name: string): string => (name.startsWith(LOST) ? name.slice(LOST.length) : name);
/** This long after its horizon, a lost create has shown in the lists, and a person was asked about it. */
const LOST_CREATE_SHOWS_MS: DurationMs = MINUTE;

/** The journal's orders, and orders from a file of the same exchange that the journal lacks: it may have lost them. */
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

/** The bot's knowledge of its orders. */
export interface KnownOrders {
  readonly durable: Durable;
}

export function differences(written: OwnOrders, { durable }: KnownOrders, clock: Clock): OwnNote[] {
  const { open, questioned } = written;
  const notes: OwnNote[] = [];
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

/** Whether the order need not be remembered any more. */
function isOver(durable: Durable, name: string, { create, orderId }: OwnOrder, clock: Clock): boolean {
  const { intents, byOrderId } = durable.orders;
  if (intents.has(intentIdOf(name))) return false;
  if (orderId !== null && byOrderId.has(orderId)) return true;
  if (!name.startsWith(LOST)) return create !== null;
  if (orderId !== null || create === null) return false;
  // While the journal is known to be stale a person is asked about resting orders: an order without a name may be among
  // them.
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

const NOTED: ReadonlySet<string> = new Set<TraderEvent['type']>(['intent', 'create-outcome', 'adopted', 'closed']);

export function notesOfRecord({ type, payload }: JournalRecord): OwnNote[] {
  if (!NOTED.has(type)) return [];
  // The trader has just written it.
  return notesOfEvent({ type, payload: JSON.parse(payload) } as TraderEvent);
}

function notesOfEvent(event: TraderEvent): OwnNote[] {
  switch (event.type) {
    case 'intent': {
      const { intentId, symbol, side, price, quantity, timestamp, horizon } = event.payload;
      const exact = { price: decimal(price), quantity: decimal(quantity) };
      return [{ kind: 'sent', intentId, create: { symbol, side, ...exact, timestamp, horizon } }];
    }
    case 'create-outcome':
    case 'adopted': {
      const { intentId, orderId: id } = event.payload;
      return id === null ? [] : [{ kind: 'named', intentId, orderId: orderId(id) }];
    }
    case 'closed':
      return [{ kind: 'closed', intentId: event.payload.intentId, at: event.payload.at }];
    default:
      return [];
  }
}
