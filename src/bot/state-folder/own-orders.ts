// Keeps the file of own orders true: from what the journal is told, before a create leaves, and from what the trader
// knows, after each cycle.
import { invariant } from '../../domain/invariant.ts';
import { JournalError } from '../../journal/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../ports/journal-storage.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import {
  differences,
  type KnownOrders,
  notesOfRecord,
  type OwnNote,
  ordersAtStart,
} from '../../watchdog/own-orders.ts';
import { systemCode } from '../base/system-error.ts';
import { type OwnOrdersFile, readOwnOrders, writeOwnOrders } from './own-orders-file.ts';

export interface OwnOrdersKeeper {
  /** The same storage; what it is given is noted in the file once it is durable. A create's note is durable, too. */
  over(storage: JournalStorage): JournalStorage;
  /** Before the first create: the file as the recovered state wants it. */
  begin(durable: Durable): void;
  /** Notes what the state knows and the file does not. */
  agree(known: KnownOrders): void;
  close(): void;
}

/**
 * What can't be written ends the bot as a journal that can't be written does, before the create leaves: `over` throws a
 * `JournalError`. The other functions throw what the file system throws.
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
    agree: (known) => {
      if (written === null) return;
      const notes = differences(written.orders, known, clock);
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
