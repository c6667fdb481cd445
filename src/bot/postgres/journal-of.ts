// Opens the journal where the configuration keeps it: in the state folder, or in a database. The folder is taken in
// both cases, since it holds the latch, own orders and locks, and no two bots may share it.
import { hostname } from 'node:os';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { type Environment, readSecret } from '../keys/keys.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import { takeStateFolder, translated } from '../state-folder/state-folder.ts';
import { databaseAddress } from './database-address.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { type PostgresPlace, placeText } from './postgres-place.ts';

type Section = NonNullable<Settings['journal']>;
type Kept = Pick<Settings, 'stateFolder' | 'journal'>;

/** Throws `StartError` (78) if the URL can't be read or is none. */
export function postgresPlace({ url, account, waitMs, leaseMs }: Section, environment: Environment): PostgresPlace {
  return { address: databaseAddress(readSecret(url, environment)), account, waitMs, leaseMs };
}

/** Texts that no log may show. Throws as above. */
export function journalSecrets({ journal }: Kept, environment: Environment): readonly string[] {
  if (journal === null) return [];
  return [readSecret(journal.url, environment).reveal(), postgresPlace(journal, environment).address.password];
}

/** The same words after a restart on the same machine, which need not wait for the lease to end. */
export const holderOf = (stateFolder: string): string => `${hostname()}:${stateFolder}`;

export interface BothJournals {
  readonly folder: BotJournal;
  readonly database: BotJournal;
  close(): void;
}

/** Takes the state folder and the account in the database. Throws `StartError`. */
export function takeBoth(stateFolder: string, place: PostgresPlace): BothJournals {
  const folder = takeStateFolder(stateFolder);
  try {
    const open = () => openPostgresJournal(place, holderOf(stateFolder), realClock);
    const database = translated(stateFolder, open, placeText(place));
    const close = (): void => {
      database.close();
      folder.close();
    };
    return { folder, database, close };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/**
 * Takes the state folder and the journal for this process. Throws `StartError`: 78 for a bad URL, 73 if another
 * instance has one of them, the database can't be used, or it is empty and the folder's journal is not; 74 if it is
 * damaged.
 */
export function takeJournal({ stateFolder, journal }: Kept, environment: Environment): BotJournal {
  if (journal === null) return takeStateFolder(stateFolder);
  const place = postgresPlace(journal, environment);
  const { folder, database, close } = takeBoth(stateFolder, place);
  if (!isEmpty(database) || isEmpty(folder)) return { ...database, close };
  close();
  throw new StartError(
    EXIT.stateUnusable,
    `There are records in ${stateFolder} and none in ${placeText(place)}. To go on with them: ` +
      '`quotekeeper journal copy --to postgres`. To begin afresh: use another state folder.',
  );
}

export const isEmpty = (journal: Pick<BotJournal, 'read'>): boolean =>
  journal.read()[Symbol.iterator]().next().done === true;
