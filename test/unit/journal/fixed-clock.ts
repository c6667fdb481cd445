// A clock that stands still, and storages in memory, for the tests of the journal.
import type { Clock } from '../../../src/ports/clock.ts';
import type {
  JournalRecord,
  JournalStorage,
  SnapshotStorage,
  StoredSnapshot,
} from '../../../src/ports/journal-storage.ts';

export const NOW = 1_700_000_000_000;

export const clockAt = (now: number): Clock => ({ now: () => now, monotonic: () => now - NOW + 0.75 });

export interface MemoryStorage extends JournalStorage {
  readonly records: JournalRecord[];
  /** What the next append throws. */
  failure: unknown;
}

export function memoryStorage(records: readonly JournalRecord[] = []): MemoryStorage {
  const storage: MemoryStorage = {
    records: [...records],
    failure: null,
    append: (more) => {
      if (storage.failure) throw storage.failure;
      storage.records.push(...more);
    },
    read: () => storage.records,
    close: () => undefined,
  };
  return storage;
}

export interface KeepingStorage extends MemoryStorage {
  readonly snapshots: SnapshotStorage;
  kept: StoredSnapshot | null;
  /** How often `retire` was called. */
  retirements: number;
}

/** One that keeps snapshots too, and retires ten records at a time. */
export function keepingStorage(
  records: readonly JournalRecord[] = [],
  kept: StoredSnapshot | null = null,
): KeepingStorage {
  const storage: KeepingStorage = {
    ...memoryStorage(records),
    append: (more) => {
      if (storage.failure) throw storage.failure;
      storage.records.push(...more);
    },
    read: () => storage.records,
    kept,
    retirements: 0,
    snapshots: {
      latest: () => storage.kept,
      write: (snapshot) => {
        if (storage.failure) throw storage.failure;
        storage.kept = snapshot;
      },
      retire: (through) => {
        storage.retirements += 1;
        const count = storage.records.filter(({ seq }) => seq <= through).length;
        storage.records.splice(0, Math.min(10, count));
        return count <= 10;
      },
    },
  };
  return storage;
}
