// The trader's events as journal records, and back: the one place where the journal's JSON meets the trader's types.
import { ok, type Result } from '../domain/result.ts';
import { HOUR } from '../domain/time.ts';
import { canonicalText, fromCanonicalText } from '../journal/canonical.ts';
import { eventOf, type JournalError, type JournalEvent, type Json } from '../journal/chain.ts';
import {
  type Journal,
  type JournalOptions,
  type Opened,
  openJournal,
  type ReadStorage,
  readJournal,
} from '../journal/open-journal.ts';
import type { UpkeepPace } from '../journal/upkeep.ts';
import { OPENED, SNAPSHOT, type StateText } from '../journal/walk.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import { type Durable, emptyDurable } from '../trader/durable/durable.ts';
import type { TraderEvent } from '../trader/durable/events.ts';
import { applyEvent } from '../trader/durable/fold/apply-event.ts';

/**
 * Rises when an event gains a meaning or a type, or when the layout of `Durable` changes: a program with another schema
 * would misread events or snapshot, so it refuses the journal. A new halt code does not count.
 */
export const EVENT_SCHEMA = 2;

/** A start folds at most an hour of records, and the file holds as much as some days need. */
const UPKEEP: UpkeepPace = {
  everyMs: HOUR,
  everyRecords: 20_000,
  keepRecords: 50_000,
  stepRecords: 200,
};

const STATE_TEXT: StateText<Durable> = {
  encode: canonicalText,
  // The record's schema proves that this program's own `Durable` was written.
  decode: (text) => fromCanonicalText(text) as Durable,
};

function journalOptions(clock: Clock, upkeep: UpkeepPace): JournalOptions<Durable> {
  return { clock, schema: EVENT_SCHEMA, initial: emptyDurable, reduce: fold, stateText: STATE_TEXT, upkeep };
}

const OWN_TYPES: ReadonlySet<string> = new Set([OPENED, SNAPSHOT]);

function fold(durable: Durable, record: JournalRecord): Durable {
  // The hash chain proves that this program wrote the record, and the schema proves its meaning.
  if (!OWN_TYPES.has(record.type)) applyEvent(durable, eventOf(record) as unknown as TraderEvent);
  return durable;
}

/** Checks the journal, folds it into the trader's durable state, and opens it for writing. */
export function openTraderJournal(
  storage: JournalStorage,
  clock: Clock,
  upkeep: UpkeepPace = UPKEEP,
): Result<Opened<Durable>, JournalError> {
  return openJournal(storage, journalOptions(clock, upkeep));
}

/** Checks and folds a journal without writing to it. */
export function readTraderJournal(storage: ReadStorage, clock: Clock): Result<Durable, JournalError> {
  const read = readJournal(storage, journalOptions(clock, UPKEEP));
  return read.ok ? ok(read.value.state) : read;
}

/**
 * Durable when it returns; throws a `JournalError` if it can't be. Called after every turn of the trader: if nothing is
 * about to leave, it also takes a step of the journal's upkeep. No intent is written to a journal that is no longer in
 * its place (F95).
 */
export function writeEvents(journal: Journal, events: readonly TraderEvent[]): void {
  const leaves = (type: TraderEvent['type']): boolean => events.some((event) => event.type === type);
  if (leaves('intent')) journal.assertInPlace();
  if (events.length > 0)
    journal.append(events.map(({ type, payload }): JournalEvent => ({ type, payload: payload as unknown as Json })));
  if (!leaves('intent') && !leaves('cancel-sent')) journal.tend();
}
