// What holds of a session from its start on, and what shows whether its journal is older than the account.
import type { OrderId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import { endOfJournal } from '../durable/journal-facts.ts';
import type { RunSettings } from './settings.ts';

/** What a session compares the account with. */
export interface JournalAge {
  /** Up to when the journal knew of the account before it was in doubt, by our clock. */
  readonly endedAt: EpochMs;
  readonly endedFlat: boolean;
  /** False where the journal begins: there is nothing to compare. */
  readonly isJudged: boolean;
  /** Orders that the file of own orders names and the journal has never heard of. */
  readonly ownMarks: ReadonlySet<OrderId>;
}

/** By the fold of a journal, before a session adds to it. */
const ageOfJournal = (durable: Durable, ownMarks: ReadonlySet<OrderId>): JournalAge => ({
  endedAt: endOfJournal(durable.journal),
  endedFlat: durable.journal.endedFlat,
  isJudged: durable.books.opened,
  ownMarks,
});

export interface SessionFacts {
  readonly startedAt: EpochMs;
  /**
   * Whether no order can be open that an earlier session placed: it proved that, or there was none, and nothing shows
   * that the journal may be older than that.
   */
  beganFlat: boolean;
  /** Up to when the journal knew of the account before this session. */
  readonly knownToBefore: EpochMs;
  /** What shows whether the journal is older than the account. */
  journalAge: JournalAge;
  /** A person said that the present differences between wallet and ledger are his: the first found are booked so. */
  acceptDifferences: boolean;
  /** When people were last warned that the cash of an asset runs out, by asset. */
  readonly cashToldAt: Map<Asset, EpochMs>;
  /** Runs of which people were told that trades cost more than is configured. */
  readonly dearTold: Set<RunSettings>;
  /** Whether the exchange's clock was ever known: memories begin then. */
  clockKnown: boolean;
  /** Whether our clock was compared with that of the session before, by one that the exchange confirmed. */
  clockCompared: boolean;
}

export const startSession = (durable: Durable, now: EpochMs): SessionFacts => ({
  startedAt: now,
  beganFlat: durable.orders.intents.size === 0 && (durable.journal.endedFlat || !durable.books.opened),
  knownToBefore: durable.journal.knownTo,
  journalAge: ageOfJournal(durable, new Set()),
  acceptDifferences: false,
  cashToldAt: new Map(),
  dearTold: new Set(),
  clockKnown: false,
  clockCompared: false,
});
