// The checks' view: both sides of the wire, the run's planned faults, and a place to record violations.
import { type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { Notice } from '../../src/trader/state/turn.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import type { Halted } from '../excuses/excuses.ts';
import type { Excuse } from '../faults/fault-kinds.ts';
import type { Counters } from '../machine/counters.ts';
import type { InvariantId } from './invariants.ts';
import type { JournalIntent, JournalModel, Told } from './journal-model.ts';
import type { Oracle, TrueOrder } from './oracle.ts';

/** An outgoing message of the bot. */
export interface Outgoing {
  readonly endpoint: EndpointName;
  readonly request: HttpRequest;
  readonly body: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The intent that signed these bytes; null for anything but a create, and for one without an intent. */
  readonly intent: JournalIntent | null;
}

/** A message of the bot that was answered or given up. */
export interface Answered extends Outgoing {
  readonly status: number | null;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sentAt: EpochMs;
}

const PUBLIC: ReadonlySet<string> = new Set(['order-book', 'public-trades']);

/** Whether it carries the key: without it the bot reads only books and public trades. */
export const isPrivate = ({ endpoint }: { readonly endpoint: string }): boolean => !PUBLIC.has(endpoint);

export type RunPhase = 'chaos' | 'calm' | 'stopping' | 'afterward';

export interface CheckContext {
  readonly journal: JournalModel;
  readonly oracle: Oracle;
  readonly counters: Counters;
  /** As changed by people so far. */
  readonly settings: TraderSettings;
  /** Name of the bot's account. */
  readonly account: string;
  /** True time. */
  now(): EpochMs;
  /** The bot's clock against true time. */
  clockError(): DurationMs;
  /**
   * When the machine last woke from a sleep that stopped all its clocks, by the bot's clock; null if it never slept.
   */
  wokeAt(): EpochMs | null;
  exchange(): ExchangeState;
  /** Whether the bot's process runs. */
  isUp(): boolean;
  /** The bot's own state, only to be judged (docs/testing.md); null while it is down. */
  trader(): TraderState | null;
  /** Whether the running process records its actions: false once a write has failed. */
  canWrite(): boolean;
  phase(): RunPhase;
  calmSince(): EpochMs;
  /** Since when the kill latch is set; null while it is not. */
  latchedSince(): EpochMs | null;
  /** Until when the kill latch keeps a watched bot down: now while it is set. */
  keptDownUntil(): EpochMs;
  /** Until then a start must refuse: the journal's last record is later than now by the bot's clock. */
  aheadUntil(): EpochMs;
  /** Whether a person told the writing process that differences are the owner's own. */
  isToldToAccept(): boolean;
  /** Whether one of the run's faults excuses this now. */
  excused(excuse: Excuse): boolean;
  /** Whether effects of a fault with this excuse may have come after this moment. */
  hadEffectsAfter(excuse: Excuse, moment: EpochMs): boolean;
  /** Whether one of the run's faults excuses this halt. */
  mayHalt(halted: Halted): boolean;
  /** Whether the run has no fault at all. */
  faultFree(): boolean;
  violated(invariant: InvariantId, sentence: string): void;
}

/** One group of invariants. Every hook is optional; all are called with the state already updated. */
export interface Checker {
  /** Every create, cancel or read whose first byte leaves. */
  sent?(context: CheckContext, message: Outgoing): void;
  answered?(context: CheckContext, message: Answered): void;
  /** A record is durable and in the journal model. */
  recorded?(context: CheckContext, told: Told, record: JournalRecord): void;
  noticed?(context: CheckContext, notice: Notice): void;
  /** After every event of the world; `changed`: orders, fills or the journal did. */
  event?(context: CheckContext, changed: boolean): void;
  /** Periodically: `SAMPLE_MS`. */
  sampled?(context: CheckContext): void;
  /** The bot crashed, and later comes back. */
  crashed?(context: CheckContext): void;
  /** After the calm phase and the stop, when nothing moves any more. */
  atRest?(context: CheckContext): void;
}

export const SAMPLE_MS: DurationMs = 10_000;

/** Two reconciliations: each is a wallet and the reads after it, on a lane shared with everything else. */
export const reconciliationsMs = ({ settings }: CheckContext): DurationMs => 4 * settings.polling.walletMs;

/** The pages before and after the wallet. */
const PAGES_MS: DurationMs = 2 * MINUTE;
/**
 * Lists read to explain a difference, archives included: on a slow lane each waits until it is late, as trades do, and
 * changes in between require a second reading.
 */
const LISTS = 10;
export const sweepsMs = ({ settings }: CheckContext): DurationMs => PAGES_MS + 2 * LISTS * settings.polling.tradesMs;

/** Lists trail by up to this many lag bounds while they trail by more than is assumed (F121). */
const TRAIL_AT_MOST = 3;

/**
 * Whether the bot may hold a live order for closed because lists lacked it for longer than it assumes that they may:
 * that they did is true, and E1 and E2 judge the rest of the proof. Once they show the order, it is open again.
 */
export const mayBeClosedTooSoon = (
  { settings, now }: CheckContext,
  { closedAs, since }: JournalIntent,
  { lackedTooLong }: TrueOrder,
): boolean =>
  (closedAs === 'canceled' || closedAs === 'not-placed') &&
  lackedTooLong &&
  now() - since <= TRAIL_AT_MOST * settings.assumptions.readLagBoundMs + MINUTE;
