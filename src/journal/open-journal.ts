// Opens the journal: checks the chain, folds it into a state, and continues from its end. Starting is recovering.
import { fail, ok, type Result } from '../domain/result.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import { timeText } from '../domain/time-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage, SnapshotStorage } from '../ports/journal-storage.ts';
import { FORMAT_VERSION, type Head, JournalError, type JournalEvent } from './chain.ts';
import { createWriter, startUpkeep, type UpkeepPace } from './upkeep.ts';
import { OPENED, startWalk, type Walked, type WalkOptions } from './walk.ts';

/** How far the last record may be later than now before the clock must be wrong (F103). */
export const LONGEST_AHEAD: DurationMs = MINUTE;

export interface JournalOptions<S> extends WalkOptions<S> {
  readonly clock: Clock;
  /**
   * How often the chain is checked again and the state compared and stored. Needs `stateText`, and a state that its
   * owner changes in place: the state returned by `openJournal` must always be the fold of all appended records.
   */
  readonly upkeep?: UpkeepPace;
}

export interface Journal {
  /** Number of this opening; higher than each before. */
  readonly epoch: number;
  head(): Head;
  /**
   * Writes the events as the next records, all or none; durable when it returns. Throws a `JournalError` if they can't
   * be made durable: the process must then end before another create, and every later append refuses.
   */
  append(events: readonly JournalEvent[]): readonly JournalRecord[];
  /** Throws a `JournalError` of kind `moved` when the storage was moved or replaced since it was opened (F95). */
  assertInPlace(): void;
  /**
   * One small step of the upkeep, if one is due. Call it when the state is the fold of all appended records and nothing
   * is urgent. Throws a `JournalError` where the stored chain is damaged, an `InvariantViolation` where its fold is not
   * the state.
   */
  tend(): void;
  close(): void;
}

export interface Opened<S> {
  readonly journal: Journal;
  /** The fold of all records found, before the record of this opening. */
  readonly state: S;
}

/**
 * Checks the chain from the first record to the last, folds it from the last snapshot on, and appends the record of
 * this opening. Refuses with a `JournalError` value when the chain is damaged, a newer program wrote it, or its last
 * record is later than now. Exceptions of the storage while reading pass through. The caller owns the storage, which
 * stays open when refused.
 */
export function openJournal<S>(storage: JournalStorage, options: JournalOptions<S>): Result<Opened<S>, JournalError> {
  const read = readJournal(storage, options);
  if (!read.ok) return read;
  const { state, head } = read.value;
  const epoch = storage.epoch?.() ?? head.epoch + 1;
  const writer = createWriter(storage, options.clock, { ...head, epoch });
  writer.append([{ type: OPENED, payload: { format: FORMAT_VERSION, schema: options.schema } }]);
  const { upkeep: pace, clock } = options;
  const upkeep = pace && startUpkeep({ storage, writer, options, pace, clock, live: state }, read.value);
  const journal: Journal = {
    epoch,
    head: writer.head,
    append: writer.append,
    assertInPlace: () => storage.assertInPlace?.(),
    tend: () => writer.guarded(() => upkeep?.()),
    close: () => storage.close(),
  };
  return ok({ journal, state });
}

/** What a reader needs of a storage. */
export type ReadStorage = Pick<JournalStorage, 'read'> & { readonly snapshots?: Pick<SnapshotStorage, 'latest'> };

/** The same checks and fold without writing: for reports on a journal that no process is writing. */
export function readJournal<S>(storage: ReadStorage, options: JournalOptions<S>): Result<Walked<S>, JournalError> {
  const walk = startWalk(options, storage.snapshots?.latest() ?? null);
  for (const record of storage.read()) {
    const refusal = walk.take(record);
    if (refusal) return fail(refusal);
  }
  const walked = walk.end();
  if (!walked.ok) return walked;
  const refusal = aheadRefusal(walked.value.lastWall, options);
  return refusal ? fail(refusal) : walked;
}

function aheadRefusal<S>(lastWall: number | null, options: JournalOptions<S>): JournalError | null {
  const now = options.clock.now();
  if (lastWall === null || lastWall - now <= LONGEST_AHEAD) return null;
  const [last, present] = [lastWall, now].map(timeText);
  return new JournalError(
    'ahead',
    `The journal's last record is of ${last} and it is ${present}: set the clock, then start.`,
  );
}
