// State of the notifications: lasting problems, waiting messages, and how each channel is doing.
import { z } from 'zod';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { type Message, messageSchema, SEVERITIES, type Severity } from '../base/message.ts';

/** Which occurrences a channel accepts, and how many messages a minute. */
export interface ChannelRule {
  readonly name: string;
  readonly from: Severity;
  /** Null: all. */
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
  readonly maxPerMinute: number;
}

export interface NotifyRules {
  /** How often lasting problems are repeated. */
  readonly repeatAfterMs: DurationMs;
  /** Most messages that wait for one channel. */
  readonly mostWaiting: number;
  readonly channels: readonly ChannelRule[];
}

// The outbox's content is parsed with these schemas: see `outbox.ts`.

const moment = z.number();

/** One `op` of one symbol, from its first occurrence on. */
export const problemSchema = z.object({
  op: z.string(),
  symbol: z.string().nullable(),
  /** The highest that was notified. */
  severity: z.enum(SEVERITIES),
  /** Text of the last occurrence. */
  text: z.string(),
  ...{ since: moment, lastAt: moment, toldAt: moment },
  /** Occurrences since the last notice. */
  more: z.number(),
  /** Whether its end will be reported; otherwise it is over when it does not recur. */
  lasts: z.boolean(),
  /** When it becomes a page if it still lasts; null if it does not. */
  pageAt: moment.nullable(),
});
export type Problem = Readonly<z.output<typeof problemSchema>>;

/** A message to one channel. */
export const deliverySchema = z.object({
  channel: z.string(),
  message: messageSchema,
  /** How often it failed and the channel then accepted another one. */
  refusals: z.number(),
  /** When it may be retried, if it failed since the channel last accepted another one: either may be at fault. */
  retryAt: moment.nullable(),
});
export type Delivery = Readonly<z.output<typeof deliverySchema>>;

/** Messages that the rate did not allow, or for which the outbox had no room. */
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
  /** Messages that may be queued now. */
  tokens: z.number(),
  refilledAt: moment,
  held: heldSchema.nullable(),
  /** Failed attempts in a row. */
  failures: z.number(),
  /** Null while each message reaches all its recipients. */
  failingSince: moment.nullable(),
  because: z.string().nullable(),
  retryAt: moment.nullable(),
});
export type ChannelState = Readonly<z.output<typeof channelSchema>>;

export interface NotifyState {
  /** Makes message ids differ from those of another outbox. */
  readonly origin: string;
  /** Number of the next message. */
  readonly next: number;
  readonly problems: ReadonlyMap<string, Problem>;
  /** In the order of their creation. */
  readonly waiting: ReadonlyMap<string, Delivery>;
  readonly channels: ReadonlyMap<string, ChannelState>;
}

export type SendResult =
  /** `without`: a sentence naming the recipients who did not get it. */
  | { readonly kind: 'sent'; readonly without?: string }
  /** The channel does not work. */
  | { readonly kind: 'failed'; readonly because: string; readonly retryAfterMs: DurationMs | null }
  /** The channel answers, but refuses this message; unknown whether it would accept another. */
  | { readonly kind: 'refused'; readonly because: string };

export const OUTCOMES = ['sent', 'failed', 'refused', 'held-back'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Fields of a message that was not tried yet. */
export const UNTRIED = { refusals: 0, retryAt: null } as const;

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

/** One step: the state as it changes, plus counts and log lines. */
export interface NotifyTurn {
  state: NotifyState;
  readonly rules: NotifyRules;
  readonly now: EpochMs;
  readonly counted: Counted[];
  readonly lines: Line[];
}

/** A message without an id yet. */
export type Saying = Omit<Message, 'id' | 'at'>;

export const problemKey = (op: string, symbol: string | null): string => `${op} ${symbol ?? ''}`.trimEnd();
export const deliveryKey = ({ channel, message }: Pick<Delivery, 'channel' | 'message'>): string =>
  `${channel} ${message.id}`;

/** A channel that has sent nothing yet. */
export const freshChannel = ({ maxPerMinute }: ChannelRule, now: EpochMs): ChannelState => ({
  tokens: maxPerMinute,
  refilledAt: now,
  held: null,
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
