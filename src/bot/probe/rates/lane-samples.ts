// The answers of a lane as samples of its rate limit.
import type { LaneName } from '../../../venue/requests.ts';
import type { Answer } from '../facts/answer.ts';
import { type VenueTime, venueTimeOf } from '../facts/venue-time.ts';
import { countOf, resetOf } from './rate-headers.ts';
import type { RateSample } from './rate-sample.ts';
import { type RateWindow, rateWindow } from './rate-window.ts';

const THROTTLED = 429;

/** The unknown path is left out: what answers there may stand before the limiter. */
export const isCounted = ({ status, topic }: Answer): boolean => status !== null && topic !== 'unknown-path';
export const isLetThrough = ({ status }: Answer): boolean => status !== THROTTLED;

/** Those that carry a limit, a remainder and a reset, in order. */
export function samplesOf(answers: readonly Answer[], time: VenueTime): readonly RateSample[] {
  return answers.flatMap((answer) => {
    const { headers } = answer;
    const made = time.made(answer);
    const [limit, remaining] = [countOf(headers.limit), countOf(headers.remaining)];
    const reset = resetOf(headers.reset, headers.date);
    return made === null || limit === null || remaining === null || reset === null
      ? []
      : [{ made, limit, remaining, ...reset }];
  });
}

/** The window of one lane as its own answers tell it, or `null`. */
export function laneWindow(answers: readonly Answer[], lane: LaneName): RateWindow | null {
  const passed = answers.filter((answer) => answer.lane === lane && isCounted(answer) && isLetThrough(answer));
  return rateWindow(samplesOf(passed, venueTimeOf(answers)));
}
