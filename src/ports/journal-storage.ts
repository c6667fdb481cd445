// Where the journal keeps its records. SQLite in production, two faked images in the simulator.

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

export interface JournalStorage {
  /** Durable when it returns. Throws when it can't be: the process must then end before another create. */
  append(records: readonly JournalRecord[]): void;
  /** All records in order of `seq`. */
  read(): Iterable<JournalRecord>;
  close(): void;
}
