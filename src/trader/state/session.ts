// Facts of a session from its start on, its requests, and whether each lane of the exchange answers.
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import { type Durable, endOfJournal } from '../durable/durable.ts';
import type { RunSettings } from './settings.ts';

/** Facts about the journal for comparison with the account. */
export interface JournalAge {
  /** Up to when the journal knew the account before it was in doubt, by our clock. */
  readonly endedAt: EpochMs;
  readonly endedFlat: boolean;
  /** False for a new journal: there is nothing to compare. */
  readonly isJudged: boolean;
  /** Orders in the file of own orders that are not in the journal. */
  readonly ownMarks: ReadonlySet<OrderId>;
}

/** From the fold of a journal, before a session adds to it. */
const ageOfJournal = (durable: Durable, ownMarks: ReadonlySet<OrderId>): JournalAge => ({
  endedAt: endOfJournal(durable.journal),
  endedFlat: durable.journal.endedFlat,
  isJudged: durable.books.opened,
  ownMarks,
});

export interface SessionFacts {
  readonly startedAt: EpochMs;
  /**
   * Whether no order of an earlier session can be open: it proved that, or there was none, and nothing shows that the
   * journal may be older than that.
   */
  beganFlat: boolean;
  /** Up to when the journal knew the account before this session. */
  readonly knownToBefore: EpochMs;
  /** Evidence that the journal may be older than the account. */
  journalAge: JournalAge;
  /**
   * A person said that the present differences between wallet and ledger are his: the first ones found are booked so.
   */
  acceptDifferences: boolean;
  /** When people were last warned that the cash of an asset runs out, by asset. */
  readonly cashToldAt: Map<Asset, EpochMs>;
  /** Runs for which people were notified that trades cost more than configured. */
  readonly expensiveNotified: Set<RunSettings>;
  /** Whether our clock was compared with that of the previous session, by an exchange time that was confirmed. */
  clockCompared: boolean;
}

export const startSession = (durable: Durable, now: EpochMs): SessionFacts => ({
  startedAt: now,
  beganFlat: durable.orders.intents.size === 0 && (durable.journal.endedFlat || !durable.books.opened),
  knownToBefore: durable.journal.knownTo,
  journalAge: ageOfJournal(durable, new Set()),
  acceptDifferences: false,
  cashToldAt: new Map(),
  expensiveNotified: new Set(),
  clockCompared: false,
});

// Requests of this session: those in flight, and counts for choosing the next one.

/** A request that the planner chose, and its purpose. */
export interface Chosen {
  readonly request: VenueRequest;
  /** Names its action: while it is in flight, no other request with this key is chosen. */
  readonly key: string;
  /** The order that is created or canceled. */
  readonly intentId: IntentId | null;
  /** A short phrase for people: the purpose of the request. */
  readonly purpose: string;
  /** Set for a question of a reading to the end: its answer belongs to that reading. */
  readonly reading?: true;
}

/** The key of a question of the account activity scan, also of one about a market that has got a run since. */
export const ACTIVITY_KEY = 'flows';

export interface Requests {
  /** Requests in flight, by key. */
  readonly inFlight: Map<string, InFlight>;
  /** Number of requests by kind and outcome. */
  readonly counts: Map<string, number>;
  /** Each lane's learned pace, in requests per second. */
  readonly pace: { public: number; private: number };
  /** Number of repeated cancels in a row among the last private requests. */
  cancelsRepeated: number;
  /** Number of requests sent on the private lane. */
  privateTurns: number;
  /** Number of reads sent on the private lane since the last create. */
  readsSinceCreate: number;
  /** When a create last had to wait for room within a minute; null once that is recorded. */
  createsWithheldAt: EpochMs | null;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
}

/** `pace`: the configured pace. */
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

// Whether one lane of the exchange answers, from the last answers and the first unanswered request.

/**
 * The two lanes fail apart: public and private requests may go to different addresses, and each has its own rate limit.
 */
export type ContactLane = 'public' | 'private';

/** Why a symbol rests whose creates did not leave this machine: it is not its own fault. */
export const NOTHING_LEFT = 'nothing left this machine';

export interface Contact {
  /** When the last answer came that the trader used; null before the first. */
  readonly usedAt: EpochMs | null;
  /** When the first request left that is unanswered since; null while the lane answers. */
  readonly silentSince: EpochMs | null;
  /** Failed requests since then. */
  readonly probes: number;
  /** How the last of them failed, one sentence; null while the lane answers. */
  readonly because: string | null;
  /** The exchange itself answered the last of them: too many requests, or a failure with a code of its own. */
  readonly refuses: boolean;
  /** When the lane answered again after its last silence; null before the first. */
  readonly againAt: EpochMs | null;
  /** Reads wait until then, as a 503 or 504 named it. */
  readonly readsFrom: EpochMs;
  /** When the last read was answered, and the first in the current row of reads without a long gap. */
  readonly readAt: EpochMs;
  readonly readSince: EpochMs;
}

/** A request in flight. */
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
