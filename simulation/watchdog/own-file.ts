// The file of own orders in memory: the bot's notes, and those that survive a power cut.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalStorage } from '../../src/ports/journal-storage.ts';
import type { Durable } from '../../src/trader/durable/durable.ts';
import {
  differences,
  forgetOld,
  type KnownOrders,
  noOrders,
  notesOf,
  notesOfRecord,
  type OwnNote,
  type OwnOrders,
  ordersAtStart,
  take,
  withoutOrders,
} from '../../src/watchdog/own-orders.ts';

export interface OwnFile {
  /** The same storage; its records are noted once they are durable. A create's note is durable, too. */
  over(storage: JournalStorage): JournalStorage;
  /** Before the first create of a process. */
  begin(durable: Durable): void;
  agree(known: KnownOrders): void;
  /** As read by another process. */
  read(): { readonly orders: OwnOrders; readonly writtenAt: EpochMs };
  /** Every order known to be the bot's is proved gone. */
  forget(): void;
  /** Unsynced notes are lost. */
  powerCut(): void;
}

/** As many as fit into the file; then it is rewritten. */
const MOST_NOTES = 2_000;

export function createOwnFile(clock: Clock): OwnFile {
  let notes: OwnNote[] = [];
  let synced = 0;
  let writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  /** The writing process's orders. */
  let orders = noOrders(null);

  function folded(): OwnOrders {
    const found = noOrders(null);
    for (const each of notes) take(found, each);
    return found;
  }

  function rewrite(): void {
    notes = notesOf(orders, clock.now());
    synced = notes.length;
    writtenAt = clock.now();
  }

  function note(more: readonly OwnNote[], durable: boolean): void {
    if (more.length === 0) return;
    for (const each of more) take(orders, each);
    notes.push(...more);
    writtenAt = clock.now();
    if (durable) synced = notes.length;
    if (notes.length < MOST_NOTES) return;
    forgetOld(orders, clock.now());
    rewrite();
  }

  return {
    over: (storage) => ({
      ...storage,
      append: (records) => {
        storage.append(records);
        const more = records.flatMap(notesOfRecord);
        note(
          more,
          more.some(({ kind }) => kind === 'sent'),
        );
      },
    }),
    begin(durable) {
      orders = ordersAtStart(folded(), durable, null);
      rewrite();
    },
    agree: (known) => note(differences(orders, known, clock), false),
    read: () => ({ orders: folded(), writtenAt }),
    forget() {
      orders = withoutOrders(folded());
      rewrite();
    },
    powerCut() {
      notes.length = synced;
    },
  };
}
