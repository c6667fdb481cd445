// `journal copy`: the whole journal from the state folder into the database, or back. Both are held meanwhile.
import { recordHash } from '../../journal/chain.ts';
import { readTraderJournal } from '../../loop/trader-journal.ts';
import { realClock } from '../../ports/clock.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Environment } from '../keys/keys.ts';
import type { Settings } from '../settings/types.ts';
import { type BotJournal, lastOf } from '../state-folder/bot-journal.ts';
import { journalPath, translated } from '../state-folder/state-folder.ts';
import { isEmpty, postgresPlace, takeBoth } from './journal-of.ts';
import { placeText } from './postgres-place.ts';

export type CopyTarget = 'postgres' | 'sqlite';

/**
 * Copies all records that the journal keeps, those of the books before them, and the snapshot; then reads the copy: the
 * chain, its end, and every hash. Throws `StartError`: 73 if a bot runs, the target is not empty or the source is; 74
 * if one of them is damaged; 78 without `journal.kind: postgres`.
 */
export function copyJournalTo(to: CopyTarget, settings: Settings, environment: Environment) {
  const { stateFolder, journal } = settings;
  if (journal === null)
    throw new StartError(
      EXIT.configurationInvalid,
      'The configuration names no database: journal.kind is not postgres.',
    );
  const place = postgresPlace(journal, environment);
  const names = { sqlite: journalPath(stateFolder), postgres: placeText(place) };
  const from = to === 'postgres' ? 'sqlite' : 'postgres';
  const { folder, database, close } = takeBoth(stateFolder, place);
  try {
    const of = { sqlite: folder, postgres: database };
    if (!isEmpty(of[to])) throw refused(`${names[to]} has records already: only an empty journal is filled.`);
    if (isEmpty(of[from])) throw refused(`There are no records in ${names[from]}.`);
    const copied = translated(stateFolder, () => copyWhole(of[from], of[to]), names[from]);
    return { from: names[from], to: names[to], ...copied };
  } finally {
    close();
  }
}

const refused = (sentence: string): StartError =>
  new StartError(EXIT.stateUnusable, `${sentence} Nothing was changed.`);

function copyWhole(from: BotJournal, to: BotJournal) {
  assertWhole(from);
  to.load({ books: from.books(), records: from.read(), snapshot: from.snapshots.latest() });
  assertWhole(to);
  const [books, kept] = [sameRecords(from.books(), to.books()), sameRecords(from.read(), to.read())];
  const last = lastOf(to.read());
  return { books, records: kept, seq: last?.seq ?? 0 };
}

/** The chain from the first record kept to the last, and its fold. */
function assertWhole(journal: BotJournal): void {
  const read = readTraderJournal(journal, realClock);
  if (!read.ok) throw read.error;
}

/** Their number. A record is its hash, if that is of its content. */
function sameRecords(ours: Iterable<JournalRecord>, theirs: Iterable<JournalRecord>): number {
  const others = theirs[Symbol.iterator]();
  let count = 0;
  for (const record of ours) {
    const other = others.next().value as JournalRecord | undefined;
    if (other === undefined || recordHash(other) !== record.hash)
      throw new StartError(EXIT.diskError, `Record ${record.seq} of the copy is not the one that was read.`);
    count += 1;
  }
  if (others.next().done !== true) throw new StartError(EXIT.diskError, 'The copy has records that were not read.');
  return count;
}
