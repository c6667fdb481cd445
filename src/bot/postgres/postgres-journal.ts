// The journal's records in PostgreSQL: durable when `append` returns, on the synchronous standby too where there is
// one. One instance writes an account; whoever takes it over raises the epoch, under which no older one can write.
import { GENESIS, type Head, JournalError } from '../../journal/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalRecord, SnapshotStorage, StoredSnapshot } from '../../ports/journal-storage.ts';
import type { BotJournal, JournalContent } from '../state-folder/bot-journal.ts';
import type { Done } from './database-bridge.ts';
import * as statements from './database-statements.ts';
import { fleetAccountOn, reporterOn } from './fleet-rows.ts';
import {
  endsElsewhere,
  errorOf,
  type LeaseSeen,
  latchedFor,
  lockedBy,
  type PostgresPlace,
  placeText,
  takenOver,
} from './postgres-place.ts';
import { failed, type HeadRow, opened, type Session } from './postgres-session.ts';

type End = Pick<Head, 'seq' | 'hash'>;

/** How often the lease is renewed while it lasts, and the latch is looked at; each append renews the lease too. */
const RENEWALS = 6;
/** Records that no start needs are kept up to this number, those of the books forever. */
const MOST_PAST_RECORDS = 7_500_000;
const LOAD_RECORDS = 500;

/**
 * Takes the account for this instance; makes the tables where they are missing. Throws a `JournalError`: `locked` while
 * another holder's lease runs, `latched`, `unreachable`, `newer`, `damaged`, `full`, `failed`. Later failures of an
 * append mean that it is unknown whether the records are durable: the process must end, and the next start reads them.
 */
export function openPostgresJournal(place: PostgresPlace, holder: string, clock: Clock): BotJournal {
  return opened(place, clock, (session) => {
    session.makeTables();
    const journal = writerOn(session, () => taken(session, holder), clock);
    return { ...journal, fleet: fleetAccountOn(session, holder, () => journal.epoch?.() ?? 0) };
  });
}

interface Taken extends HeadRow {
  /** Whether whoever had the account before has given it back: then none of its orders can be open. */
  readonly wasGivenBack: boolean;
}

function taken(session: Session, holder: string): Taken {
  const [before] = session.insist(statements.LEASE, [holder]).rows as unknown as LeaseSeen[];
  const [row] = session.insist(statements.TAKE, [holder, session.place.leaseMs]).rows;
  const head = session.head();
  if (row === undefined) throw head.latch === null ? lockedBy(session.place, head) : latchedFor(head.latch);
  // Ours, even where another instance has taken the account since: under its number we must not write.
  return { ...head, epoch: Number(row.epoch), wasGivenBack: (before?.holder ?? null) === null };
}

/** For reports, also while another instance writes. Throws as above. */
export function readPostgresJournal(place: PostgresPlace, clock: Clock): Reader {
  return opened(place, clock, (session) => {
    session.assertTables();
    return readerOn(session, session.head().keptFrom);
  });
}

const NOBODY: LeaseSeen = { isFree: true, epoch: 0, holder: null, leftMs: 0, latch: null };

/** An account as `holder` sees it, who does not hold it. Everything throws as above, and may be repeated. */
export function openAccount(place: PostgresPlace, holder: string, clock: Clock) {
  return opened(place, clock, (session) => {
    session.makeTables();
    return {
      look: () => (session.insist(statements.LEASE, [holder]).rows[0] as unknown as LeaseSeen | undefined) ?? NOBODY,
      /** From now on the account of a lost holder is this one's, before there is time to open its journal. */
      takeLost: () => void session.insist(statements.TAKE_LOST, [holder, place.leaseMs]),
      latch: (reason: string) => void session.insist(statements.LATCH, [reason]),
      /** `reason`: removes that latch alone; null for any. */
      unlatch: (reason: string | null) => void session.insist(statements.UNLATCH, [reason]),
      /** With the latch; false while a lease runs. From then on nobody can write the journal. */
      fence: (reason: string): boolean => session.insist(statements.FENCE, [reason]).count > 0,
      /** Tells the fleet of this process, who does not hold the account. */
      fleet: reporterOn(session, holder),
      close: session.close,
    };
  });
}

/** What `check` tells: the server, its setting of synchronous standbys, and how many of them are connected. */
export function standingOf(place: PostgresPlace, clock: Clock) {
  return opened(place, clock, (session) => {
    const { rows, at } = session.insistOnAll(statements.STANDBYS, []);
    session.close();
    const [row] = rows;
    return {
      ...{ at, version: String(row?.version), names: String(row?.names) },
      ...{ sync: Number(row?.sync), hidden: Number(row?.hidden) },
    };
  });
}

export type Reader = Pick<BotJournal, 'read' | 'books' | 'trades' | 'close'> & {
  readonly snapshots: Pick<SnapshotStorage, 'latest'>;
};

function readerOn(session: Session, keptFrom: number): Reader {
  const pages = function* (sql: string, after: number, ...rest: readonly number[]): Generator<JournalRecord> {
    for (let last = after; ; ) {
      const page = session.insist(sql, [last, ...rest]).rows as unknown as JournalRecord[];
      yield* page;
      const end = page.at(-1);
      if (end === undefined) return;
      last = end.seq;
    }
  };
  return {
    read: (after = keptFrom - 1) => pages(statements.READ, after),
    *books() {
      const [first] = pages(statements.READ, -1);
      if (first === undefined || first.seq >= keptFrom) return;
      yield first;
      yield* pages(statements.READ_BOOKS, first.seq, keptFrom);
    },
    trades: (before, limit) =>
      session.insist(statements.READ_TRADES, [Math.min(before, Number.MAX_SAFE_INTEGER), limit])
        .rows as unknown as JournalRecord[],
    snapshots: {
      latest: () => (session.insist(statements.LATEST_SNAPSHOT, []).rows[0] as StoredSnapshot | undefined) ?? null,
    },
    close: session.close,
  };
}

/** The epoch of an opening, and the lease that it renews. */
function leaseOn(session: Session, take: () => Taken, clock: Clock) {
  const { place } = session;
  const takenAt = clock.monotonic();
  const { epoch, keptFrom, latch, wasGivenBack } = take();
  // Given back where no order can be open. Otherwise it runs out, and the watchdog of another host acts.
  const lease = { epoch, keptFrom, latch, renewedAt: takenAt, lookedAt: takenAt, isFlat: wasGivenBack };
  return {
    lease,
    /** Where the journal ends, durably. Throws `taken` if another instance has it. */
    settled(): End {
      const sentAt = clock.monotonic();
      const [head] = session.insist(statements.RENEW, [lease.epoch]).rows as unknown as HeadRow[];
      if (head === undefined) throw takenOver(place, lease.epoch);
      Object.assign(lease, { renewedAt: sentAt, lookedAt: sentAt, latch: head.latch });
      return head;
    },
    isDue: () => clock.monotonic() - lease.lookedAt >= place.leaseMs / RENEWALS,
    leftMs: () => place.leaseMs - (clock.monotonic() - lease.renewedAt),
  };
}

function writerOn(session: Session, take: () => Taken, clock: Clock): BotJournal {
  const { place } = session;
  let held = leaseOn(session, take, clock);

  function append(records: readonly JournalRecord[]): void {
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return;
    const before = { seq: first.seq - 1, hash: first.prevHash };
    const { lease, settled } = held;
    lease.isFlat = false;
    const parameters = [JSON.stringify(records), lease.epoch, before.seq, before.hash, last.seq, last.hash];
    const sentAt = clock.monotonic();
    const answer = session.ask(statements.APPEND, parameters);
    if (answer.kind === 'refused') throw errorOf(place, answer, true);
    if (answer.kind === 'done' && answer.count === records.length && !answer.warned) {
      lease.renewedAt = sentAt;
      return;
    }
    // Unknown: the head says what became of it. Where it has not moved, the same statement can't be carried out twice.
    let end = settled();
    if (isAt(end, before)) {
      session.ask(statements.APPEND, parameters);
      end = settled();
    }
    if (isAt(end, last)) return;
    throw isAt(end, before) ? errorOf(place, failed(answer), true) : endsElsewhere(place, end);
  }

  const guard = (done: Done): void => assertOurs(done, place, held.lease.epoch);
  const reader = (): Reader => readerOn(session, held.lease.keptFrom);
  return {
    place: placeText(place),
    epoch: () => held.lease.epoch,
    append,
    read: (after) => reader().read(after),
    books: () => reader().books(),
    trades: (before, limit) => reader().trades(before, limit),
    assertInPlace: () => {
      if (held.isDue()) held.settled();
    },
    latched: () => held.lease.latch,
    latch: (reason) => void session.insist(statements.LATCH, [reason]),
    leaseLeftMs: () => held.leftMs(),
    snapshots: {
      latest: () => reader().snapshots.latest(),
      write: ({ seq, schema, text }) =>
        guard(session.insist(statements.WRITE_SNAPSHOT, [held.lease.epoch, seq, schema, text])),
      retire(through) {
        const { lease } = held;
        if (lease.keptFrom > through)
          return session.insist(statements.FORGET, [lease.epoch, through - MOST_PAST_RECORDS]).count === 0;
        guard(session.insist(statements.KEEP_FROM, [lease.epoch, through + 1]));
        lease.keptFrom = through + 1;
        return false;
      },
    },
    load(content) {
      Object.assign(held.lease, loadInto(session, content, held.lease.epoch));
    },
    putAside: (name) => {
      guard(session.insist(statements.PUT_ASIDE, [held.lease.epoch, name]));
      held = leaseOn(session, take, clock);
    },
    endedFlat: () => {
      held.lease.isFlat = true;
    },
    close: () => (held.lease.isFlat ? session.release(held.lease.epoch) : session.close()),
  };
}

function assertOurs({ count }: Done, place: PostgresPlace, epoch: number): void {
  if (count === 0) throw takenOver(place, epoch);
}

const isAt = (end: End, { seq, hash }: End): boolean => end.seq === seq && end.hash === hash;

/** Returns what the head then says. */
function loadInto(session: Session, { books, records, snapshot }: JournalContent, epoch: number) {
  let keptFrom = 0;
  let last: Head = GENESIS;
  session.transaction((run) => {
    const insert = (chunk: readonly JournalRecord[]) => run(statements.LOAD_RECORDS, [JSON.stringify(chunk)]);
    for (const chunk of chunksOf(books)) insert(chunk);
    for (const chunk of chunksOf(records)) {
      keptFrom ||= chunk[0]?.seq ?? 0;
      last = chunk.at(-1) ?? last;
      insert(chunk);
    }
    if (snapshot !== null) run(statements.WRITE_SNAPSHOT, [epoch, snapshot.seq, snapshot.schema, snapshot.text]);
    const head = [Math.max(epoch, last.epoch), last.seq, last.hash, keptFrom];
    if (run(statements.LOAD_HEAD, [epoch, ...head]).count === 0)
      throw new JournalError('failed', `The journal in ${placeText(session.place)} is not empty.`);
  });
  return { epoch: Math.max(epoch, last.epoch), keptFrom };
}

function* chunksOf(records: Iterable<JournalRecord>): Generator<readonly JournalRecord[]> {
  let chunk: JournalRecord[] = [];
  for (const record of records) {
    if (chunk.push(record) < LOAD_RECORDS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
