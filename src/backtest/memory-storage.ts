// A journal in memory, for runs that end with the process.
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';

export function memoryStorage(records: JournalRecord[] = []): JournalStorage & { readonly records: JournalRecord[] } {
  return {
    records,
    append: (more) => {
      records.push(...more);
    },
    read: () => records,
    close: () => {},
  };
}
