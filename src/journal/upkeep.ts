// Keeps a journal verified and small while it is written: checks the chain again, compares its fold with the live
// state, stores the state as a snapshot, and retires the records before the snapshot. In steps short enough to delay
// nothing.
import { assertNever, invariant } from '../domain/invariant.ts';
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage, SnapshotStorage } from '../ports/journal-storage.ts';
import { type Head, headAt, JournalError, type JournalEvent, nextRecord, sha256Hex } from './chain.ts';
import { announcement, type StateText, startWalk, type Walk, type Walked, type WalkOptions } from './walk.ts';

export interface UpkeepPace {
  /** A round begins this long after the last one, or when this many records have come since the last snapshot. */
  readonly everyMs: DurationMs;
  readonly everyRecords: number;
  /** Records kept in the journal even if a snapshot covers them; older ones are retired. */
  readonly keepRecords: number;
  /** Records checked in one step. */
  readonly stepRecords: number;
}

interface UpkeepParts<S> {
  readonly storage: JournalStorage;
  readonly writer: Writer;
  readonly options: WalkOptions<S>;
  readonly pace: UpkeepPace;
  readonly clock: Clock;
  /** The state handed out; its owner changes it in place. */
  readonly live: S;
}

/** The next step. `resting` ends when a round is due. */
type Stage<S> =
  | { readonly kind: 'resting' }
  | { readonly kind: 'walking'; readonly walk: Walk<S>; readonly records: Iterator<JournalRecord> }
  /**
   * `text` is the live state's at the end of the walk, `seq` the announcing record's number; null if nothing can be
   * stored.
   */
  | { readonly kind: 'comparing'; readonly walked: Walked<S>; readonly text: string; readonly seq: number | null }
  | { readonly kind: 'retiring'; readonly through: number; readonly snapshots: SnapshotStorage };

const RESTING = { kind: 'resting' } as const;

/**
 * A round: walk the stored chain to its end (P4), serialize the live state there and announce its hash, fold the walked
 * records to the same text (R4), store the text, retire the records before it (P5). A text that was not verified is
 * never stored. Returns one step, if one is due.
 */
export function startUpkeep<S>(parts: UpkeepParts<S>, opened: Walked<S>): () => void {
  const { storage, writer, options, pace, clock, live } = parts;
  const { snapshots } = storage;
  // First finish a retirement that a crash interrupted.
  let stage: Stage<S> = retireBehind(opened.snapshotSeq, opened.firstSeq, parts);
  let roundAt = clock.monotonic();
  let roundSeq = opened.snapshotSeq;

  function rest(): Stage<S> {
    const late = clock.monotonic() - roundAt >= pace.everyMs;
    if (!late && writer.head().seq - roundSeq < pace.everyRecords) return RESTING;
    roundAt = clock.monotonic();
    roundSeq = writer.head().seq;
    const walk = startWalk(options, snapshots?.latest() ?? null);
    return { kind: 'walking', walk, records: storage.read()[Symbol.iterator]() };
  }

  function walkOn({ walk, records }: Extract<Stage<S>, { kind: 'walking' }>): Stage<S> {
    for (let count = 0; count < pace.stepRecords; count += 1) {
      const next = records.next();
      if (next.done === true) return arrive(walk);
      const refusal = walk.take(next.value);
      // style-allow throw-in-pure-code: a journal that is damaged under a running program must stop it (P4)
      if (refusal) throw refusal;
    }
    return stage;
  }

  /** Nothing may be appended between the last record read and the text of the living state. */
  function arrive(walk: Walk<S>): Stage<S> {
    const end = walk.end();
    // style-allow throw-in-pure-code: a journal that is damaged under a running program must stop it (P4)
    if (!end.ok) throw end.error;
    const { head } = end.value;
    const mine = writer.head();
    // style-allow throw-in-pure-code: records that were acknowledged and are not there must stop it (P1)
    if (head.seq !== mine.seq || head.hash !== mine.hash) throw shorter(head.seq, mine.seq);
    const text = options.stateText?.encode(live);
    if (text === undefined) return RESTING;
    const [announced] = snapshots ? writer.append([announcement(text, options.schema)]) : [];
    return { kind: 'comparing', walked: end.value, text, seq: announced?.seq ?? null };
  }

  function compare({ walked, text, seq }: Extract<Stage<S>, { kind: 'comparing' }>): Stage<S> {
    if (options.stateText) assertSame(options.stateText, walked, text);
    if (!snapshots || seq === null) return RESTING;
    snapshots.write({ seq, schema: options.schema, text });
    return retireBehind(seq, walked.firstSeq, parts);
  }

  function step(): Stage<S> {
    switch (stage.kind) {
      case 'resting':
        return rest();
      case 'walking':
        return walkOn(stage);
      case 'comparing':
        return compare(stage);
      case 'retiring':
        return stage.snapshots.retire(stage.through) ? RESTING : stage;
      default:
        return assertNever(stage);
    }
  }
  return () => {
    stage = step();
  };
}

function retireBehind<S>(snapshotSeq: number, firstSeq: number, { storage, pace }: UpkeepParts<S>): Stage<S> {
  const { snapshots } = storage;
  const through = snapshotSeq - 1;
  return snapshots && through - firstSeq >= pace.keepRecords ? { kind: 'retiring', through, snapshots } : RESTING;
}

const shorter = (found: number, written: number): JournalError =>
  new JournalError(
    'damaged',
    `The journal is damaged. It ends with record ${found}, and record ${written} was written.`,
  );

function assertSame<S>(stateText: StateText<S>, { state, head }: Walked<S>, live: string): void {
  const folded = stateText.encode(state);
  invariant(folded === live, () => {
    const hashes = [folded, live].map((text) => sha256Hex(text).slice(0, 16)).join(', not ');
    return (
      `The state that records 1 to ${head.seq} fold to is not the one that the program works with: ` +
      `${hashes}${firstDifference(folded, live)}.`
    );
  });
}

/** Where two texts differ, with some context: a state has no secrets. */
function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 40);
  return `; at character ${at}: '${around(a)}' where the program has '${around(b)}'`;
}

// Appends to the chain; after its first failure it never appends again.

/** After its first failure it refuses everything. */
interface Writer {
  head(): Head;
  append(events: readonly JournalEvent[]): readonly JournalRecord[];
  /** Runs a step that writes outside the chain; a `JournalError` from it closes the writer too. */
  guarded(step: () => void): void;
}

/** Continues after `start`, under its epoch. */
export function createWriter(storage: JournalStorage, clock: Clock, start: Head): Writer {
  const { epoch } = start;
  let head = start;
  let broken: JournalError | null = null;

  function guarded(step: () => void): void {
    if (broken) {
      // style-allow throw-in-pure-code: a caller that continues after a failed append must be stopped (P3)
      throw new JournalError(broken.kind, `The journal is closed to writing since it failed: ${broken.message}`);
    }
    try {
      step();
    } catch (error) {
      broken =
        error instanceof JournalError ? error : new JournalError('failed', `The journal can't be written. ${error}`);
      // A bug found on the way is not the disk's fault, so it keeps its own class.
      // style-allow throw-in-pure-code: a record that is not durable must stop a caller that relies on it (P3)
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

/** By name: an error from another realm is no instance of our class. */
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
