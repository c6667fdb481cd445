// The journal's tables in PostgreSQL and the statements on them. Every statement that writes holds only under the
// writer's own epoch: whoever took the account later has raised it.
import { GENESIS_HASH } from '../../journal/chain.ts';
import { BOOK_EVENTS, TRADE_EVENTS } from '../state-folder/book-events.ts';

/** Version of the tables. A program with a lower one refuses them. */
export const TABLES_VERSION = 2;

const listOf = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');
const BOOKS = `type IN (${listOf(BOOK_EVENTS)})`;

/** Null where the schema or its tables are missing. */
export const FIND_VERSION = `SELECT to_regclass('quotekeeper.version')::text AS found`;
export const READ_VERSION = 'SELECT version FROM quotekeeper.version';

/** One transaction: all tables, or those of later versions. The lock is for two programs that begin at once. */
export const CREATE_TABLES = `
  SELECT pg_advisory_xact_lock(hashtext('quotekeeper'));
  DO $$ BEGIN
    IF to_regnamespace('quotekeeper') IS NULL THEN CREATE SCHEMA quotekeeper; END IF;
    IF to_regclass('quotekeeper.version') IS NULL THEN
    CREATE TABLE quotekeeper.heads (
      account text PRIMARY KEY, epoch bigint NOT NULL, seq bigint NOT NULL, hash text NOT NULL,
      kept_from bigint NOT NULL, holder text, renewed_at timestamptz NOT NULL, ttl_ms bigint NOT NULL, latch text
    ) WITH (fillfactor = 50);
    CREATE TABLE quotekeeper.records (
      account text, seq bigint, epoch bigint NOT NULL, wall bigint NOT NULL, mono bigint NOT NULL, type text NOT NULL,
      payload text NOT NULL, prev_hash text NOT NULL, hash text NOT NULL, PRIMARY KEY (account, seq)
    );
    CREATE INDEX books ON quotekeeper.records (account, seq) WHERE ${BOOKS};
    CREATE TABLE quotekeeper.snapshots (
      account text PRIMARY KEY, seq bigint NOT NULL, schema integer NOT NULL, text text NOT NULL
    );
    CREATE TABLE quotekeeper.version AS SELECT 1 AS version;
    END IF;
    IF to_regclass('quotekeeper.processes') IS NOT NULL THEN RETURN; END IF;
    CREATE TABLE quotekeeper.processes (
      account text, role text, holder text, at timestamptz NOT NULL, status text NOT NULL,
      PRIMARY KEY (account, role, holder)
    ) WITH (fillfactor = 50);
    CREATE TABLE quotekeeper.commands (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text NOT NULL, role text NOT NULL,
      holder text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), request text NOT NULL, answer text
    );
    CREATE INDEX waiting ON quotekeeper.commands (account) WHERE answer IS NULL;
    CREATE TABLE quotekeeper.shares (resource text PRIMARY KEY, amounts jsonb NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE quotekeeper.samples (
      account text, at timestamptz, name text, label text, value numeric NOT NULL,
      PRIMARY KEY (account, at, name, label)
    );
    UPDATE quotekeeper.version SET version = ${TABLES_VERSION};
  END $$`;

const RECORDS =
  'json_to_recordset($2::text::json) AS r(seq bigint, epoch bigint, wall bigint, mono bigint, type text, ' +
  'payload text, "prevHash" text, hash text)';

// $1 is always the account.

const HAS_RUN_OUT = "h.renewed_at + h.ttl_ms * interval '1 ms' < clock_timestamp()";
const IS_OVER = `(h.holder IS NULL OR ${HAS_RUN_OUT})`;
/** Whether $2 may take the account. */
const FREE = `h.latch IS NULL AND (h.holder = $2 OR ${IS_OVER})`;
const LEFT_MS = 'round(h.ttl_ms - extract(epoch FROM clock_timestamp() - h.renewed_at) * 1000)::float8 AS "leftMs"';

/** $2 holder, $3 time to live. Raises the epoch. No row if the account is not free. */
export const TAKE = `
  INSERT INTO quotekeeper.heads AS h (account, epoch, seq, hash, kept_from, holder, renewed_at, ttl_ms)
  VALUES ($1, 1, 0, '${GENESIS_HASH}', 1, $2, clock_timestamp(), $3)
  ON CONFLICT (account) DO UPDATE
  SET epoch = h.epoch + 1, holder = excluded.holder, renewed_at = clock_timestamp(), ttl_ms = excluded.ttl_ms
  WHERE ${FREE}
  RETURNING epoch::float8`;

/** $2 and $3 as above. From a lost holder only: no lease that runs is touched, and none that was given back. */
export const TAKE_LOST = `
  UPDATE quotekeeper.heads h SET epoch = epoch + 1, holder = $2, renewed_at = clock_timestamp(), ttl_ms = $3
  WHERE account = $1 AND h.latch IS NULL AND h.holder IS NOT NULL AND ${HAS_RUN_OUT}`;

/** $2 who asks. */
export const LEASE = `
  SELECT ${FREE} AS "isFree", h.epoch::float8, h.holder, h.latch, ${LEFT_MS}
  FROM quotekeeper.heads h WHERE account = $1`;

/** The head, the last record beside it, and whose it is. */
export const HEAD = `
  SELECT h.epoch::float8, h.seq::float8, h.hash, h.kept_from::float8 AS "keptFrom", h.holder, h.latch, ${LEFT_MS},
    r.seq::float8 AS "lastSeq", r.hash AS "lastHash", r.epoch::float8 AS "lastEpoch"
  FROM quotekeeper.heads h
  LEFT JOIN LATERAL (
    SELECT seq, hash, epoch FROM quotekeeper.records WHERE account = h.account ORDER BY records.seq DESC LIMIT 1
  ) r ON true
  WHERE h.account = $1`;

/** $2 records, $3 epoch, $4 and $5 head before, $6 and $7 head after. No row if the head is another. */
export const APPEND = `
  WITH moved AS (
    UPDATE quotekeeper.heads SET seq = $6, hash = $7, renewed_at = clock_timestamp()
    WHERE account = $1 AND epoch = $3 AND seq = $4 AND hash = $5 RETURNING account
  )
  INSERT INTO quotekeeper.records SELECT moved.account, r.* FROM moved, ${RECORDS}`;

/**
 * $2 epoch. Renews the lease and tells the head and the latch. Being a commit itself, it waits for the standby like the
 * append that it is to settle.
 */
export const RENEW = `
  UPDATE quotekeeper.heads SET renewed_at = clock_timestamp() WHERE account = $1 AND epoch = $2
  RETURNING seq::float8, hash, latch`;

/** $2 why. From any machine; the first reason stays. Who holds the account stops with its next renewal. */
export const LATCH = 'UPDATE quotekeeper.heads SET latch = $2 WHERE account = $1 AND latch IS NULL';
/** $2 the reason that goes, or null for any. */
export const UNLATCH =
  'UPDATE quotekeeper.heads SET latch = NULL WHERE account = $1 AND ($2::text IS NULL OR latch = $2)';

/** $2 why. Nobody holds the account any more, or can take it, and no one can write. No row while the lease runs. */
export const FENCE = `
  UPDATE quotekeeper.heads h SET epoch = epoch + 1, holder = NULL, latch = coalesce(latch, $2)
  WHERE account = $1 AND ${IS_OVER} RETURNING 1`;

/** $2 epoch. */
export const RELEASE = 'UPDATE quotekeeper.heads SET holder = NULL WHERE account = $1 AND epoch = $2';

const COLUMNS = 'seq::float8, epoch::float8, wall::float8, mono::float8, type, payload, prev_hash AS "prevHash", hash';
/** $2 the number before. */
export const READ = `SELECT ${COLUMNS} FROM quotekeeper.records WHERE account = $1 AND seq > $2
  ORDER BY records.seq LIMIT 1000`;
/** $2 the number before, $3 the number after. */
export const READ_BOOKS = `SELECT ${COLUMNS} FROM quotekeeper.records
  WHERE account = $1 AND seq > $2 AND seq < $3 AND ${BOOKS} ORDER BY records.seq LIMIT 1000`;
/** $2 the number after, $3 most rows. */
export const READ_TRADES = `SELECT ${COLUMNS} FROM quotekeeper.records
  WHERE account = $1 AND seq < $2 AND type IN (${listOf(TRADE_EVENTS)}) ORDER BY records.seq DESC LIMIT $3`;

export const LATEST_SNAPSHOT = 'SELECT seq::float8, schema, text FROM quotekeeper.snapshots WHERE account = $1';
/** $2 epoch, $3 to $5 the snapshot. */
export const WRITE_SNAPSHOT = `
  INSERT INTO quotekeeper.snapshots
  SELECT account, $3::bigint, $4::integer, $5::text FROM quotekeeper.heads WHERE account = $1 AND epoch = $2
  ON CONFLICT (account) DO UPDATE SET seq = excluded.seq, schema = excluded.schema, text = excluded.text`;

/** $2 epoch, $3 the first number that a start still needs. Older records stay, for reports. */
export const KEEP_FROM = 'UPDATE quotekeeper.heads SET kept_from = $3 WHERE account = $1 AND epoch = $2';
/** $2 epoch, $3 the last number that may go: all but records of the books and the very first one, in small steps. */
export const FORGET = `
  DELETE FROM quotekeeper.records WHERE account = $1 AND seq IN (
    SELECT seq FROM quotekeeper.records
    WHERE account = $1 AND seq <= $3 AND NOT ${BOOKS}
      AND seq > (SELECT min(seq) FROM quotekeeper.records WHERE account = $1)
      AND EXISTS (SELECT 1 FROM quotekeeper.heads WHERE account = $1 AND epoch = $2)
    ORDER BY records.seq LIMIT 1000
  )`;

/** $2 epoch, $3 another account's name, which gets everything. No row if another instance holds the account. */
export const PUT_ASIDE = `
  WITH head AS (UPDATE quotekeeper.heads SET account = $3, holder = NULL WHERE account = $1 AND epoch = $2 RETURNING 1),
  r AS (UPDATE quotekeeper.records SET account = $3 WHERE account = $1 AND EXISTS (SELECT 1 FROM head)),
  s AS (UPDATE quotekeeper.snapshots SET account = $3 WHERE account = $1 AND EXISTS (SELECT 1 FROM head))
  SELECT 1 FROM head`;

/** $2 records, without a look at the head: only in the transaction that fills an empty account. */
export const LOAD_RECORDS = `INSERT INTO quotekeeper.records SELECT $1::text, r.* FROM ${RECORDS}`;
/** $2 our epoch, $3 to $6 the loaded epoch, head and first number kept. */
export const LOAD_HEAD = `
  UPDATE quotekeeper.heads SET epoch = $3, seq = $4, hash = $5, kept_from = $6
  WHERE account = $1 AND epoch = $2 AND seq = 0`;

/** What `check` asks: roles without `pg_monitor` see that there are standbys, and not of which kind. */
export const STANDBYS = `
  SELECT current_setting('server_version') AS version, current_setting('synchronous_standby_names') AS names,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))::int AS sync,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IS NULL)::int AS hidden`;
