// Opening the journal: check the chain, fold it into a state, and write on from its end. Starting is recovering.
import { fail, ok, type Result } from '../domain/result.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import { follow, GENESIS, type Head, headAt, nextRecord } from './chain.ts';
import { eventOf, type JournalEvent, type Json } from './event.ts';
import { FORMAT_VERSION } from './hash.ts';
import { JournalError } from './journal-error.ts';

/** The type of the first record of each opening; its payload states the versions of what follows (F102). */
export const OPENED = 'journal-opened';

/** How far the last record may be later than now before the clock must be wrong (F103). */
export const LONGEST_AHEAD: DurationMs = MINUTE;

export interface JournalOptions<S> {
  readonly clock: Clock;
  /** Version of the meaning of the program's events. A journal that states a higher one is refused. */
  readonly schema: number;
  readonly initial: S;
  /** Sees every record once, in order, those of type `journal-opened` too. */
  readonly reduce: (state: S, record: JournalRecord) => S;
  readonly longestAheadMs?: DurationMs;
}

export interface Journal {
  /** Number of this opening; greater than that of each before. */
  readonly epoch: number;
  head(): Head;
  /**
   * Writes the events as the next records, all or none; durable when it returns. Throws a `JournalError` when it can't be
   * made durable: the process must then end before another create, and every later append refuses.
   */
  append(events: readonly JournalEvent[]): readonly JournalRecord[];
  close(): void;
}

export interface Opened<S> {
  readonly journal: Journal;
  /** The fold of all records found, before the record of this opening. */
  readonly state: S;
}

/**
 * Checks the chain from the first record to the last, folds it, and appends the record of this opening. Refuses with a
 * `JournalError` value when the chain is damaged, a newer program wrote it, or its last record is later than now. What the
 * storage throws while it is read passes through. The storage stays open when refused: it is the caller's.
 */
export function openJournal<S>(storage: JournalStorage, options: JournalOptions<S>): Result<Opened<S>, JournalError> {
  const read = readJournal(storage.read(), options);
  if (!read.ok) return read;
  const { state, head } = read.value;
  const journal = writer(storage, options.clock, { ...head, epoch: head.epoch + 1 });
  journal.append([{ type: OPENED, payload: { format: FORMAT_VERSION, schema: options.schema } }]);
  return ok({ journal, state });
}

/** The same checks and fold without writing: for reports on a journal that nobody writes. */
export function readJournal<S>(
  records: Iterable<JournalRecord>,
  options: JournalOptions<S>,
): Result<{ readonly state: S; readonly head: Head }, JournalError> {
  let state = options.initial;
  let head = GENESIS;
  let wall = Number.NEGATIVE_INFINITY;
  for (const record of records) {
    const next = follow(head, record);
    if (!next.ok) return fail(new JournalError('damaged', `The journal is damaged. ${next.error.message}`));
    const refusal = versionRefusal(record, options.schema);
    if (refusal) return fail(refusal);
    state = options.reduce(state, record);
    head = next.value;
    wall = record.wall;
  }
  const refusal = aheadRefusal(wall, options);
  return refusal ? fail(refusal) : ok({ state, head });
}

function versionRefusal(record: JournalRecord, schema: number): JournalError | null {
  const opened = record.type === OPENED;
  if (record.seq === 1 && !opened) {
    return new JournalError('damaged', `The journal's first record is '${record.type}' and states no version.`);
  }
  const stated = opened ? versionsOf(record) : null;
  if (!stated || (stated.format <= FORMAT_VERSION && stated.schema <= schema)) return null;
  const theirs = `format ${stated.format}, schema ${stated.schema}`;
  const ours = `format ${FORMAT_VERSION}, schema ${schema}`;
  return new JournalError(
    'newer',
    `A newer program wrote this journal (${theirs}; this one knows ${ours}). Start that one.`,
  );
}

/** What can't be read as versions counts as newer than everything: we don't know it. */
function versionsOf(record: JournalRecord): { format: number; schema: number } {
  const payload = eventOf(record).payload as { readonly format?: Json; readonly schema?: Json } | null;
  const version = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.POSITIVE_INFINITY);
  return { format: version(payload?.format), schema: version(payload?.schema) };
}

function aheadRefusal<S>(lastWall: number, options: JournalOptions<S>): JournalError | null {
  const now = options.clock.now();
  if (lastWall - now <= (options.longestAheadMs ?? LONGEST_AHEAD)) return null;
  const [last, present] = [lastWall, now].map((at) => new Date(at).toISOString());
  return new JournalError(
    'ahead',
    `The journal's last record is of ${last} and it is ${present}: set the clock, then start.`,
  );
}

function writer(storage: JournalStorage, clock: Clock, start: Head): Journal {
  const { epoch } = start;
  let head = start;
  let broken: JournalError | null = null;
  const append = (events: readonly JournalEvent[]): readonly JournalRecord[] => {
    if (broken) {
      // style-allow throw-in-pure-code: whoever goes on after a failed append must be stopped (P3)
      throw new JournalError(broken.kind, `The journal is closed to writing since it failed: ${broken.message}`);
    }
    const records = chained(head, { epoch, wall: clock.now(), mono: clock.monotonic() }, events);
    const last = records.at(-1);
    if (!last) return records;
    try {
      storage.append(records);
    } catch (error) {
      broken =
        error instanceof JournalError ? error : new JournalError('failed', `The journal can't be written. ${error}`);
      // style-allow throw-in-pure-code: a record that is not durable must stop whoever goes on as if it were (P3)
      throw broken;
    }
    head = headAt(last);
    return records;
  };
  return { epoch, head: () => head, append, close: () => storage.close() };
}

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
