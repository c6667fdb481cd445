// What appends to the chain, and after its first failure never again.
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import { type Head, headAt, nextRecord } from './chain.ts';
import type { JournalEvent } from './event.ts';
import { JournalError } from './journal-error.ts';

/** What appends. After its first failure it does nothing but refuse. */
export interface Writer {
  head(): Head;
  append(events: readonly JournalEvent[]): readonly JournalRecord[];
  /** Runs what writes beside the chain; a `JournalError` from it closes the writer too. */
  guarded(step: () => void): void;
}

/** Writes on after `start`, under its epoch. */
export function createWriter(storage: JournalStorage, clock: Clock, start: Head): Writer {
  const { epoch } = start;
  let head = start;
  let broken: JournalError | null = null;

  function guarded(step: () => void): void {
    if (broken) {
      // style-allow throw-in-pure-code: whoever goes on after a failed append must be stopped (P3)
      throw new JournalError(broken.kind, `The journal is closed to writing since it failed: ${broken.message}`);
    }
    try {
      step();
    } catch (error) {
      broken =
        error instanceof JournalError ? error : new JournalError('failed', `The journal can't be written. ${error}`);
      // A bug found on the way is not the disk's fault, and keeps its name.
      // style-allow throw-in-pure-code: a record that is not durable must stop whoever goes on as if it were (P3)
      throw isViolation(error) ? error : broken;
    }
  }

  function append(events: readonly JournalEvent[]): readonly JournalRecord[] {
    const records = chained(head, { epoch, wall: clock.now(), mono: clock.monotonic() }, events);
    guarded(() => {
      if (records.length > 0) storage.append(records);
    });
    const last = records.at(-1);
    if (last) head = headAt(last);
    return records;
  }
  return { head: () => head, append, guarded };
}

/** By name: an error of another realm is no instance of ours. */
const isViolation = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === 'InvariantViolation';

function chained(
  head: Head,
  stamp: { epoch: number; wall: number; mono: number },
  events: readonly JournalEvent[],
): JournalRecord[] {
  const records: JournalRecord[] = [];
  for (const event of events) {
    const record = nextRecord(head, stamp, event);
    records.push(record);
    head = headAt(record);
  }
  return records;
}
