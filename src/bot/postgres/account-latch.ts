// The kill latch of an account that several hosts share, in the database: no host takes the account while it is set,
// and the one that has it stops. Beside the latch of each state folder.
import { JournalError } from '../../journal/chain.ts';
import { realClock } from '../../ports/clock.ts';
import type { Environment } from '../keys/keys.ts';
import type { Settings } from '../settings/types.ts';
import { translated } from '../state-folder/state-folder.ts';
import { holderOf, postgresPlace } from './journal-of.ts';
import { changeLatch, type LeaseSeen, placeText, watchLease } from './postgres-journal.ts';

type Shared = Pick<Settings, 'stateFolder' | 'journal'>;

/** Null where the journal is the state folder's. Throws `StartError`. */
export function accountLease({ stateFolder, journal }: Shared, environment: Environment): LeaseSeen | null {
  if (journal === null) return null;
  const place = postgresPlace(journal, environment);
  const look = (): LeaseSeen => {
    const lease = watchLease(place, holderOf(stateFolder), realClock);
    try {
      return lease.look();
    } finally {
      lease.close();
    }
  };
  return translated(stateFolder, look, placeText(place));
}

/** Returns a sentence if it could not be set. */
export function latchAccount({ journal }: Shared, environment: Environment, reason: string): string | null {
  if (journal === null) return null;
  try {
    changeLatch(postgresPlace(journal, environment), { set: reason }, realClock);
    return null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return `The kill latch is set on this host alone, and another may quote. ${error.message}`;
  }
}

/** `reason`: removes that latch alone; null for any. Throws `StartError`. */
export function unlatchAccount(
  { stateFolder, journal }: Shared,
  environment: Environment,
  reason: string | null,
): void {
  if (journal === null) return;
  const place = postgresPlace(journal, environment);
  translated(stateFolder, () => changeLatch(place, { remove: reason }, realClock), placeText(place));
}
