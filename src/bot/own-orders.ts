// Keeps the file of own orders true: from what the journal is told, before a create leaves, and from what the trader knows, after each cycle.
import type { Decimal } from '../domain/decimal.ts';
import { decimal } from '../domain/decimal.ts';
import { intentId as intentIdOf, orderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { JournalError } from '../journal/journal-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import type { Durable } from '../trader/durable.ts';
import type { TraderEvent } from '../trader/events.ts';
import type { Intent } from '../trader/intent.ts';
import { noOrders, type OwnCreate, type OwnNote, type OwnOrders } from '../watchdog/own-orders.ts';
import { type OwnOrdersFile, readOwnOrders, writeOwnOrders } from './own-orders-file.ts';
import { systemCode } from './system-error.ts';

export interface OwnOrdersKeeper {
  /** The same storage; what it is given is noted in the file once it is durable. A create's note is durable, too. */
  over(storage: JournalStorage): JournalStorage;
  /** Before the first create: the file as the recovered state wants it. */
  begin(durable: Durable): void;
  /** Notes what the state knows and the file does not. */
  agree(durable: Durable): void;
  close(): void;
}

/**
 * What can't be written ends the bot as a journal that can't be written does, before the create leaves: `over` throws a `JournalError`.
 * The other functions throw what the file system throws.
 */
export function keepOwnOrders(file: string, paperInstance: string | null, clock: Clock): OwnOrdersKeeper {
  let written: OwnOrdersFile | null = null;

  function append(records: readonly JournalRecord[]): void {
    const notes = records.flatMap(notesOfRecord);
    if (notes.length === 0) return;
    const isCreate = notes.some(({ kind }) => kind === 'sent');
    invariant(written !== null || !isCreate, 'A create is about to leave before the file of own orders was begun.');
    if (written !== null) writeOrFail(written, notes, isCreate);
  }

  return {
    over: (storage) => ({
      ...storage,
      append: (records) => {
        storage.append(records);
        append(records);
      },
    }),
    begin: (durable) => {
      written = writeOwnOrders(file, ordersAtStart(readOwnOrders(file).orders, durable, paperInstance), clock);
    },
    agree: (durable) => {
      if (written === null) return;
      const notes = differences(written.orders, durable, clock);
      if (notes.length > 0 || written.owes()) written.note(notes, false);
    },
    close: () => written?.close(),
  };
}

function writeOrFail(written: OwnOrdersFile, notes: readonly OwnNote[], durable: boolean): void {
  try {
    written.note(notes, durable);
  } catch (error) {
    const code = systemCode(error);
    throw new JournalError(code === 'ENOSPC' ? 'full' : 'failed', `The file of own orders can't be written (${code}).`);
  }
}

/** What the journal holds, and orders that a file of the same exchange names and the journal has never heard of: it may have been lost. */
function ordersAtStart(found: OwnOrders, durable: Durable, paperInstance: string | null): OwnOrders {
  const orders = noOrders(paperInstance);
  if (found.paperInstance === paperInstance) {
    orders.horizon = found.horizon;
    for (const [id, at] of found.closed) orders.closed.set(id, at);
    for (const { orderId: id } of found.open.values()) {
      if (id !== null && !durable.orders.has(id)) orders.open.set(`lost ${id}`, { create: null, orderId: id });
    }
  }
  for (const intent of durable.intents.values()) {
    orders.open.set(intent.intentId, { create: createOf(intent), orderId: intent.orderId });
    orders.horizon = Math.max(orders.horizon, intent.horizon);
  }
  for (const id of durable.questioned.keys()) orders.questioned.add(id);
  return orders;
}

function differences({ open, questioned }: OwnOrders, durable: Durable, clock: Clock): OwnNote[] {
  const notes: OwnNote[] = [];
  for (const intent of durable.intents.values()) {
    const { intentId, orderId: id } = intent;
    const known = open.get(intentId);
    if (known === undefined) notes.push({ kind: 'sent', intentId, create: createOf(intent) });
    if (id !== null && known?.orderId !== id) notes.push({ kind: 'named', intentId, orderId: id });
  }
  for (const [name, { create, orderId: id }] of open) {
    const isKnown = create !== null || (id !== null && durable.orders.has(id));
    if (isKnown && !durable.intents.has(intentIdOf(name)))
      notes.push({ kind: 'closed', intentId: name, at: clock.now() });
  }
  for (const id of durable.questioned.keys()) if (!questioned.has(id)) notes.push({ kind: 'questioned', orderId: id });
  for (const id of questioned) if (!durable.questioned.has(id)) notes.push({ kind: 'answered', orderId: id });
  return notes;
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

function notesOfRecord({ type, payload }: JournalRecord): OwnNote[] {
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
