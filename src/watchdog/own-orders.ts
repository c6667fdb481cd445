// The bot's own orders as they must be known without its journal: what each create was, its name once it has one, and
// what is closed. The fold of notes that the bot leaves in a file.
import type { Decimal } from '../domain/decimal.ts';
import type { OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../domain/time.ts';

/** A create as it left: enough to know its order in a list. */
export interface OwnCreate {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** T: by the exchange's clock as it was estimated. */
  readonly timestamp: EpochMs;
  /** T + W + ε + Lm by the bot's clock: later no copy of it can be newly accepted. */
  readonly horizon: EpochMs;
}

/** An order that may be open. */
export interface OwnOrder {
  /** Null for one that was found by its name alone. */
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
  /** A closed order that is remembered, in a file that was written anew. */
  | { readonly kind: 'was-ours'; readonly orderId: OrderId; readonly at: EpochMs }
  /**
   * An order that may be ours, about which a person was asked; and his answer, or that nobody remembers the question.
   */
  | { readonly kind: 'questioned'; readonly orderId: OrderId }
  | { readonly kind: 'answered'; readonly orderId: OrderId }
  /** An order that an older journal had lost, and that a person calls his. */
  | { readonly kind: 'not-ours'; readonly orderId: OrderId };

/** Owned linearly: `note` changes it in place. */
export interface OwnOrders {
  /** The paper exchange that the orders are at; null for a live venue. */
  paperInstance: string | null;
  /** The latest horizon of all creates, closed ones too: a proxy may deliver one twice. By the bot's clock. */
  horizon: EpochMs;
  /** By intent. */
  readonly open: Map<string, OwnOrder>;
  /** Closed orders and when: a list that lags may show them, and they are still ours. */
  readonly closed: Map<OrderId, EpochMs>;
  /** Orders that only a person can tell to be ours or not: never canceled by themselves. */
  readonly questioned: Set<OrderId>;
}

/** How long a closed order is remembered, and how many at most. */
const REMEMBERED_MS: DurationMs = 15 * MINUTE;
const REMEMBERED_MAX = 500;

export function noOrders(paperInstance: string | null): OwnOrders {
  return { paperInstance, horizon: 0, open: new Map(), closed: new Map(), questioned: new Set() };
}

/** Takes a note in. */
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

/** Takes out what is too old to matter at `now`. */
export function forgetOld({ closed }: OwnOrders, now: EpochMs): void {
  for (const [orderId, at] of closed) if (now - at >= REMEMBERED_MS) closed.delete(orderId);
}

/** The notes that make the same again, without what is too old to matter at `now`. */
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

/** What either of two readings names. */
export function together(before: OwnOrders, after: OwnOrders): OwnOrders {
  return {
    paperInstance: after.paperInstance,
    horizon: Math.max(before.horizon, after.horizon),
    open: new Map([...before.open, ...after.open]),
    closed: new Map([...before.closed, ...after.closed]),
    questioned: new Set([...before.questioned, ...after.questioned]),
  };
}

/** What is left of it once every order that is known to be the bot's is proved gone. */
export function withoutOrders({ paperInstance, horizon, questioned }: OwnOrders): OwnOrders {
  return { ...noOrders(paperInstance), horizon, questioned: new Set(questioned) };
}
