// The watchdog's state, its inputs and its effects. Part of `watch.ts`.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Lease, ProcessState } from '../ports/lease.ts';
import type { OwnOrders } from './own-orders.ts';
import type { SweepSending } from './sweep.ts';
import type { SweepAnswer } from './sweep-answers.ts';
import type { Sweep, SweepSettings } from './sweep-state.ts';

/** Prefix of the reason of a latch set by a watchdog. */
export const BY_WATCHDOG = 'The watchdog: ';

export interface WatchSettings {
  /** The bot is ended after this long without progress of its loop. */
  readonly ttlMs: DurationMs;
  readonly lookEveryMs: DurationMs;
  /** Between SIGTERM and SIGKILL. */
  readonly termGraceMs: DurationMs;
  /** W + ε + Lm: how long after the bot's end its last create may still be accepted. */
  readonly horizonMs: DurationMs;
  /** Whether it uses the bot's key: the exchange counts both together. */
  readonly sharesKey: boolean;
  /** Who removes the latch after a proof: the watchdog that set it, or a person. */
  readonly rearm: 'by-person' | 'after-proof';
  /** After this long without proof it ends and reports what is left. */
  readonly giveUpMs: DurationMs;
  readonly sweep: SweepSettings;
}

/** Both clocks at one moment: decisions use the monotonic one. */
export interface Moment {
  readonly wall: EpochMs;
  readonly mono: DurationMs;
}

/** Evidence gathered only when it matters. */
export interface Evidence {
  readonly orders: OwnOrders;
  /** Why the file of own orders can't be trusted; null when it can. */
  readonly damaged: string | null;
  readonly latched: string | null;
  /** Whether a watchdog set that latch and may remove it. */
  readonly mayRearm: boolean;
  readonly bot: BotSight;
}

export interface BotSight {
  readonly process: ProcessState;
  /** Whether a process holds the state folder. */
  readonly folderHeld: boolean;
}

export type WatchInput =
  /** Comes every `lookEveryMs`, and when `wakeAt` requires it. */
  | { readonly kind: 'look'; readonly lease: Lease | null }
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  | { readonly kind: 'latched'; readonly failure: string | null }
  | { readonly kind: 'bot'; readonly bot: BotSight }
  | Rearmed
  | ({ readonly kind: 'completed' } & SweepAnswer);

/** The result of re-arming: done, and how often today; or why the latch stays. */
export type Rearmed =
  | { readonly kind: 'rearmed'; readonly today: number; readonly mostPerDay: number }
  | { readonly kind: 'kept'; readonly why: string };

export type WatchEffect =
  /** Answered by `evidence`. */
  | { readonly kind: 'gather' }
  /** Durable before the next effect; answered by `latched`. */
  | { readonly kind: 'latch'; readonly reason: string }
  /** Only to the exact process that wrote the lease. */
  | { readonly kind: 'signal'; readonly signal: 'SIGTERM' | 'SIGKILL' }
  /** Answered by `bot`. */
  | { readonly kind: 'look-at-bot' }
  /** Answered by `completed`. */
  | ({ readonly kind: 'send' } & SweepSending)
  /** No order known to be the bot's is open: the file of own orders may start fresh, with its questions. */
  | { readonly kind: 'forget-orders' }
  /** Answered by `rearmed` or `kept`. */
  | { readonly kind: 'rearm' }
  /** The latch will not be removed automatically: a caller that waits for that may stop waiting. */
  | { readonly kind: 'leave-to-person'; readonly why: string }
  | { readonly kind: 'tell'; readonly level: 'info' | 'warn' | 'error'; readonly op: string; readonly message: string }
  /** `flat`: acted and proved. */
  | { readonly kind: 'end'; readonly flat: boolean };

export type WatchPhase =
  | 'starting'
  | 'watching'
  | 'deciding'
  | 'latching'
  | 'ending'
  | 'clearing'
  | 'rearming'
  | 'done';

export interface WatchState {
  readonly settings: WatchSettings;
  readonly phase: WatchPhase;
  /** As last seen; undefined before the first look. */
  readonly lease: Lease | null | undefined;
  /** Whether a bot has shown progress during this watch, and has not ended well since. */
  readonly lived: boolean;
  /** When the lease was last seen renewed, or the watch began. */
  readonly beatAt: DurationMs;
  readonly lookedAt: DurationMs;
  /**
   * Since when the exchange has not answered a running bot, once reported; null while it answers. By the bot's clock.
   */
  readonly silentSince: EpochMs | null;
  /** Set from the expiry of the lease on. */
  readonly kill: KillState | null;
}

export interface Turn {
  readonly state: WatchState;
  readonly effects: readonly WatchEffect[];
  /** The latest time of the next look, by the monotonic clock. */
  readonly wakeAt: DurationMs;
}

export interface KillState {
  readonly reason: string;
  readonly orders: OwnOrders;
  readonly damaged: string | null;
  readonly actedAt: DurationMs;
  readonly isLatched: boolean;
  /** When the latch was last tried. */
  readonly latchTriedAt: DurationMs;
  /** The progress of the bot's end; null before the latch. */
  readonly end: { readonly termAt: DurationMs; readonly killedAt: DurationMs | null; readonly isGone: boolean } | null;
  /** Owned linearly. */
  readonly sweep: Sweep | null;
}

export function turnOf(state: WatchState, now: Moment, effects: readonly WatchEffect[] = []): Turn {
  return { state, effects, wakeAt: now.mono + state.settings.lookEveryMs };
}

/** It ends; `isFlat`: no order of the bot is open, and that is proved or the bot said so. */
export function lastTurn(state: WatchState, now: Moment, effects: readonly WatchEffect[], isFlat: boolean): Turn {
  return turnOf({ ...state, phase: 'done' }, now, [...effects, { kind: 'end', flat: isFlat }]);
}

export const tell = (level: 'info' | 'warn' | 'error', op: string, message: string): WatchEffect => ({
  kind: 'tell',
  level,
  op,
  message,
});

export const seconds = (ms: DurationMs): string => `${(ms / 1_000).toFixed(1)} s`;
