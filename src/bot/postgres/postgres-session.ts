// A connection for one account: its statements, repeated while the server can't be reached, and their errors.
import type { DurationMs } from '../../domain/time.ts';
import { GENESIS_HASH, type Head, JournalError } from '../../journal/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type Answer,
  type Database,
  type Done,
  type Failure,
  openDatabase,
  type Parameter,
} from './database-bridge.ts';
import * as statements from './database-statements.ts';
import { errorOf, type PostgresPlace, placeText } from './postgres-place.ts';

const RETRY_MS = 50;
/** With less time left nothing is tried again: it would only hide why the last try failed. */
const LEAST_MS = 500;
const RELEASE_MS = 1_000;
/** Longest wait for what can be left out. */
const ASIDE_MS = 1_000;

/** The connection ends with an error of `work`. */
export function opened<T>(place: PostgresPlace, clock: Clock, work: (session: Session) => T): T {
  const database = openDatabase(place.address, place.waitMs);
  try {
    return work(sessionOn(database, place, clock));
  } catch (error) {
    database.close();
    throw error;
  }
}

export interface HeadRow extends Head {
  readonly keptFrom: number;
  readonly holder: string | null;
  readonly leftMs: DurationMs;
  readonly latch: string | null;
}

export type Session = ReturnType<typeof sessionOn>;

/** Statements about one account. Those that `insist` are repeated while the server can't be reached. */
export function sessionOn(database: Database, place: PostgresPlace, clock: Clock) {
  const { account, waitMs } = place;
  let isOpen = false;
  const ask = (sql: string, parameters: readonly Parameter[], sameConnection = false) =>
    database.ask(sql, [account, ...parameters], { sameConnection });

  function repeated(sql: string, parameters: readonly Parameter[]): Done {
    const until = clock.monotonic() + waitMs;
    for (;;) {
      const answer = database.ask(sql, parameters, { timeoutMs: Math.ceil(until - clock.monotonic()) });
      if (answer.kind === 'done' && !answer.warned) return answer;
      sleep(RETRY_MS);
      if (answer.kind === 'refused' || until - clock.monotonic() < LEAST_MS)
        throw errorOf(place, failed(answer), isOpen);
    }
  }

  return {
    place,
    ask,
    insist: (sql: string, parameters: readonly Parameter[]): Done => repeated(sql, [account, ...parameters]),
    ...tablesOf(place, repeated),
    /** The same about no account. */
    insistOnAll: repeated,
    /** Null if it is not certain that it is done, and will stay so: for what the journal does not need. */
    tryOnce(sql: string, parameters: readonly Parameter[]): Done | null {
      const answer = database.ask(sql, [account, ...parameters], { timeoutMs: ASIDE_MS });
      return answer.kind === 'done' && !answer.warned ? answer : null;
    },
    /** Throws `damaged` if the head is not the last record's. */
    head(): HeadRow {
      const [row] = repeated(statements.HEAD, [account]).rows;
      if (row === undefined) throw new JournalError('unreachable', `There is no journal in ${placeText(place)}.`);
      const { lastSeq, lastHash, lastEpoch, ...rest } = row;
      const head = rest as unknown as HeadRow;
      const last = { seq: lastSeq ?? 0, hash: lastHash ?? GENESIS_HASH };
      if (head.seq !== last.seq || head.hash !== last.hash || Number(lastEpoch ?? 0) > head.epoch)
        throw new JournalError(
          'damaged',
          `The journal in ${placeText(place)} is damaged: its head is record ${head.seq} of opening ${head.epoch}, ` +
            `and its last record is ${last.seq} of opening ${lastEpoch ?? 0}.`,
        );
      isOpen = true;
      return head;
    },
    transaction: (work: Work): void => inTransaction({ database, place, ask }, work),
    close: () => database.close(),
    release(epoch: number): void {
      database.ask(statements.RELEASE, [account, epoch], { timeoutMs: RELEASE_MS });
      database.close();
    },
  };
}

type Repeated = (sql: string, parameters: readonly Parameter[]) => Done;

/** The tables of the journal, and what a fleet shares. */
function tablesOf(place: PostgresPlace, repeated: Repeated) {
  /** Null where there are none. */
  function tablesVersion(): number | null {
    if (repeated(statements.FIND_VERSION, []).rows[0]?.found === null) return null;
    return Number(repeated(statements.READ_VERSION, []).rows[0]?.version);
  }

  function assertTables(): void {
    const version = tablesVersion();
    if (version === null) throw new JournalError('unreachable', `There is no journal in ${placeText(place)}.`);
    if (version <= statements.TABLES_VERSION) return;
    throw new JournalError(
      'newer',
      `A newer program made the tables in ${placeText(place)} (version ${version}; ` +
        `this one knows ${statements.TABLES_VERSION}). Start that one.`,
    );
  }

  return {
    assertTables,
    /** Also those that an older program lacked. */
    makeTables(): void {
      if ((tablesVersion() ?? 0) < statements.TABLES_VERSION) repeated(statements.CREATE_TABLES, []);
      assertTables();
    },
  };
}

type Run = (sql: string, parameters: readonly Parameter[]) => Done;
type Work = (run: Run) => void;

/** All or nothing: on one connection, or not at all. */
function inTransaction({ database, place, ask }: Pick<Session, 'place' | 'ask'> & { database: Database }, work: Work) {
  const done = (answer: Answer): Done => {
    if (answer.kind !== 'done') throw errorOf(place, answer, true);
    return answer;
  };
  done(database.ask('BEGIN'));
  work((sql, parameters) => done(ask(sql, parameters, true)));
  done(database.ask('COMMIT', [], { sameConnection: true }));
}

export const failed = (answer: Done | Failure): Failure =>
  answer.kind === 'done'
    ? { kind: 'lost', message: `${answer.at} stopped waiting for its synchronous standby` }
    : answer;

const sleeping = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number): void => void Atomics.wait(sleeping, 0, 0, ms);
