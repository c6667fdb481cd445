// Facts of a session from its start on, its requests, and whether each lane of the exchange answers.
import type { OrderId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Chosen } from '../durable/chosen.ts';
import type { Durable } from '../durable/durable.ts';
import { endOfJournal } from '../durable/journal-facts.ts';
import type { RunSettings } from './settings.ts';

/** Facts of the journal that the account is compared with. */
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
  /** Evidence that the journal may be older than the account. */
  journalAge: JournalAge;
  /** A person said that the present differences between wallet and ledger are his: the first found are booked so. */
  acceptDifferences: boolean;
  /** When people were last warned that the cash of an asset runs out, by asset. */
  readonly cashToldAt: Map<Asset, EpochMs>;
  /** Runs of which people were told that trades cost more than is configured. */
  readonly dearTold: Set<RunSettings>;
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
  clockCompared: false,
});

// Requests of this session: those on their way, and counts that the choice of the next one goes by.

export interface Requests {
  /** Requests that are on their way, by key. */
  readonly inFlight: Map<string, InFlight>;
  /** How many have left, by kind and outcome. */
  readonly counts: Map<string, number>;
  /** Requests per second that each lane makes at present, as it learned. */
  readonly pace: { public: number; private: number };
  /** How many of the last private requests were repeated cancels, in a row. */
  cancelsRepeated: number;
  /** How many have left on the private lane. */
  privateTurns: number;
  /** How many reads have left on the private lane since the last create. */
  readsSinceCreate: number;
  /** When a create last had to wait for room within a minute; null once that is written down. */
  createsWithheldAt: EpochMs | null;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
}

/** `pace`: as configured. */
export const startRequests = (pace: Requests['pace']): Requests => ({
  inFlight: new Map(),
  counts: new Map(),
  pace: { ...pace },
  cancelsRepeated: 0,
  privateTurns: 0,
  readsSinceCreate: 0,
  createsWithheldAt: null,
  scopedOrdersUntil: 0,
});

// Whether one lane of the exchange answers: what the last answers and the first unanswered request tell.

/**
 * The two lanes fail apart: public and private requests may go to different addresses, and each has its own rate limit.
 */
export type ContactLane = 'public' | 'private';

/** Why a symbol rests whose creates did not leave this machine: not its own fault. */
export const NOTHING_LEFT = 'nothing left this machine';

export interface Contact {
  /** When the last answer came that the trader used; null before the first. */
  readonly usedAt: EpochMs | null;
  /** When the first request left that was not answered since then; null while the lane answers. */
  readonly silentSince: EpochMs | null;
  /** How many requests have come to nothing since then. */
  readonly probes: number;
  /** How the last of them failed, one sentence; null while the lane answers. */
  readonly because: string | null;
  /** The exchange itself answered the last of them: too many requests, or a failure with a code of its own. */
  readonly refuses: boolean;
  /** When the lane answered again after its last silence; null before the first. */
  readonly againAt: EpochMs | null;
  /** Reads wait until then: a 503 or 504 named it. */
  readonly readsFrom: EpochMs;
  /** When the last read was answered, and the first of the row of reads without a long gap between two. */
  readonly readAt: EpochMs;
  readonly readSince: EpochMs;
}

/** A request that is on its way. */
export interface InFlight {
  readonly chosen: Chosen;
  readonly lane: ContactLane;
  readonly leftAt: EpochMs;
}

export function startContact(now: EpochMs): Contact {
  return {
    usedAt: null,
    silentSince: null,
    probes: 0,
    because: null,
    refuses: false,
    againAt: null,
    readsFrom: 0,
    readAt: now,
    readSince: now,
  };
}
