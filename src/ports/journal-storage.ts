// Storage of the journal's records. SQLite in production, two faked images in the simulator.

/** One record as stored; `payload` is JSON text, `hash` chains to the record before. */
export interface JournalRecord {
  readonly seq: number;
  readonly epoch: number;
  /** Wall time in ms. */
  readonly wall: number;
  /** Monotonic time in ms. */
  readonly mono: number;
  readonly type: string;
  readonly payload: string;
  readonly prevHash: string;
  readonly hash: string;
}

/**
 * The folded state as text, stored in addition to the records. The record `seq` announces it and holds the hash of the
 * text.
 */
export interface StoredSnapshot {
  /** The announcing record's number: the state is that of all records before it. */
  readonly seq: number;
  /** Version of the events' meaning that the state was folded with. */
  readonly schema: number;
  readonly text: string;
}

/** Storage of one snapshot, which lets the journal stay small. Every method throws disk errors, as `append` does. */
export interface SnapshotStorage {
  /** The last one written; null before the first. */
  latest(): StoredSnapshot | null;
  /** Replaces the previous one atomically. Durable when it returns. */
  write(snapshot: StoredSnapshot): void;
  /**
   * One small step toward taking the records up to `through` out of the journal, into an archive where there is one.
   * Records after the last snapshot are never taken. Returns true when no step is left; a step interrupted by a crash
   * is repeated.
   */
  retire(through: number): boolean;
}

export interface JournalStorage {
  /** Number of this opening, where the storage counts them; no other opening can write under it. */
  epoch?(): number;
  /** Durable when it returns. Throws if it can't be: the process must then end before another create. */
  append(records: readonly JournalRecord[]): void;
  /** All records in order of `seq`. A reader that has not reached the end also gets records appended meanwhile. */
  read(): Iterable<JournalRecord>;
  /** Throws when the storage is no longer the opened one: deleted, replaced, opened to others (F95). Cheap. */
  assertInPlace?(): void;
  /** Without it a start folds everything, and nothing is ever retired. */
  readonly snapshots?: SnapshotStorage;
  close(): void;
}
