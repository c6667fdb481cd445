// Where an account's journal is, who has it, and what can be wrong with it: sentences that say what a person can do.
// None holds the URL, a user's password or a statement.
import type { DurationMs } from '../../domain/time.ts';
import { type Head, JournalError, type JournalErrorKind } from '../../journal/chain.ts';
import { type DatabaseAddress, hostsText } from './database-address.ts';
import type { Failure } from './database-bridge.ts';

/** An account's journal in a database. */
export interface PostgresPlace {
  readonly address: DatabaseAddress;
  readonly account: string;
  /** How long a statement may wait for server and standby. An append waits twice as long before it fails. */
  readonly waitMs: DurationMs;
  /** After this time without a renewal another host may take the account. */
  readonly leaseMs: DurationMs;
}

/** Who holds an account. */
export interface LeaseSeen {
  /** Whether it can be taken now. */
  readonly isFree: boolean;
  /** Raised by each opening. */
  readonly epoch: number;
  /** Null where nobody holds it. */
  readonly holder: string | null;
  /** By the database's clock; negative once the lease is over. */
  readonly leftMs: DurationMs;
  readonly latch: string | null;
}

export const placeText = ({ account, address }: Pick<PostgresPlace, 'account' | 'address'>): string =>
  `database ${address.database} at ${hostsText(address)} (account ${account})`;

export const takenOver = (place: PostgresPlace, epoch: number): JournalError =>
  new JournalError(
    'taken',
    `Another instance has taken over the journal in ${placeText(place)} since opening ${epoch}.`,
  );

export const endsElsewhere = (place: PostgresPlace, { seq }: Pick<Head, 'seq'>): JournalError =>
  new JournalError('damaged', `The journal in ${placeText(place)} ends with record ${seq}, not ours.`);

export const lockedBy = (
  place: PostgresPlace,
  { holder, leftMs }: Pick<LeaseSeen, 'holder' | 'leftMs'>,
): JournalError =>
  new JournalError(
    'locked',
    `Another instance holds the journal in ${placeText(place)}: ${holder}. ` +
      `If it is gone, the journal is free in ${Math.max(0, Math.ceil(leftMs / 1_000))} s.`,
  );

export const latchedFor = (reason: string): JournalError =>
  new JournalError('latched', `The kill latch of the account is set: ${reason}`);

type Trouble = readonly [kind: JournalErrorKind, words: string];

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), or the beginning of one. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  'too-old': ['unreachable', 'PostgreSQL 14 or newer is needed'],
  28: ['unreachable', 'it refuses user or password'],
  '3D000': ['unreachable', 'there is no such database'],
  42501: ['unreachable', 'the role lacks rights: it must own the schema quotekeeper, or be allowed to create it'],
  '42P01': ['not-a-journal', 'its schema quotekeeper lacks tables'],
  42703: ['not-a-journal', 'its schema quotekeeper has other tables'],
  23: ['damaged', 'its records do not fit its head'],
  53100: ['full', "the server's disk is full"],
  XX: ['damaged', 'the server found its files damaged'],
};

export function errorOf(place: PostgresPlace, failure: Failure, isOpen: boolean): JournalError {
  const lost: Trouble = isOpen
    ? ['failed', 'it is unknown what was written last; the next start reads it']
    : ['unreachable', 'it must be reachable and writable'];
  const code = failure.kind === 'refused' ? failure.code : null;
  const [kind, words] =
    code === null ? lost : (TROUBLES[code] ?? TROUBLES[code.slice(0, 2)] ?? ['failed', 'it refuses a statement']);
  return new JournalError(kind, `The journal in ${placeText(place)} can't be used: ${words}. ${failure.message}.`);
}
