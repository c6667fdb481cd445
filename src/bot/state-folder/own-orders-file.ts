// The file of own orders: one line per note with its checksum, appended to a preallocated file, so that a durable note
// costs one write and one flush of data. The last line may be torn; any other damage is reported.
import { closeSync, fdatasyncSync, fsyncSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { parseDecimal } from '../../domain/decimal.ts';
import { orderId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../ports/journal-storage.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import {
  differences,
  forgetOld,
  type KnownOrders,
  noOrders,
  notesOf,
  notesOfRecord,
  type OwnNote,
  type OwnOrders,
  ordersAtStart,
  take,
  withoutOrders,
} from '../../watchdog/own-orders.ts';
import { openNew, syncFolder } from '../base/durable-file.ts';
import { NotPrivate, readDoubtful } from '../base/private-file.ts';
import { systemCode } from '../base/system-error.ts';

export const ownOrdersFile = (stateFolder: string): string => path.join(stateFolder, 'own-orders.log');

/** Room for some 350 creates before it is rewritten. */
const FILE_BYTES = 256 * 1_024;
const LARGEST_FILE_BYTES = 2 ** 26;

export type OwnOrdersFile = ReturnType<typeof writeOwnOrders>;

export interface ReadOrders {
  readonly orders: OwnOrders;
  /** One sentence on why the file can't be trusted; null if it can, or if there is none. */
  readonly damaged: string | null;
  readonly exists: boolean;
}

const amount = z.string().transform((text, context) => {
  const value = parseDecimal(text);
  if (value !== null) return value;
  context.issues.push({ code: 'custom', message: 'is not an amount', input: text });
  return z.NEVER;
});
const noteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), paperInstance: z.string().nullable(), horizon: z.number() }),
  z.object({
    kind: z.literal('sent'),
    intentId: z.string(),
    create: z.object({
      symbol: z.string(),
      side: z.enum(['buy', 'sell']),
      price: amount,
      quantity: amount,
      timestamp: z.number(),
      horizon: z.number(),
    }),
  }),
  z.object({ kind: z.literal('named'), intentId: z.string(), orderId: z.string().transform(orderId) }),
  z.object({ kind: z.literal('closed'), intentId: z.string(), at: z.number() }),
  z.object({ kind: z.literal('was-ours'), orderId: z.string().transform(orderId), at: z.number() }),
  z.object({ kind: z.enum(['questioned', 'answered', 'not-ours']), orderId: z.string().transform(orderId) }),
]);

/** Reads the file, which its writer may have open. */
export function readOwnOrders(file: string): ReadOrders {
  try {
    const { bytes, doubt } = readDoubtful({ what: 'file of own orders', path: file, mostBytes: LARGEST_FILE_BYTES });
    const { orders, damaged } = fold(bytes, file);
    return { orders, damaged: doubt ?? damaged, exists: true };
  } catch (error) {
    const exists = systemCode(error) !== 'ENOENT';
    const damaged = error instanceof NotPrivate ? error.message : `The file of own orders ${file} cannot be read.`;
    return { orders: noOrders(null), damaged: exists ? damaged : null, exists };
  }
}

/**
 * When the file was last written, by the machine's clock at that time; -Infinity if there is none, Infinity if that is
 * unknown: then callers still act, and wait for the full bound. The horizons in the file are by the bot's clock, which
 * is behind after the machine was suspended or its clock set ahead.
 */
export function ownOrdersWrittenAt(stateFolder: string): EpochMs {
  try {
    return statSync(ownOrdersFile(stateFolder)).mtimeMs;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
}

/** Creates named in the file of `stateFolder`: each is recorded before it is sent. */
export const namesIn = (stateFolder: string): ReadonlySet<string> =>
  new Set(readOwnOrders(ownOrdersFile(stateFolder)).orders.open.keys());

/** Whether the file names creates that were not in `before`. */
export const hasPlacedSince = (stateFolder: string, before: ReadonlySet<string>): boolean =>
  [...namesIn(stateFolder)].some((name) => !before.has(name));

/**
 * The same for `stateFolder`, without orders of a paper exchange that no longer exists. `paperInstance` is null if
 * unknown.
 */
export function ownOrdersAt(stateFolder: string, paperInstance: string | null): ReadOrders {
  const read = readOwnOrders(ownOrdersFile(stateFolder));
  const theirs = read.orders.paperInstance;
  const isGone = paperInstance !== null && theirs !== null && theirs !== paperInstance;
  return isGone ? { orders: noOrders(paperInstance), damaged: null, exists: read.exists } : read;
}

function fold(bytes: Buffer, file: string): { orders: OwnOrders; damaged: string | null } {
  const orders = noOrders(null);
  const end = bytes.indexOf(0);
  const lines = bytes.toString('utf8', 0, end < 0 ? bytes.length : end).split('\n');
  let damaged: string | null = null;
  lines.forEach((line, index) => {
    if (line === '' && index === lines.length - 1) return;
    const note = noteOf(line);
    if (note !== null) take(orders, note);
    // Text after the last line feed was being written when the process or the machine stopped.
    else if (index < lines.length - 1) damaged ??= `Line ${index + 1} of the file of own orders ${file} is damaged.`;
  });
  if (damaged === null && noteOf(lines[0] ?? '')?.kind !== 'begun')
    damaged = `The file of own orders ${file} has no beginning.`;
  return { orders, damaged };
}

function noteOf(line: string): OwnNote | null {
  const json = line.slice(9);
  if (line.slice(0, 8) !== checksum(json)) return null;
  try {
    const parsed = noteSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Amounts without exponents. */
function lineOf(note: OwnNote): string {
  const create = 'create' in note && { price: note.create.price.toFixed(), quantity: note.create.quantity.toFixed() };
  const json = JSON.stringify(create ? { ...note, create: { ...note.create, ...create } } : note);
  return `${checksum(json)} ${json}\n`;
}

/** Rewrites the file with `orders`, which it owns from then on. Throws system errors. */
export function writeOwnOrders(file: string, orders: OwnOrders, clock: Clock) {
  let { descriptor, offset, capacity } = begin(file, orders, clock);
  /** Whether some notes are missing in the file: then the next note rewrites all of it. */
  let owes = false;
  /** Its descriptor number may be another file's by now, so nothing may be written. */
  let isClosed = false;

  /** With `durable` they are on disk when it returns. Throws system errors. */
  function note(notes: readonly OwnNote[], durable: boolean): void {
    if (isClosed) throw Object.assign(new Error('The file of own orders is closed.'), { code: 'EBADF' });
    for (const each of notes) take(orders, each);
    const bytes = Buffer.from(notes.map(lineOf).join(''), 'utf8');
    const isAnew = owes || offset + bytes.length >= capacity;
    owes = true;
    if (isAnew) beginAnew();
    else append(bytes, durable);
    owes = false;
  }

  /** Keeps the old file open until the new one is: its descriptor number would soon be another file's. */
  function beginAnew(): void {
    forgetOld(orders, clock.now());
    const before = descriptor;
    ({ descriptor, offset, capacity } = begin(file, orders, clock));
    closeSync(before);
  }

  function append(bytes: Buffer, durable: boolean): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
    }
    offset += bytes.length;
    if (durable) fdatasyncSync(descriptor);
  }

  function close(): void {
    if (!isClosed) closeSync(descriptor);
    isClosed = true;
  }

  return {
    orders,
    note,
    /** Whether the last write failed: the next one, even of nothing, writes everything. */
    owes: (): boolean => owes,
    close,
  };
}

/** Written under a temporary name and renamed; padded with zeros, so that later notes don't change its length. */
function begin(file: string, orders: OwnOrders, clock: Clock) {
  const text = notesOf(orders, clock.now()).map(lineOf).join('');
  const used = Buffer.byteLength(text, 'utf8');
  const bytes = Buffer.alloc(Math.max(FILE_BYTES, 2 * used));
  bytes.write(text, 'utf8');
  // Named by process: two `cancel-all` may run at once.
  const beside = `${file}.${process.pid}.new`;
  const descriptor = openNew(beside);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
    renameSync(beside, file);
    syncFolder(path.dirname(file));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { descriptor, offset: used, capacity: bytes.length };
}

/**
 * Records that all known orders of the bot are proved gone, for commands that proved it without a bot. Returns the
 * remaining ones: the questions to a person, which no proof can answer.
 */
export function forgetOwnOrders(file: string, clock: Clock): OwnOrders {
  const { orders } = readOwnOrders(file);
  const left = withoutOrders(orders);
  writeOwnOrders(file, left, clock).close();
  return left;
}

// Keeps the file of own orders current: from the journal's records before a create is sent, and from the trader's state
// after each cycle.

export type OwnOrdersKeeper = ReturnType<typeof keepOwnOrders>;

/**
 * A write failure ends the bot like the journal's, before the create is sent: `over` throws a `JournalError`. The other
 * functions throw system errors.
 */
export function keepOwnOrders(file: string, paperInstance: string | null, clock: Clock) {
  let written: OwnOrdersFile | null = null;

  function append(records: readonly JournalRecord[]): void {
    const notes = records.flatMap(notesOfRecord);
    if (notes.length === 0) return;
    const isCreate = notes.some(({ kind }) => kind === 'sent');
    invariant(written !== null || !isCreate, 'A create is about to leave before the file of own orders was begun.');
    if (written !== null) writeOrFail(written, notes, isCreate);
  }

  return {
    /** Wraps the storage: its records are noted in the file once they are durable. A create's note is durable, too. */
    over: (storage: JournalStorage): JournalStorage => ({
      ...storage,
      append: (records) => {
        storage.append(records);
        append(records);
      },
    }),
    /** Before the first create: writes the file from the recovered state. */
    begin: (durable: Durable): void => {
      written = writeOwnOrders(file, ordersAtStart(readOwnOrders(file).orders, durable, paperInstance), clock);
    },
    /** Notes whatever the state knows and the file does not. */
    agree: (known: KnownOrders): void => {
      if (written === null) return;
      const notes = differences(written.orders, known, clock);
      if (notes.length > 0 || written.owes()) written.note(notes, false);
    },
    close: (): void => written?.close(),
  };
}

function writeOrFail(written: OwnOrdersFile, notes: readonly OwnNote[], durable: boolean): void {
  try {
    written.note(notes, durable);
  } catch (error) {
    const code = systemCode(error);
    throw new JournalError(code === 'ENOSPC' ? 'full' : 'failed', `The file of own orders can't be written (${code}).`);
  }
}
