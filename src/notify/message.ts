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
