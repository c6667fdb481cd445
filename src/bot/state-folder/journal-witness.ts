// A tiny file that records how far the journal had come, to detect a journal that was lost or replaced by an old copy
// (F96). A chain that ends early is still a chain: only something outside it can tell.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { OrderId } from '../../domain/ids.ts';
import { type DurationMs, MINUTE } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { JournalDoubt } from '../../trader/account/stale-journal.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { writeDurably } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';
import { systemCode } from '../base/system-error.ts';
import { type BotJournal, lastOf } from './bot-journal.ts';
import { ownOrdersAt } from './own-orders-file.ts';
import { readRestored } from './restored-mark.ts';

const FILE = 'journal-witness.json';

/** May be a link to a file elsewhere: restoring the whole state folder then does not restore its old witness. */
export const witnessFile = (stateFolder: string): string => path.join(stateFolder, FILE);

/** A record that was certainly durable. Never ahead of the journal. */
const witnessSchema = z.object({
  epoch: z.int().nonnegative(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Witness = z.output<typeof witnessSchema>;

/** How much of a journal may be lost undetected; each update costs two syncs. */
const NOTE_EVERY_MS: DurationMs = MINUTE;

/** The last witnessed record; null if there is none. Throws a `JournalError` of kind `damaged` for an invalid file. */
export function readWitness(file: string): Witness | null {
  if (!existsSync(file)) return null;
  const read = readStateJson('witness', linkOf(file), witnessSchema);
  if (read !== null) return read;
  throw new JournalError(
    'damaged',
    `${file}, which says how far the journal had come, ` +
      `can't be read: remove it where the journal is surely the newest.`,
  );
}

/**
 * Throws a `JournalError` of kind `older` if the journal lacks the witnessed record, with a sentence on how much is
 * missing. The hash of an archived record can't be checked any more; then the opening's number must do.
 */
export function assertWitnessed(journal: BotJournal, { witness, file }: { witness: Witness; file: string }): void {
  const saw = `record ${witness.seq} of opening ${witness.epoch}`;
  const contradiction = (found: string): JournalError =>
    new JournalError(
      'older',
      `The journal ${found}, and ${file} saw ${saw} written: an old copy was put back, or the file was lost.`,
    );
  // The first record with this number or a later one.
  const [at] = journal.read(witness.seq - 1);
  if (at === undefined) throw contradiction(endOf(journal));
  if (at.seq === witness.seq && at.hash !== witness.hash) throw contradiction(`holds another record ${at.seq}`);
  if (at.seq !== witness.seq && at.epoch < witness.epoch)
    throw contradiction(`goes on with record ${at.seq} of opening ${at.epoch}`);
}

function endOf(journal: BotJournal): string {
  const last = lastOf(journal.read());
  return last === null ? 'is empty' : `ends with record ${last.seq} of opening ${last.epoch}`;
}

/**
 * Wraps the journal and updates the witness at the first append, then once a minute, and at the end. Throws like
 * `append` if the witness can't be written: a disk that can't store the small file can't store the large one either.
 */
export function noting(journal: BotJournal, file: string): BotJournal {
  let noted: JournalRecord | null = null;
  let last: JournalRecord | null = null;
  const note = (): void => {
    if (last === null || last.seq === noted?.seq) return;
    writeWitness(file, last);
    noted = last;
  };
  return {
    ...journal,
    append(records) {
      journal.append(records);
      last = records.at(-1) ?? last;
      const passed = noted === null || last === null ? Number.POSITIVE_INFINITY : Math.abs(last.wall - noted.wall);
      if (passed >= NOTE_EVERY_MS) note();
    },
    close() {
      try {
        note();
      } finally {
        journal.close();
      }
    },
  };
}

/** Follows a link to its target: a rename would replace the link itself. */
function writeWitness(file: string, { epoch, seq, hash }: JournalRecord): void {
  try {
    writeDurably(linkOf(file), `${JSON.stringify({ epoch, seq, hash })}\n`);
  } catch (error) {
    throw new JournalError(
      'failed',
      `${file}, which says how far the journal has come, can't be written (${systemCode(error)}).`,
    );
  }
}

const linkOf = (file: string): string => (isLink(file) ? path.resolve(path.dirname(file), readlinkSync(file)) : file);

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The target of a witness that is a link; null if it is in the folder, or missing. */
export function witnessElsewhere(stateFolder: string): string | null {
  const file = witnessFile(stateFolder);
  return isLink(file) ? linkOf(file) : null;
}

// Signs that the state folder is old: the mark of a restore, and orders that the file of own orders names but the
// journal does not know.

/** `known`: the journal's content; null for a new one. */
export function doubtOf(
  stateFolder: string,
  { known, paperInstance }: { readonly known: Durable | null; readonly paperInstance: string | null },
): JournalDoubt {
  const { orders } = ownOrdersAt(stateFolder, paperInstance);
  const heardOf = ordersOf(known);
  const ownMarks = new Set([...idsOf(orders.open), ...orders.closed.keys()].filter((id) => !heardOf.has(id)));
  const restored = readRestored(stateFolder);
  if (restored === null) return { why: null, ownMarks };
  const { from, madeAt, restoredAt } = restored;
  return { why: `The state folder was restored at ${restoredAt} from ${from}, which was made at ${madeAt}.`, ownMarks };
}

/** All orders that the journal names, including those mistaken for a create that is closed now. */
function ordersOf(known: Durable | null): ReadonlySet<OrderId> {
  if (known === null) return new Set();
  const { byOrderId, closed } = known.orders;
  return new Set([...byOrderId.keys(), ...idsOf(closed)]);
}

const idsOf = (orders: ReadonlyMap<unknown, { readonly orderId: OrderId | null }>): readonly OrderId[] =>
  [...orders.values()].flatMap(({ orderId }) => orderId ?? []);
