// The journal on the faked disk: the port that SQLite implements in production, over bytes that can be lost, torn and
// flipped.
import { GENESIS, type Head, JournalError } from '../../src/journal/chain.ts';
import type { JournalRecord, JournalStorage, StoredSnapshot } from '../../src/ports/journal-storage.ts';
import { DiskError, type FakedDisk } from './storage-disk.ts';
import { frameOf, recoverLog } from './storage-frames.ts';

export const LOG_FILE = 'journal';
export const SNAPSHOT_FILE = 'snapshot';

/** Records per step of `retire`. */
const STEP = 500;

/**
 * Opens the journal, and removes an incomplete append after the last record. Throws a `JournalError`: `damaged` with
 * the number of the record, `full` or `failed` on a disk error.
 */
export function openLogStorage(disk: FakedDisk): JournalStorage {
  const { records, length } = recovered(disk);
  let end = length;

  function append(more: readonly JournalRecord[]): void {
    if (more.length === 0) return;
    const frame = frameOf(more);
    disk.write(LOG_FILE, end, frame);
    disk.sync(LOG_FILE);
    end += frame.length;
    records.push(...more);
  }

  /** Replaces the log by one without its oldest records: a rename keeps one of them whole. */
  function retire(through: number): boolean {
    const going = records.filter(({ seq }) => seq <= through).slice(0, STEP).length;
    if (going === 0) return true;
    const rest = frameOf(records.slice(going));
    disk.replace(LOG_FILE, rest);
    records.splice(0, going);
    end = rest.length;
    return false;
  }

  return {
    append: (more) => said(() => append(more)),
    read: () => records,
    snapshots: {
      latest: () => snapshotIn(disk.read(SNAPSHOT_FILE)),
      write: (snapshot) => said(() => disk.replace(SNAPSHOT_FILE, Buffer.from(JSON.stringify(snapshot)))),
      retire: (through) => said(() => retire(through)),
    },
    close: () => {},
  };
}

function recovered(disk: FakedDisk): { records: JournalRecord[]; length: number } {
  const log = recoverLog(disk.read(LOG_FILE), beforeFirst);
  // A journal that begins after record 1 can only be judged with the snapshot.
  if (!log.ok) throw new JournalError('damaged', `The journal is damaged. ${log.error.message}`);
  const { records, length } = log.value;
  // Data that was read may never have been synced: after a failed sync, the last append is in memory alone, and counts
  // as clean. So a start writes everything once more before it builds on it, as SQLite's checkpoint does in production.
  if (length > 0) said(() => disk.replace(LOG_FILE, disk.read(LOG_FILE).slice(0, length)));
  return { records: [...records], length };
}

const beforeFirst = (first: JournalRecord): Head =>
  first.seq === 1 ? GENESIS : { seq: first.seq - 1, epoch: first.epoch, hash: first.prevHash };

/** Unreadable data counts as a snapshot that no record announces. */
function snapshotIn(bytes: Uint8Array): StoredSnapshot | null {
  if (bytes.length === 0) return null;
  const unreadable = { seq: 0, schema: 0, text: '' };
  try {
    const row = JSON.parse(Buffer.from(bytes).toString()) as Partial<StoredSnapshot> | null;
    const { seq, schema, text } = row ?? unreadable;
    return typeof seq === 'number' && typeof schema === 'number' && typeof text === 'string'
      ? { seq, schema, text }
      : unreadable;
  } catch {
    return unreadable;
  }
}

/** The disk's errors as journal errors; a power loss stays as it is, since no process is left to handle it. */
function said<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DiskError) || error.code === 'power') throw error;
    const full = error.code === 'ENOSPC';
    throw new JournalError(full ? 'full' : 'failed', `The journal can't be written. ${error.message}`);
  }
}
