// An account that several hosts share, for commands that do not hold it: who has it, its kill latch, and its orders.
// The latch counts beside that of each state folder: no host takes the account while it is set, and the one that has
// it stops.
import type { DurationMs } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import { readTraderJournal } from '../../loop/trader-journal.ts';
import { realClock } from '../../ports/clock.ts';
import { noOrders, type OwnOrders, ordersAtStart } from '../../watchdog/own-orders.ts';
import type { Environment } from '../keys/keys.ts';
import type { Settings } from '../settings/types.ts';
import { translated } from '../state-folder/state-folder.ts';
import { holderOf, postgresPlace } from './journal-of.ts';
import { openAccount, readPostgresJournal } from './postgres-journal.ts';
import { type LeaseSeen, placeText } from './postgres-place.ts';

type Shared = Pick<Settings, 'stateFolder' | 'journal'>;
type Account = ReturnType<typeof openAccount>;

/** Throws what `step` throws; null where the journal is the state folder's. */
function withAccount<T>(
  { stateFolder, journal }: Shared,
  environment: Environment,
  step: (of: Account) => T,
): T | null {
  if (journal === null) return null;
  const account = openAccount(postgresPlace(journal, environment), holderOf(stateFolder), realClock);
  try {
    return step(account);
  } finally {
    account.close();
  }
}

/** The same. Throws `StartError`. */
function asked<T>(shared: Shared, environment: Environment, step: (of: Account) => T): T | null {
  const place = shared.journal === null ? '' : placeText(postgresPlace(shared.journal, environment));
  return translated(shared.stateFolder, () => withAccount(shared, environment, step), place);
}

/** Null where the journal is the state folder's. Throws `StartError`. */
export const accountLease = (shared: Shared, environment: Environment): LeaseSeen | null =>
  asked(shared, environment, ({ look }) => look());

/** `reason`: removes that latch alone; null for any. Throws `StartError`. */
export const unlatchAccount = (shared: Shared, environment: Environment, reason: string | null): void =>
  void asked(shared, environment, ({ unlatch }) => unlatch(reason));

/** Returns a sentence if it could not be set. */
export function latchAccount(shared: Shared, environment: Environment, reason: string): string | null {
  return failureIn(() => withAccount(shared, environment, ({ latch }) => latch(reason)));
}

const LOOK_EVERY_MS: DurationMs = 500;

/**
 * Once the host that has the account has stopped or lost its lease: sees to it that none writes any more, so that the
 * journal holds every order that can be open. Returns a sentence if that host does not end within the time, or at once
 * if the database does not answer: what is known is canceled all the same.
 */
export async function fenceAccount(
  shared: Shared,
  environment: Environment,
  { reason, withinMs }: { readonly reason: string; readonly withinMs: DurationMs },
): Promise<string | null> {
  const until = realClock.monotonic() + withinMs;
  let isFenced = false;
  for (;;) {
    const failure = failureIn(() => {
      if (withAccount(shared, environment, ({ fence }) => fence(reason)) === false) return;
      isFenced = true;
    });
    if (failure !== null || isFenced) return failure;
    if (realClock.monotonic() >= until) return 'Another host has the account and does not end: orders may be placed.';
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Own orders that may be open, by the account's journal. Throws `StartError`. */
export function accountOrders({ stateFolder, journal }: Shared, environment: Environment): OwnOrders {
  if (journal === null) return noOrders(null);
  const place = postgresPlace(journal, environment);
  const read = (): OwnOrders => {
    const storage = readPostgresJournal(place, realClock);
    try {
      const found = readTraderJournal(storage, realClock);
      if (!found.ok) throw found.error;
      const { paperInstance } = found.value.journal;
      return ordersAtStart(noOrders(paperInstance), found.value, paperInstance);
    } finally {
      storage.close();
    }
  };
  return translated(stateFolder, read, placeText(place));
}

function failureIn(step: () => unknown): string | null {
  try {
    step();
    return null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return `The kill latch is set on this host alone, and another may quote. ${error.message}`;
  }
}
