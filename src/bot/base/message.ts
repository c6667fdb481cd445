// Notification messages, worded the same on every channel.
import { z } from 'zod';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';

export const SEVERITIES = ['info', 'warn', 'page'] as const;
/** `page` wakes a person. */
export type Severity = (typeof SEVERITIES)[number];

export const isGraver = (one: Severity, other: Severity): boolean =>
  SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);

/**
 * `problem`: begins or got worse. `reminder`: lasts or came again. `all-clear`: is over. `event`: does not last.
 * `held-back`: sums up several that exceeded the channel's rate, or for which the outbox had no room. `test`: requested
 * by a person.
 */
const MESSAGE_KINDS = ['problem', 'reminder', 'all-clear', 'event', 'held-back', 'test'] as const;
type MessageKind = (typeof MESSAGE_KINDS)[number];

export const messageSchema = z.object({
  /** Unique, and the same in every attempt to send it: letters, digits and dashes. */
  id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  severity: z.enum(SEVERITIES),
  /** Kind of event, in kebab-case. */
  op: z.string(),
  /** Null if it concerns no single market. */
  symbol: z.string().nullable(),
  /** A sentence for people. */
  text: z.string(),
  /** Start of the condition. */
  since: z.number(),
  /** Time of this message. */
  at: z.number(),
});
export type Message = Readonly<z.output<typeof messageSchema>>;
/** An event as the log has it. */
export type Occurrence = Pick<Message, 'severity' | 'op' | 'symbol' | 'text'>;

/** The sender: `bot` is its name among other bots, `process` which of its processes. */
export interface Speaker {
  readonly bot: string;
  readonly process: 'bot' | 'watchdog';
}

const MARKS: Readonly<Record<MessageKind, string | null>> = {
  problem: null,
  event: null,
  reminder: 'AGAIN',
  'all-clear': 'OVER',
  'held-back': null,
  test: 'TEST',
};

/** One line: `PAGE live: symbol-halted BTC/INR`. */
export function titleOf({ kind, severity, op, symbol }: Message, { bot }: Speaker): string {
  return `${MARKS[kind] ?? severity.toUpperCase()} ${bot}: ${op}${symbol === null ? '' : ` ${symbol}`}`;
}

/** The sentence and its time: it may arrive much later. */
export function bodyOf({ text, at }: Message, { process }: Speaker): string {
  return `${text}\n${timeText(at)}${process === 'watchdog' ? ', from the watchdog' : ''}`;
}

/** `2 h 5 min`, `12 s`. */
export function duration(ms: DurationMs): string {
  const seconds = Math.max(0, Math.round(ms / SECOND));
  const parts: [number, string][] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? '0 s' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

// All ops that may be notified, to check `only` and `except` of a channel: a misspelled name there would silence an
// alert. A test holds the list to the sources.

/** The bot's, in alphabetical order. */
const OF_THE_BOT = `
  accepted adopted book-frozen cancel cancel-ineffective cash-runway chat-failed chat-stranger clock-moved closed
  closing contract-broken creates-throttled day-ended difference difference-accepted difference-unjudged
  duplicate-order exchange-answers exchange-awaited external-fill external-flow fatal fill fill-dearer history-read
  journal-moved key-refused lag-bound-broken lane-slowed latched late-fill lease-failed locked log-not-reopened
  maintenance market-unlisted mass-close not-placed not-responding notify-failed opened order-differs
  orders-questioned overfill page paused read-failed ready reconciled reference reference-jumped refused rejected
  reopened resting run-revised self-trade standby started starting state-folder steering stopping strategy-quote
  stray-order summary symbol-halted symbol-resumed taken-over times-off told-to-stop trade-changed trade-missing
  trades-backfill-failed trades-gap unknown unlocked watchdog watchdog-missing
`;

/** The watchdog's, except names that it shares with the bot. */
const OF_THE_WATCHDOG = `
  bot-ended bot-gone bot-lives bot-stays clearing flat gave-up latch-failed lease-expired not-rearmed
  rearmed watching
`;

export const KNOWN_OPS: ReadonlySet<string> = new Set(`${OF_THE_BOT} ${OF_THE_WATCHDOG}`.trim().split(/\s+/));
