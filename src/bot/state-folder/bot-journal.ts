// What the bot's journal offers beside the port, whatever stores it.
import type { DurationMs } from '../../domain/time.ts';
import type { JournalRecord, JournalStorage, SnapshotStorage, StoredSnapshot } from '../../ports/journal-storage.ts';
import type { FleetAccount } from './fleet-account.ts';

export interface BotJournal extends JournalStorage {
  /** For people, where it is no file of the state folder. */
  readonly place?: string;
  /** As in the port; with `after`, only later records. */
  read(after?: number): Iterable<JournalRecord>;
  /**
   * Records of the books that have left the journal, in order: kept forever. The very first record, of whatever type,
   * shows where they begin.
   */
  books(): Iterable<JournalRecord>;
  /** Records of trades and their corrections before a number, newest first: also those that have left the journal. */
  trades(before: number, limit: number): readonly JournalRecord[];
  /**
   * Throws a `JournalError` of kind `moved` if the file was deleted, replaced or made accessible to others (F95), or
   * another instance took the journal over. Cheap enough for once a cycle.
   */
  assertInPlace(): void;
  readonly snapshots: SnapshotStorage;
  /** The account's kill latch as of the last renewal, where other hosts share the account; null if it is not set. */
  latched?(): string | null;
  /** Sets it, so that no other host quotes. Throws a `JournalError`. */
  latch?(reason: string): void;
  /** How long no other host can take the account; negative once one may have it. */
  leaseLeftMs?(): DurationMs;
  /** No order is open: another host need not wait for the lease to end once this is closed. */
  endedFlat?(): void;
  /** What the fleet shares in the database. */
  readonly fleet?: FleetAccount;
  /** Fills an empty journal with another's content: all of it or nothing. */
  load(content: JournalContent): void;
  /** Where no file can be renamed: keeps all records under another name; the journal is empty afterward. */
  putAside?(name: string): void;
}

export interface JournalContent {
  /** As `books()` returns them. */
  readonly books: Iterable<JournalRecord>;
  /** At least one. */
  readonly records: Iterable<JournalRecord>;
  readonly snapshot: StoredSnapshot | null;
}

/** The last of some records; null if there is none. */
export function lastOf(records: Iterable<JournalRecord>): JournalRecord | null {
  let last: JournalRecord | null = null;
  for (const record of records) last = record;
  return last;
}
