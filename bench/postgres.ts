// Durable intent commits through the journal in PostgreSQL with a synchronous standby (chain, thread, head), against a
// bare loop of the same statement. Both commit each record by itself. Needs Debian's `postgresql`; a folder in memory
// (TMPDIR) shows what the program costs, one on a disk what the disk costs.
import postgres from 'postgres';
import { databaseAddress } from '../src/bot/postgres/database-address.ts';
import { APPEND } from '../src/bot/postgres/database-statements.ts';
import { openPostgresJournal } from '../src/bot/postgres/postgres-journal.ts';
import { Secret } from '../src/client/wire/secret.ts';
import { GENESIS, headAt, type JournalEvent, nextRecord } from '../src/journal/chain.ts';
import { openJournal } from '../src/journal/open-journal.ts';
import { OPENED } from '../src/journal/walk.ts';
import { realClock } from '../src/ports/clock.ts';
import { freePort } from './free-port.ts';
import { type BenchResult, type Contestant, type Measurement, measureInTurn } from './measure.ts';
import { postgresPrograms, startCluster } from './postgres-cluster.ts';

/** Needs a server that not every machine has. */
export const onlyByName = true;

const COMMITS = 500;
const ROUNDS = 9;
const CLOCK = { now: () => 1_700_000_000_000, monotonic: () => 0 };

const intents: JournalEvent[] = Array.from({ length: COMMITS }, (_, index) => ({
  type: 'intent',
  payload: { intentId: `i-1-${index}`, symbol: 'BTC/INR', side: 'buy', price: `${index}.5`, quantity: '0.00125' },
}));

export async function run(): Promise<BenchResult> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed: install the package `postgresql`.');
  const cluster = startCluster(programs, [await freePort(), await freePort()]);
  const url = cluster.url(cluster.newDatabase(), { ports: [cluster.primary.port] });
  const sql = postgres(url, { max: 1, fetch_types: false, connection: { synchronous_commit: 'on' } });
  try {
    const contestants = [ours(url), bare(url, sql)];
    const measurements = await measureInTurn({ contestants, rounds: ROUNDS, sameOutput: true });
    return { title: 'Journal in PostgreSQL: durable intent commits', lines: linesOf(measurements) };
  } finally {
    await sql.end();
    cluster.end();
  }
}

let accounts = 0;
const open = (url: string) => {
  accounts += 1;
  const place = {
    address: databaseAddress(new Secret(url)),
    account: `bench ${accounts}`,
    waitMs: 5_000,
    leaseMs: 30_000,
  };
  return { storage: openPostgresJournal(place, 'bench', realClock), account: place.account };
};

function ours(url: string): Contestant {
  let close = (): void => undefined;
  return {
    name: 'journal',
    prepare: () => {
      close();
      const { storage } = open(url);
      const opened = openJournal(storage, { clock: CLOCK, schema: 1, initial: () => null, reduce: () => null });
      if (!opened.ok) throw opened.error;
      const { journal } = opened.value;
      close = journal.close;
      return () => {
        for (const intent of intents) journal.append([intent]);
        return journal.head().hash;
      };
    },
  };
}

/** Knows all parameters beforehand. */
function bare(url: string, sql: postgres.Sql): Contestant {
  let head = GENESIS;
  const rows = [{ type: OPENED, payload: { format: 1, schema: 1 } }, ...intents].map((event) => {
    const record = nextRecord(head, { epoch: 1, wall: CLOCK.now(), mono: 0 }, event);
    const parameters = [JSON.stringify([record]), 1, head.seq, head.hash, record.seq, record.hash];
    head = headAt(record);
    return parameters;
  });
  return {
    name: 'bare loop',
    prepare: () => {
      const { storage, account } = open(url);
      storage.close();
      const write = (row: (string | number)[]) => sql.unsafe(APPEND, [account, ...row], { prepare: true });
      return async () => {
        for (const row of rows) await write(row);
        const [row] = await sql`SELECT hash FROM quotekeeper.heads WHERE account = ${account}`;
        return row?.hash;
      };
    },
  };
}

function linesOf(measurements: readonly Measurement[]): string[] {
  const peer = measurements.at(-1)?.medianMs ?? Number.NaN;
  return measurements.map(({ name, medianMs, runsMs }) => {
    const rate = ((COMMITS / medianMs) * 1_000).toFixed(0).padStart(6);
    const spread = `${Math.min(...runsMs).toFixed(0)}–${Math.max(...runsMs).toFixed(0)} ms`;
    return `${name.padEnd(12)} ${rate} /s  ${(peer / medianMs).toFixed(2).padStart(5)} ×  (${spread})`;
  });
}
