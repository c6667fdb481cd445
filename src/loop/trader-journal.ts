// The trader's events as journal records, and back: the one place where the journal's JSON meets the trader's types.

import { ok, type Result } from '../domain/result.ts';
import type { Json } from '../journal/event.ts';
import { eventOf, type JournalEvent } from '../journal/event.ts';
import type { JournalError } from '../journal/journal-error.ts';
import {
  type Journal,
  type JournalOptions,
  OPENED,
  type Opened,
  openJournal,
  readJournal,
} from '../journal/open-journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import { applyEvent } from '../trader/apply-event.ts';
import { type Durable, emptyDurable } from '../trader/durable.ts';
import type { TraderEvent } from '../trader/events.ts';

/** Rises when the meaning of an event changes; a journal of a higher one is refused. */
export const EVENT_SCHEMA = 1;

function journalOptions(clock: Clock): JournalOptions<Durable> {
  return { clock, schema: EVENT_SCHEMA, initial: emptyDurable(), reduce: fold };
}

function fold(durable: Durable, record: JournalRecord): Durable {
  // The hash chain proves that this program wrote the record, and the schema that it means what it says.
  if (record.type !== OPENED) applyEvent(durable, eventOf(record) as unknown as TraderEvent);
  return durable;
}

/** Checks the journal, folds it into the trader's durable state, and opens it for writing. */
export function openTraderJournal(storage: JournalStorage, clock: Clock): Result<Opened<Durable>, JournalError> {
  return openJournal(storage, journalOptions(clock));
}

/** Checks and folds a journal without writing to it. */
export function readTraderJournal(storage: JournalStorage, clock: Clock): Result<Durable, JournalError> {
  const read = readJournal(storage.read(), journalOptions(clock));
  return read.ok ? ok(read.value.state) : read;
}

/** Durable when it returns; throws a `JournalError` when it can't be. */
export function writeEvents(journal: Journal, events: readonly TraderEvent[]): void {
  if (events.length > 0)
    journal.append(events.map(({ type, payload }): JournalEvent => ({ type, payload: payload as unknown as Json })));
}
