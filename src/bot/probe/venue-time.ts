// Bounds the time by the exchange's clock at which it made an answer, from the `Date` headers of all answers together.
import { SERVER_CLOCK_DEFAULTS } from '../../client/clock/server-clock.ts';
import { readHttpDate } from '../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Answer } from './answer.ts';

/** Bounds of a moment by the exchange's clock. */
export interface Moment {
  readonly low: EpochMs;
  readonly high: EpochMs;
}

export interface VenueTime {
  /** When the exchange made the answer. `null` where its clock is not known. */
  made(answer: Answer): Moment | null;
  /** The exchange's time − ours at the last answer that had a `Date`; `null` where none had. */
  readonly offset: Moment | null;
}

/** One answer's word about the exchange's time − ours. */
interface Word extends Moment {
  readonly at: EpochMs;
}

const { slackMs, driftPpm } = SERVER_CLOCK_DEFAULTS;

/**
 * Unlike the client's clock, which only ever looks ahead, this one also uses later answers for earlier ones: each word
 * counts for all moments, wider by the drift of the time in between. Where a clock has stepped, so that no offset fits
 * all words, each answer speaks for itself.
 */
export function venueTimeOf(answers: readonly Answer[]): VenueTime {
  const words = answers.flatMap(wordOf);
  const last = words.at(-1);
  return {
    made: (answer) => {
      const offset = jointAt(words, answer.receivedAt) ?? wordOf(answer)[0];
      return offset === undefined ? null : { low: answer.sentAt + offset.low, high: answer.receivedAt + offset.high };
    },
    offset: last === undefined ? null : (jointAt(words, last.at) ?? last),
  };
}

/** offset ∈ [Date − received, Date + 1 s − sent]: `Date` is floored to the second. */
function wordOf({ headers, sentAt, receivedAt }: Answer): readonly Word[] {
  const venueDate = readHttpDate(headers.date);
  if (venueDate === undefined) return [];
  return [{ at: receivedAt, low: venueDate - receivedAt - slackMs, high: venueDate + SECOND - sentAt + slackMs }];
}

/** What all words leave possible at a moment, or `null` where they leave nothing. */
function jointAt(words: readonly Word[], moment: EpochMs): Moment | null {
  const drift = (at: EpochMs): DurationMs => (Math.abs(moment - at) * driftPpm) / 1e6;
  const low = Math.max(...words.map((word) => word.low - drift(word.at)));
  const high = Math.min(...words.map((word) => word.high + drift(word.at)));
  return words.length > 0 && low <= high ? { low, high } : null;
}
