// Whether the bot's own loop makes progress: the lease says so, whether or not the exchange answers.
import type { DurationMs } from '../domain/time.ts';
import type { PrivatePass } from './loop.ts';

export interface ProgressLimits {
  /** The longest deadline of a request: an answer, or its absence, is known by then. */
  readonly deadlineMs: DurationMs;
}

/** The lane as it is at the moment of the pass. */
export interface LaneWait {
  /** The exchange told it to wait, or it backs off. */
  readonly isPaused: boolean;
  readonly inFlight: number;
  /** Time between two requests as learned. */
  readonly intervalMs: DurationMs;
}

/** A request may be resent once for the exchange's time, with a second deadline; timers of a busy machine come late. */
const DEADLINES = 2;
const SLACK_MS: DurationMs = 5_000;

/** Returns what the loop is stuck on, as a sentence; null while it makes progress. */
export type ProgressJudge = (pass: PrivatePass, lane: LaneWait) => string | null;

/**
 * Progress is a choice, or a wait that has an end: a request ends by its deadline, and a ticket comes once the lane is
 * open, has room, and its interval is over. Otherwise a stuck loop would renew its lease forever.
 */
export function progressJudge({ deadlineMs }: ProgressLimits): ProgressJudge {
  const longestRequestMs = DEADLINES * deadlineMs + SLACK_MS;
  let shutAt = Number.NEGATIVE_INFINITY;
  return ({ at, ticketSince, underwaySince }, lane) => {
    if (lane.isPaused || lane.inFlight > 0) shutAt = at;
    if (underwaySince !== null && at - underwaySince > longestRequestMs)
      return `A request has not ended for ${seconds(at - underwaySince)}; its deadline is ${seconds(deadlineMs)}.`;
    const openForMs = ticketSince === null ? 0 : at - Math.max(ticketSince, shutAt);
    if (openForMs <= 2 * lane.intervalMs + longestRequestMs) return null;
    return `The private lane is open, and no request has left it for ${seconds(openForMs)}.`;
  };
}

/**
 * A bot whose key is refused can do nothing for its orders; a watchdog with its own key can. A watchdog with the same
 * key could not either, and the bot would be missing once the key is accepted again.
 */
export function refusedWords(
  refusal: { readonly kind: 'keys' | 'maintenance'; readonly message: string } | null,
  { sharesKey }: { readonly sharesKey: boolean },
): string | null {
  return refusal?.kind === 'keys' && !sharesKey ? `The exchange refuses the bot: ${refusal.message}` : null;
}

const seconds = (ms: DurationMs): string => `${(ms / 1_000).toFixed(1)} s`;
