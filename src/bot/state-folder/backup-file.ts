// A backup's file: an SQLite archive (https://www.sqlite.org/sqlar.html) with a manifest, which `sqlite3 -A` can list
// and unpack as well.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import { syncFolder } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { assertPrivateDatabase, NotPrivate } from '../base/private-file.ts';
import { systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';

export interface BackupEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** When the file was last changed, in ms. */
  readonly changedAt: number;
}

const MEGABYTE = 2 ** 20;
/** Possible files of a backup and their largest sizes; everything else in it is ignored. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'journal.sqlite': 2_047 * MEGABYTE,
  'journal-witness.json': MEGABYTE,
  'own-orders.log': 64 * MEGABYTE,
  'kill-latch.json': MEGABYTE,
  'kill-latch.log': 64 * MEGABYTE,
};

const whole = z.int().nonnegative();
const manifestSchema = z.object({
  format: z.literal(1),
  program: z.string(),
  madeAt: z.iso.datetime(),
  /** `paper` and the exchange's instance, or the address of the exchange. */
  venue: z.string(),
  journal: z.object({ epoch: whole, seq: whole, hash: z.string(), endedAt: z.iso.datetime(), openOrders: whole }),
  files: z
    .array(z.object({ name: z.enum(Object.keys(MOST_BYTES)), bytes: whole, sha256: z.string() }))
    .refine((files) => files.every(({ name, bytes }) => bytes <= (MOST_BYTES[name] ?? 0))),
});
export type Manifest = z.output<typeof manifestSchema>;

const MANIFEST = 'manifest.json';
const LARGEST_MANIFEST_BYTES = 64 * 1_024;
const MODE = 0o100600;
const TABLE = 'CREATE TABLE sqlar(name TEXT PRIMARY KEY, mode INT, mtime INT, sz INT, data BLOB)';
const INSERT = 'INSERT INTO sqlar VALUES (?, ?, ?, ?, ?)';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Writes a temporary file, syncs it, reads it back, and only then names it; never touches an existing file of that
 * name. Throws system errors (`EEXIST`), and `BackupDamaged` if it reads back different content.
 */
export function writeBackup(file: string, manifest: Omit<Manifest, 'files'>, entries: readonly BackupEntry[]): void {
  const beside = `${file}.${process.pid}.new`;
  closeSync(openSync(beside, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  try {
    const files = entries.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) }));
    const text = Buffer.from(`${JSON.stringify({ ...manifest, files }, null, 1)}\n`, 'utf8');
    fill(beside, [{ name: MANIFEST, bytes: text, changedAt: Date.parse(manifest.madeAt) }, ...entries]);
    chmodSync(beside, 0o600);
    const descriptor = openSync(beside, 'r+');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    readBackup(beside);
    nameIt(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
  syncFolder(path.dirname(path.resolve(file)));
}

/** A link fails if the name is taken; a rename would not. Some file systems (of memory sticks) have no links. */
function nameIt(beside: string, file: string): void {
  try {
    linkSync(beside, file);
  } catch (error) {
    if (existsSync(file) || !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error))) throw error;
    renameSync(beside, file);
  }
}

function fill(file: string, entries: readonly BackupEntry[]): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA journal_mode = OFF; ${TABLE}; BEGIN`);
    const insert = database.prepare(INSERT);
    for (const { name, bytes, changedAt } of entries) {
      const packed = deflateSync(bytes);
      // As in `sqlite3 -A`: data that deflating does not shorten is stored as it is.
      const data = packed.length < bytes.length ? packed : bytes;
      insert.run(name, MODE, Math.floor(changedAt / 1_000), bytes.length, data);
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

/** Checks every file in it. Throws `BackupDamaged` with a sentence. */
export function readBackup(file: string): { readonly manifest: Manifest; readonly entries: readonly BackupEntry[] } {
  let database: DatabaseSync | null = null;
  try {
    assertPrivateDatabase('backup', file);
    database = new DatabaseSync(file, { readOnly: true });
    const select = database.prepare('SELECT name, mtime, sz, data FROM sqlar WHERE name = ?');
    const manifest = manifestOf(file, entryOf(select.get(MANIFEST), LARGEST_MANIFEST_BYTES));
    const entries = manifest.files.map(({ name, bytes, sha256: sum }): BackupEntry => {
      const row = select.get(name);
      if (row === undefined) throw new BackupDamaged(`The backup ${file} is damaged: ${name} is missing.`);
      const found = entryOf(row, bytes);
      if (found?.bytes.length !== bytes || sha256(found.bytes) !== sum)
        throw new BackupDamaged(`The backup ${file} is damaged: ${name} has another checksum than when it was made.`);
      return found;
    });
    return { manifest, entries };
  } catch (error) {
    if (error instanceof BackupDamaged) throw error;
    if (error instanceof NotPrivate) throw new BackupDamaged(error.message);
    throw new BackupDamaged(`${file} is not a backup, or is damaged: it can't be read as an SQLite archive.`);
  } finally {
    database?.close();
  }
}

const rowSchema = z.object({
  name: z.string(),
  mtime: z.number(),
  sz: whole,
  data: z.instanceof(Uint8Array),
});

/** Null if it is missing or states a larger size: never unpacks more than that. */
function entryOf(row: unknown, mostBytes: number): BackupEntry | null {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success || parsed.data.sz > mostBytes) return null;
  const { name, mtime, sz, data } = parsed.data;
  const bytes = data.length < sz ? inflateSync(data, { maxOutputLength: sz }) : data;
  return { name, bytes, changedAt: mtime * 1_000 };
}

function manifestOf(file: string, entry: BackupEntry | null): Manifest {
  const wrong = new BackupDamaged(`${file} is not a backup of this program, or its manifest is damaged.`);
  if (entry === null) throw wrong;
  try {
    return manifestSchema.parse(JSON.parse(Buffer.from(entry.bytes).toString('utf8')));
  } catch {
    throw wrong;
  }
}

/** Throws `StartError` (73) where the journal is elsewhere: half of a bot's state is no backup. */
export function assertInFolder({ journal }: Pick<Settings, 'journal'>): void {
  if (!journal) return;
  throw new StartError(
    EXIT.stateUnusable,
    'The journal is in a database: back that up with its own means (pg_dump --schema=quotekeeper), or copy the ' +
      'journal into the state folder first (`quotekeeper journal copy --to sqlite`).',
  );
}
