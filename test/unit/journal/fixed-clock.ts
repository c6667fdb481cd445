// A clock that stands still, and storages in memory, for the tests of the journal.
import type { Clock } from '../../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';

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
