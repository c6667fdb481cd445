// What is told: an occurrence comes in, messages go out. Words for both, the same on every channel.
import { z } from 'zod';
import { type DurationMs, SECOND, utcText } from '../../domain/time.ts';

export const SEVERITIES = ['info', 'warn', 'page'] as const;
/** `page` wakes a person. */
export type Severity = (typeof SEVERITIES)[number];

export const isGraver = (one: Severity, other: Severity): boolean =>
  SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);

/** Something that happened, as the log has it. */
export interface Occurrence {
  readonly severity: Severity;
  /** Names the kind, in kebab-case. */
  readonly op: string;
  /** Null where it concerns no single market. */
  readonly symbol: string | null;
  /** A sentence for people. */
  readonly text: string;
}

/**
 * `problem`: it begins, or has become graver. `reminder`: it lasts, or came again. `all-clear`: it is over. `event`:
 * nothing that lasts. `held-back`: several that the rate of the channel did not let through. `dropped`: the outbox was
 * full. `test`: asked for by a person.
 */
const MESSAGE_KINDS = ['problem', 'reminder', 'all-clear', 'event', 'held-back', 'dropped', 'test'] as const;
type MessageKind = (typeof MESSAGE_KINDS)[number];

export const messageSchema = z.object({
  /** Never given twice, the same in every attempt to send it: letters, digits and dashes. */
  id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  severity: z.enum(SEVERITIES),
  ...{ op: z.string(), symbol: z.string().nullable(), text: z.string() },
  /** When it began. */
  since: z.number(),
  /** When this was said. */
  at: z.number(),
});
export type Message = Occurrence & Readonly<z.output<typeof messageSchema>>;

/** Who says it: `bot` names it among others, `process` is which of its processes. */
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
  dropped: 'LOST',
  test: 'TEST',
};

/** One line: `PAGE live: symbol-halted BTC/INR`. */
export function titleOf({ kind, severity, op, symbol }: Message, { bot }: Speaker): string {
  return `${MARKS[kind] ?? severity.toUpperCase()} ${bot}: ${op}${symbol === null ? '' : ` ${symbol}`}`;
}

/** The sentence, and when it was said: it may arrive much later. */
export function bodyOf({ text, at }: Message, { process }: Speaker): string {
  return `${text}\n${utcText(at)}${process === 'watchdog' ? ', from the watchdog' : ''}`;
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

// The names of what is told, for `only` and `except` of a channel: a name that is mistyped there would keep a person
// from being called. A test holds the list to the sources.

/** Of the bot, in the order of the alphabet. */
const OF_THE_BOT = `
  accepted adopted book-frozen cancel cancel-ineffective cash-runway clock-moved closed closing contract-broken
  creates-throttled day-ended difference difference-accepted difference-unjudged duplicate-order exchange-answers
  exchange-awaited external-fill external-flow fatal fill fill-dearer history-read journal-moved key-refused
  lag-bound-broken lane-slowed latched late-fill lease-failed locked log-not-reopened maintenance market-unlisted
  mass-close not-placed not-responding notify-failed opened order-differs orders-questioned overfill page paused
  read-failed ready reconciled reference reference-jumped refused rejected reopened resting run-revised self-trade
  started starting state-folder steering stopping strategy-quote stray-order summary symbol-halted symbol-resumed
  taken-over times-off told-to-stop trade-changed trade-missing trades-backfill-failed trades-gap unknown unlocked
  watchdog watchdog-missing
`;

/** Of the watchdog, beside those that are called the same. */
const OF_THE_WATCHDOG = `
  bot-ended bot-gone bot-lives bot-stays clearing flat gave-up latch-failed latch-set lease-expired not-rearmed
  rearmed watching
`;

export const KNOWN_OPS: ReadonlySet<string> = new Set(`${OF_THE_BOT} ${OF_THE_WATCHDOG}`.trim().split(/\s+/));
