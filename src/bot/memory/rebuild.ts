// What the journal knows of the time before the memory's file began: put into it beside the work, in small steps.
import type { Calendar } from '../../books/local-time.ts';
import { createCollector } from '../../memory/collector.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { SqliteJournal } from '../state-folder/sqlite-journal.ts';
import { rememberRecords } from './journal-rows.ts';
import type { MemoryThread } from './memory-thread.ts';

/** Read at once, which holds the program up for some milliseconds. */
const STEP_RECORDS = 500;
const REST_MS = 20;

export interface Rebuilding {
  readonly journal: Pick<SqliteJournal, 'read' | 'books'>;
  readonly thread: Pick<MemoryThread, 'do'>;
  readonly calendar: Calendar;
  readonly now: () => number;
  readonly isOver: () => boolean;
}

/** Whether it came to its end; else it is to be tried again: what is there already is not doubled. */
export async function rebuild(from: Rebuilding): Promise<boolean> {
  const { journal, thread, now, isOver } = from;
  // What leaves the journal meanwhile has come to the books by the second look at them.
  for (const part of [() => journal.books(), () => journal.read(), () => journal.books()])
    for (const records of inSteps(part())) {
      if (isOver()) return false;
      const collector = createCollector(from.calendar);
      rememberRecords(records, collector);
      const batch = collector.take(now());
      if (batch.fills.length + batch.notices.length > 0) {
        const { kind } = await thread.do({ kind: 'write', batch });
        if (kind !== 'written') return false;
      }
      await rest();
    }
  return (await thread.do({ kind: 'rebuilt', at: now() })).kind === 'written';
}

function* inSteps(records: Iterable<JournalRecord>): Generator<readonly JournalRecord[]> {
  let step: JournalRecord[] = [];
  for (const record of records) {
    step.push(record);
    if (step.length < STEP_RECORDS) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

/** Does not keep the process alive. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
