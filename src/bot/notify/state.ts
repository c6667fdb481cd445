// What is remembered of what was told: problems that last, messages that wait, and how each channel does.
import { z } from 'zod';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { type Message, messageSchema, SEVERITIES, type Severity } from '../base/message.ts';

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

// What an outbox keeps is read back by these schemas: `outbox.ts` of the bot.

const moment = z.number();

/** The same `op` of the same symbol, from its first occurrence on. */
export const problemSchema = z.object({
  op: z.string(),
  symbol: z.string().nullable(),
  /** The gravest that was told. */
  severity: z.enum(SEVERITIES),
  /** Of the last occurrence. */
  text: z.string(),
  ...{ since: moment, lastAt: moment, toldAt: moment },
  /** Occurrences since it was told. */
  more: z.number(),
  /** Whether somebody says when it is over; else it is over when it does not come again. */
  lasts: z.boolean(),
  /** When it becomes a page where it still lasts; null where it does not. */
  pageAt: moment.nullable(),
});
export type Problem = Readonly<z.output<typeof problemSchema>>;

/** A message on its way to one channel. */
export const deliverySchema = z.object({
  channel: z.string(),
  message: messageSchema,
  /** How often it failed and the channel then took another one. */
  refusals: z.number(),
  /** It failed since the channel last took another one: the message may be wrong, or the channel. */
  isRefused: z.boolean(),
  /** Pause of this message alone; null where it has none. */
  retryAt: moment.nullable(),
});
export type Delivery = Readonly<z.output<typeof deliverySchema>>;

/** What the rate did not let through. */
const heldSchema = z.object({
  count: z.number(),
  since: moment,
  severity: z.enum(SEVERITIES),
  byOp: z.record(z.string(), z.number()),
  /** Sentences of pages and all-clears, as many as fit. */
  pages: z.array(z.string()),
});
export type Held = Readonly<z.output<typeof heldSchema>>;

export const channelSchema = z.object({
  /** Messages that may be admitted now. */
  tokens: z.number(),
  refilledAt: moment,
  held: heldSchema.nullable(),
  dropped: z.object({ count: z.number(), from: moment, to: moment }).nullable(),
  /** Attempts in a row that failed. */
  failures: z.number(),
  /** Null while each message reaches all that it is for. */
  failingSince: moment.nullable(),
  because: z.string().nullable(),
  retryAt: moment.nullable(),
});
export type ChannelState = Readonly<z.output<typeof channelSchema>>;

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
export type Saying = Omit<Message, 'id' | 'at'>;

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
