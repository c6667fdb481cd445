// The terms of the fault catalogue (order-truth §7): what is injected where, how often, and what it excuses.
import type { HaltCode } from '../../src/quoting/block.ts';
import type { MessageFault } from './fault-plan.ts';

/** Number of a fault in the catalogue: `F01` to `F111` are from order-truth §7, `F112` and up our own. */
export type FaultId = `F${number}`;

export const FAULT_GROUPS = [
  'create',
  'cancel',
  'open-orders',
  'trades',
  'wallet',
  'market-data',
  'transport',
  'time',
  'process',
  'rate-limit',
  'outside',
  'watchdog',
  'public-data',
  'steering',
] as const;

export type FaultGroup = (typeof FAULT_GROUPS)[number];

/** The requests that a fault may be injected in; `cancel` is every kind of cancel. */
export type Target =
  | 'create'
  | 'cancel'
  | 'cancel-symbol'
  | 'open-orders'
  | 'spot-trades'
  | 'wallet'
  | 'order-book'
  | 'any';

/** Changes to the body or headers of an answer in transit (`answer-faults.ts`). */
export type AnswerFault =
  | 'reused-id'
  | 'hole'
  | 'shuffled'
  | 'garbled-row'
  | 'no-rows'
  | 'repeated-row'
  | 'odd-wallet'
  | 'empty-side'
  | 'crossed'
  | 'shifted-decimal'
  | 'odd-number'
  | 'other-symbol'
  | 'cached'
  | 'no-date'
  | 'odd-rate-headers'
  | 'odd-notation';

/** Conditions that last for a stretch of time (`timed-faults.ts`). */
export type TimedFault =
  | 'no-network'
  | 'maintenance'
  | 'storm'
  | 'frozen-symbol'
  | 'shifted-book'
  | 'stale-book'
  | 'half-limit'
  | 'banned'
  | 'purge'
  | 'no-cancels'
  | 'no-books'
  | 'late-orders'
  | 'late-trades'
  | 'late-wallet';

/** Actions of the account's owner (`owner-faults.ts`). */
export type OwnerFault =
  | 'lock-funds'
  | 'many-orders'
  | 'twin-order'
  | 'delay-trade'
  | 'burst-of-trades'
  | 'trades-at-once'
  | 'bust-trade'
  | 'correct-trade'
  | 'take-own-order'
  | 'deposit'
  | 'withdrawal'
  | 'simple-trade'
  | 'manual-trade'
  | 'manual-order'
  | 'cancel-own-orders'
  | 'expire-order'
  | 'correct-quantity';

/** How a run's exchange is configured (`venue-faults.ts`). */
export type VenueFault =
  | 'orders-lag'
  | 'trades-lag'
  | 'wallet-lag'
  | 'matching-lag'
  | 'cancel-lag'
  | 'large-ids'
  | 'capped-list'
  | 'capped-pages'
  | 'archive-overlaps'
  | 'fee-in-base';

/** Faults of the bot's clock or timers (`clock-faults.ts`). */
export type ClockFault = 'skew' | 'drift' | 'step' | 'suspend' | 'stall' | 'late-timers';

/** Where the bot ends and is restarted from its durable state (`crash-points.ts`). */
export type CrashFault = 'crash' | 'long-absence' | 'storage-loss' | 'write-error' | 'damaged-journal';

/** A person's actions on a running bot. */
export type OperatorFault = 'kill' | 'lock' | 'revise' | 'resume' | 'pause' | 'add-market';

/** Faults of a watched bot, and of its watchdog (`watchdog/dead-man.ts`). */
export type WatchdogFault = 'hang' | 'death' | 'death-of-both' | 'cancel-all';

/**
 * How a fault is injected. A magnitude is drawn log-uniform between `from` and `to` and is: a chance per message
 * (`message`, `answer`), times per hour (`timed`, `owner`, `crash`, `watchdog`, clock steps), milliseconds (`venue`
 * lags, skew), ppm (drift).
 */
export type Injection =
  | { readonly via: 'message'; readonly fault: MessageFault; readonly on: Target }
  | { readonly via: 'answer'; readonly fault: AnswerFault; readonly on: Target }
  | { readonly via: 'timed'; readonly fault: TimedFault; readonly longestMs: number }
  | { readonly via: 'owner'; readonly fault: OwnerFault }
  | { readonly via: 'venue'; readonly fault: VenueFault }
  | { readonly via: 'clock'; readonly fault: ClockFault }
  | { readonly via: 'crash'; readonly fault: CrashFault }
  | { readonly via: 'operator'; readonly fault: OperatorFault }
  | { readonly via: 'watchdog'; readonly fault: WatchdogFault };

/**
 * Deviations that a run with this fault may show, apart from halts, while its effects last.
 * - `jump`: two books in a row may be wrong where they are read by the minute, or where no price was known before: a
 *   price that jumped and stayed.
 * - `difference`: money moves that no trade explains, so wallet and ledger may differ until it is found or a person
 *   accepts it.
 * - `funds`: the owner uses what the bot counts on: an order may be refused, or exceed its limit.
 * - `unbooked`: the last trade known is undone, or can't be read: reads of own trades begin at another one.
 * - `second-order`: the exchange makes two orders of one create.
 * - `trailing`: a list trails by more than is assumed, which is said.
 * - `hole`: a list may lack an order when it is first read after the lag bound, so that it seems to trail by more.
 */
export type Excuse = 'jump' | 'difference' | 'funds' | 'unbooked' | 'second-order' | 'trailing' | 'hole';

export interface FaultSpec {
  readonly id: FaultId;
  readonly group: FaultGroup;
  /** The exact fault. */
  readonly sentence: string;
  /** Null if this simulator doesn't inject it; then `elsewhere` names the test files that do, or says why none does. */
  readonly injection: Injection | null;
  readonly magnitude: readonly [from: number, to: number];
  readonly excuses: readonly Excuse[];
  /** Codes for which a symbol may halt until a person acts. */
  readonly halts: readonly HaltCode[];
  readonly elsewhere: string | null;
  /** The injected part of the sentence, if not all of it. */
  readonly partly: string | null;
}

export type Momentary = Extract<Injection, { via: 'owner' | 'crash' | 'clock' | 'operator' | 'watchdog' }>;

/** Holds for the whole run. */
export const isConstant = (injection: Injection): boolean =>
  injection.via === 'venue' || (injection.via === 'clock' && ['skew', 'drift'].includes(injection.fault));

/** Happens at moments of its own. */
export const isMomentary = (injection: Injection): injection is Momentary =>
  ['owner', 'crash', 'clock', 'operator', 'watchdog'].includes(injection.via) && !isConstant(injection);

/** Its magnitude is its frequency per hour. */
export const isByTheHour = (injection: Injection): boolean =>
  injection.via === 'timed' || (isMomentary(injection) && injection.fault !== 'long-absence');
