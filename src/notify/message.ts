// What is told: an occurrence comes in, messages go out. Words for both, the same on every channel.
import { type DurationMs, type EpochMs, MINUTE, SECOND, utcText } from '../domain/time.ts';

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
export const MESSAGE_KINDS = ['problem', 'reminder', 'all-clear', 'event', 'held-back', 'dropped', 'test'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export interface Message extends Occurrence {
  /** Never given twice, the same in every attempt to send it: letters, digits and dashes. */
  readonly id: string;
  readonly kind: MessageKind;
  /** When it began. */
  readonly since: EpochMs;
  /** When this was said. */
  readonly at: EpochMs;
}

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

/** `41 s`, `12 min`, `3 h 5 min`. */
export function spanText(ms: DurationMs): string {
  const seconds = Math.max(0, Math.round(ms / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(ms / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

// The names of what is told, for `only` and `except` of a channel: a name that is mistyped there would keep a person
// from being called. A test holds the list to the sources.

/** Of the bot, in the order of the alphabet. */
const OF_THE_BOT = `
  accepted adopted attributed book-frozen book-incomplete cancel cancel-ineffective cash-runway
  clock-confirmed clock-disproved clock-moved clock-set closed closing contract-broken control-closed creates-throttled
  date-outvoted day-ended difference difference-accepted difference-unjudged duplicate-order emergency-cancel
  exchange-answers exchange-awaited exchange-found external-fill external-flow fatal fee-elsewhere fence fill
  fill-dearer flows-unread foreign-order journal-moved journal-put-aside key-refused lag-bound-broken
  lags-not-kept lane-restored lane-slowed last-status latched late-fill lease-failed lease-withheld left-resting locked
  log-not-reopened log-reopened maintenance maintenance-over market-added market-listed market-opened market-unlisted
  mass-close memory-failed memory-put-aside memory-written not-placed not-responding not-sent not-taken-over
  nothing-asked notify-failed opened order-differs order-questioned orders-incomplete orders-questioned overfill
  page-certificate page-sign-in-refused page-signed-in page-token paused read-failed read-lags ready reconciled
  recording recording-ended
  recovered reference reference-answers reference-fails reference-jumped refused rejected reopened responding resting
  run-revised self-trade signal-refused soft-rejected started steered steering-failed stopping strategy-quote
  stray-order summary symbol-halted symbol-resumed taken-over times-off told-to-stop
  trade-corrected
  trade-missing trade-reversed trades-backfill trades-backfill-ended trades-backfill-failed trades-gap trades-incomplete
  trades-look-back trades-look-refused unknown unlocked wallet-incomplete wallet-inexact watchdog-awaited watchdog-lives
  watchdog-missing web-failed web-open web-refused
`;

/** Of the watchdog, beside those that are called the same. */
const OF_THE_WATCHDOG = `
  bot-ended bot-gone bot-is-gone bot-lives bot-stays clearing ended flat forget-failed gave-up key-replaced killing
  latch-failed latch-set latch-taken-off lease-expired not-rearmed nothing-open rearmed watchdog-stalled
`;

export const KNOWN_OPS: ReadonlySet<string> = new Set(`${OF_THE_BOT} ${OF_THE_WATCHDOG}`.trim().split(/\s+/));
