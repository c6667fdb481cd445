// P6: durable intent commits through the journal (chain, format, lock), against the same rows inserted by a bare loop
// of node:sqlite that knows them beforehand. Both commit each record by itself, WAL, synchronous=FULL.
import { DatabaseSync } from 'node:sqlite';
import { openSqliteJournal } from '../src/bot/state-folder/sqlite-journal.ts';
import { GENESIS, headAt, type JournalEvent, nextRecord } from '../src/journal/chain.ts';
import { openJournal } from '../src/journal/open-journal.ts';
import { OPENED } from '../src/journal/walk.ts';
import type { JournalRecord } from '../src/ports/journal-storage.ts';
import { type Folder, measureInFolder } from './folder.ts';
import type { BenchResult, Contestant, Measurement } from './measure.ts';

// Disks of shared machines stall for seconds: many short rounds, so that a stall falls into few of them and the median
// sees none.
const COMMITS = 1_000;
const ROUNDS = 25;
/** A clock that stands still, so that both write the same rows to the last hash. */
const CLOCK = { now: () => 1_700_000_000_000, monotonic: () => 0 };

export async function run(): Promise<BenchResult> {
  const measurements = await measureInFolder(ROUNDS, (folder) => [
    ours(folder),
    bare(folder, 'exclusive'),
    bare(folder, 'normal'),
  ]);
  return { title: 'P6 journal: durable intent commits', lines: linesOf(measurements) };
}

/** What the program writes before it sends a create (order-truth §3). */
const intents: JournalEvent[] = Array.from({ length: COMMITS }, (_, index) => ({
  type: 'intent',
  payload: {
    intentId: `i-1-${index}`,
    symbol: 'BTC/INR',
    side: index % 2 === 0 ? 'buy' : 'sell',
    price: `${5_000_000 + index}.5`,
    quantity: '0.00125',
    slot: `buy:${index % 5}`,
    T: 1_700_000_000_000 + index,
    W: 2_500,
    bookSeq: index,
    ledgerSeq: index,
  },
}));

function ours(folder: Folder): Contestant {
  return {
    name: 'journal',
    prepare: () => {
      const storage = openSqliteJournal(folder.nextFile());
      const opened = openJournal(storage, { clock: CLOCK, schema: 1, initial: () => null, reduce: () => null });
      if (!opened.ok) throw opened.error;
      const { journal } = opened.value;
      folder.leave(journal.close);
      return () => {
        for (const intent of intents) journal.append([intent]);
        return journal.head().hash;
      };
    },
  };
}

function bare(folder: Folder, locking: 'normal' | 'exclusive'): Contestant {
  const [first, ...rows] = knownRows();
  return {
    name: `bare loop, ${locking} lock`,
    prepare: () => {
      const database = new DatabaseSync(folder.nextFile());
      folder.leave(() => database.close());
      database.exec(`PRAGMA locking_mode = ${locking}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
      database.exec(
        'CREATE TABLE journal (seq INTEGER PRIMARY KEY, epoch, wall, mono, type, payload, prev_hash, hash)',
      );
      const insert = database.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
      const write = (r: JournalRecord) =>
        insert.run(r.seq, r.epoch, r.wall, r.mono, r.type, r.payload, r.prevHash, r.hash);
      if (first) write(first);
      return () => {
        for (const row of rows) write(row);
        return database.prepare('SELECT hash FROM journal ORDER BY seq DESC LIMIT 1').get()?.hash;
      };
    },
  };
}

/** The rows that the journal will write, made before anything is timed. */
function knownRows(): JournalRecord[] {
  const rows: JournalRecord[] = [];
  let head = GENESIS;
  for (const event of [{ type: OPENED, payload: { format: 1, schema: 1 } }, ...intents]) {
    const row = nextRecord(head, { epoch: 1, wall: CLOCK.now(), mono: CLOCK.monotonic() }, event);
    rows.push(row);
    head = headAt(row);
  }
  return rows;
}

/** Commits per second and the ratio to the last contestant. */
function linesOf(measurements: readonly Measurement[]): string[] {
  const peer = measurements.at(-1)?.medianMs ?? Number.NaN;
  return measurements.map(({ name, medianMs, runsMs }) => {
    const rate = ((COMMITS / medianMs) * 1_000).toFixed(0).padStart(6);
    const spread = `${Math.min(...runsMs).toFixed(0)}–${Math.max(...runsMs).toFixed(0)} ms`;
    return `${name.padEnd(28)} ${rate} /s  ${(peer / medianMs).toFixed(2).padStart(5)} ×  (${spread})`;
  });
}
