// Notified problems and unsent messages, kept in the state folder: one row per problem, message and channel. A process
// that ends at any time loses none; a power cut may lose the last moments.
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { allOrNone, isDamagedDatabase, openOwnDatabase, renameDatabase, sqliteCode } from '../base/sqlite-file.ts';
import { channelSchema, deliveryKey, deliverySchema, type NotifyState, problemSchema } from './state.ts';

export type OutboxOwner = 'bot' | 'watchdog';

export const outboxFile = (stateFolder: string, owner: OutboxOwner): string =>
  path.join(stateFolder, `notify-${owner}.sqlite`);

const countSchema = z.object({ origin: z.string().regex(/^[0-9a-z]+$/), next: z.int().min(1) });

export interface Outbox {
  /** Its stored state; at first empty, with the given origin. */
  readonly kept: NotifyState;
  /** Number of unreadable rows that were left out. */
  readonly unreadable: number;
  /** Writes only what changed since the last call. Throws disk errors. */
  write(state: NotifyState): void;
  close(): void;
}

/** Another process holds it: try again. */
export class OutboxBusy extends Error {
  override readonly name = 'OutboxBusy';
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, text TEXT NOT NULL)';
const PUT = 'INSERT INTO kept (name, text) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text';
const BUSY = 5;

/**
 * Opens it for this process alone, creating it if needed. Throws `OutboxBusy` if another process holds it. A damaged
 * file is moved aside: `damaged` gets its new name, and a new one is created.
 */
export function openOutbox(file: string, origin: string, damaged: (aside: string) => void): Outbox {
  try {
    return opened(file, origin);
  } catch (error) {
    if (!isDamagedDatabase(error))
      throw sqliteCode(error) === BUSY ? new OutboxBusy(`The outbox ${file} is in use.`) : error;
    const aside = `${file}.damaged`;
    renameDatabase(file, aside);
    damaged(aside);
    return opened(file, origin);
  }
}

const opened = (file: string, origin: string): Outbox =>
  openOwnDatabase(file, (database) => {
    // Held until `close`: the first write takes the lock, and WAL then needs no shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec(`BEGIN IMMEDIATE; ${TABLE}; COMMIT`);
    const { state, unreadable } = read(database, origin);
    return { kept: state, unreadable, write: writer(database, state), close: () => database.close() };
  });

function read(database: DatabaseSync, origin: string): { state: NotifyState; unreadable: number } {
  const rows = new Map<string, unknown>();
  let unreadable = 0;
  for (const { name, text } of database.prepare('SELECT name, text FROM kept ORDER BY number').all())
    try {
      rows.set(String(name), JSON.parse(String(text)));
    } catch {
      unreadable += 1;
    }
  const of = <T>(kind: string, schema: z.ZodType<T>): [string, T][] =>
    [...rows].flatMap(([name, value]): [string, T][] => {
      if (!name.startsWith(`${kind}/`)) return [];
      const parsed = schema.safeParse(value);
      if (!parsed.success) unreadable += 1;
      return parsed.success ? [[name.slice(kind.length + 1), parsed.data]] : [];
    });
  const [[, count] = ['', { origin, next: 1 }]] = of('count', countSchema);
  const waiting = of('message', deliverySchema).map(([, each]) => [deliveryKey(each), each] as const);
  const problems = new Map(of('problem', problemSchema));
  const channels = new Map(of('channel', channelSchema));
  return { state: { ...count, problems, waiting: new Map(waiting), channels, seenAt: null }, unreadable };
}

/** The state as rows; an unchanged part is the same object. */
function rowsOf({ origin, next, problems, waiting, channels }: NotifyState): Map<string, object | string> {
  const under = (kind: string, entries: ReadonlyMap<string, object>): [string, object][] =>
    [...entries].map(([key, value]) => [`${kind}/${key}`, value]);
  return new Map<string, object | string>([
    ['count/', JSON.stringify({ origin, next })],
    ...under('problem', problems),
    ...under('message', waiting),
    ...under('channel', channels),
  ]);
}

function writer(database: DatabaseSync, from: NotifyState): (state: NotifyState) => void {
  const put = database.prepare(PUT);
  const remove = database.prepare('DELETE FROM kept WHERE name = ?');
  let written = rowsOf(from);
  return (state) => {
    const rows = rowsOf(state);
    const changed = [...rows].filter(([name, value]) => written.get(name) !== value);
    const gone = [...written.keys()].filter((name) => !rows.has(name));
    if (changed.length + gone.length === 0) return;
    allOrNone(database, () => {
      for (const [name, value] of changed) put.run(name, typeof value === 'string' ? value : JSON.stringify(value));
      for (const name of gone) remove.run(name);
    });
    written = rows;
  };
}
