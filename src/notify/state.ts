// What is remembered of what was told: problems that last, messages that wait, and how each channel does.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Message, MessageKind, Severity } from './message.ts';

/** Which occurrences a channel takes, and how many messages a minute. */
export interface ChannelRule {
  readonly name: string;
  readonly from: Severity;
  /** Null: all. */
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
  readonly maxPerMinute: number;
}

export interface NotifyRules {
  /** What lasts is told again so often. */
  readonly repeatAfterMs: DurationMs;
  /** Most messages that wait for one channel. */
  readonly mostWaiting: number;
  readonly channels: readonly ChannelRule[];
}

/** The same `op` of the same symbol, from its first occurrence on. */
export interface Problem {
  readonly op: string;
  readonly symbol: string | null;
  /** The gravest that was told. */
  readonly severity: Severity;
  /** Of the last occurrence. */
  readonly text: string;
  readonly since: EpochMs;
  readonly lastAt: EpochMs;
  readonly toldAt: EpochMs;
  /** Occurrences since it was told. */
  readonly more: number;
  /** Whether somebody says when it is over; else it is over when it does not come again. */
  readonly lasts: boolean;
  /** When it becomes a page where it still lasts; null where it does not. */
  readonly pageAt: EpochMs | null;
}

/** A message on its way to one channel. */
export interface Delivery {
  readonly channel: string;
  readonly message: Message;
  /** How often it failed and the channel then took another one. */
  readonly refusals: number;
  /** It failed since the channel last took another one: the message may be wrong, or the channel. */
  readonly isRefused: boolean;
  /** Pause of this message alone; null where it has none. */
  readonly retryAt: EpochMs | null;
}

/** What the rate did not let through. */
export interface Held {
  readonly count: number;
  readonly since: EpochMs;
  readonly severity: Severity;
  readonly byOp: Readonly<Record<string, number>>;
  /** Sentences of pages and all-clears, as many as fit. */
  readonly pages: readonly string[];
}

interface Dropped {
  readonly count: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface ChannelState {
  /** Messages that may be admitted now. */
  readonly tokens: number;
  readonly refilledAt: EpochMs;
  readonly held: Held | null;
  readonly dropped: Dropped | null;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** Null while each message reaches all that it is for. */
  readonly failingSince: EpochMs | null;
  readonly because: string | null;
  readonly retryAt: EpochMs | null;
}

export interface NotifyState {
  /** Makes the names of messages differ from those of another outbox. */
  readonly origin: string;
  /** Number of the next message. */
  readonly next: number;
  readonly problems: ReadonlyMap<string, Problem>;
  /** In the order in which they were said. */
  readonly waiting: ReadonlyMap<string, Delivery>;
  readonly channels: ReadonlyMap<string, ChannelState>;
  /** When the last input came; null before the first of a process. */
  readonly seenAt: EpochMs | null;
}

export type SendResult =
  /** `without`: in a sentence, who of those that it is for did not get it. */
  | { readonly kind: 'sent'; readonly without?: string }
  /** The channel does not work. */
  | { readonly kind: 'failed'; readonly because: string; readonly retryAfterMs: DurationMs | null }
  /** It answers, and does not take this message; the answer does not tell whether it would take another one. */
  | { readonly kind: 'refused'; readonly because: string };

export const OUTCOMES = ['sent', 'failed', 'refused', 'held-back', 'dropped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Of a message that was not sent yet. */
export const UNTRIED = { refusals: 0, isRefused: false, retryAt: null } as const;

/** For the metrics. */
export interface Counted {
  readonly channel: string;
  readonly outcome: Outcome;
}

/** For the log. */
export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly op: string;
  readonly message: string;
}

/** One step: the state while it changes, and what is to be counted and logged of it. */
export interface NotifyTurn {
  state: NotifyState;
  readonly rules: NotifyRules;
  readonly now: EpochMs;
  readonly counted: Counted[];
  readonly lines: Line[];
}

/** A message that has no name yet. */
export interface Saying {
  readonly kind: MessageKind;
  readonly severity: Severity;
  readonly op: string;
  readonly symbol: string | null;
  readonly since: EpochMs;
  readonly text: string;
}

export const problemKey = (op: string, symbol: string | null): string => `${op} ${symbol ?? ''}`.trimEnd();
export const deliveryKey = ({ channel, message }: Pick<Delivery, 'channel' | 'message'>): string =>
  `${channel} ${message.id}`;

/** Of a channel that has said nothing yet. */
export const freshChannel = ({ maxPerMinute }: ChannelRule, now: EpochMs): ChannelState => ({
  tokens: maxPerMinute,
  refilledAt: now,
  held: null,
  dropped: null,
  failures: 0,
  failingSince: null,
  because: null,
  retryAt: null,
});

export function changeChannel(turn: NotifyTurn, name: string, change: Partial<ChannelState>): void {
  const before = turn.state.channels.get(name);
  if (before === undefined) return;
  const channels = new Map(turn.state.channels).set(name, { ...before, ...change });
  turn.state = { ...turn.state, channels };
}
