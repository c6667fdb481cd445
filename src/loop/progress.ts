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

/** A request that is asked anew for the exchange's time takes another deadline; timers of a busy machine come late. */
const DEADLINES = 2;
const SLACK_MS: DurationMs = 5_000;

/** What the loop waits for in vain, as a sentence; null while it makes progress. */
export type ProgressJudge = (pass: PrivatePass, lane: LaneWait) => string | null;

/**
 * Progress is a choice, or a wait that has an end: a request ends by its deadline, and a ticket comes when the lane
 * is open, has room, and its interval is over. A loop that waits for anything else would renew its lease for ever.
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
 * A bot whose key is refused can do nothing for its orders; a watchdog with a key of its own can. One that has the same
 * key could not either, and a bot that was ended would only be missed when the key is taken again.
 */
export function refusedWords(
  refusal: { readonly kind: 'keys' | 'maintenance'; readonly message: string } | null,
  { sharesKey }: { readonly sharesKey: boolean },
): string | null {
  return refusal?.kind === 'keys' && !sharesKey ? `The exchange refuses the bot: ${refusal.message}` : null;
}

const seconds = (ms: DurationMs): string => `${(ms / 1_000).toFixed(1)} s`;
