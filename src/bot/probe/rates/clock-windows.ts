// Rate-limit windows that begin at fixed times: which lengths fit, so that every answer names the next of these times.
import type { DurationMs } from '../../../domain/time.ts';
import { type Bounds, type EndedSample, isFresh } from './rate-sample.ts';

/** Lengths are tried so finely that the last window of all is off by no more than this. */
const SLACK_MS: DurationMs = 20;
const MOST_TRIED = 4_000;
/** Shorter than two roundings every length fits: nothing is tried. */
const ROUNDINGS_TOLD = 2;

/** `null` where no length fits, or where only one window was seen: one window alone has no length. */
export function clockLengths(samples: readonly EndedSample[]): Bounds | null {
  const resets = [...new Set(samples.map(({ resetAt }) => resetAt))].sort((a, b) => a - b);
  const [first] = samples;
  if (first === undefined || resets.length < 2) return null;
  const roundingMs = Math.max(...samples.map((sample) => sample.roundingMs));
  const apart = resets.slice(1).map((reset, index) => reset - (resets[index] ?? reset));
  const lowMs = Math.max(0, ...samples.map(({ end, made }) => end.low - made.high));
  const highMs = Math.min(Math.min(...apart) + roundingMs, ...windowsBetween(samples));
  if (lowMs > highMs) return null;
  const told = Math.max(lowMs, ROUNDINGS_TOLD * roundingMs, SLACK_MS);
  if (highMs <= told) return { lowMs, highMs };
  const longest = longestFit(samples, { lowMs: told, highMs });
  if (lowMs < told) return { lowMs, highMs: longest?.highMs ?? told };
  return longest;
}

/** Each first request of a window came after a beginning, which came after the request before. */
function windowsBetween(samples: readonly EndedSample[]): readonly DurationMs[] {
  const fresh = samples.flatMap((sample, index) => (isFresh(sample) ? [index] : []));
  return fresh.slice(1).flatMap((later, index) => {
    const before = samples[(fresh[index] ?? 0) - 1];
    return before === undefined ? [] : [(samples[later]?.made.high ?? 0) - before.made.low];
  });
}

function longestFit(samples: readonly EndedSample[], { lowMs, highMs }: Bounds): Bounds | null {
  const span = (samples.at(-1)?.made.high ?? 0) - (samples[0]?.made.low ?? 0);
  const step = Math.max((SLACK_MS * lowMs) / (span + lowMs), (highMs - lowMs) / MOST_TRIED);
  const fitting: DurationMs[] = [];
  for (let length = lowMs; length <= highMs; length += step) if (fits(samples, length)) fitting.push(length);
  const [shortest] = fitting;
  if (shortest === undefined) return null;
  return { lowMs: Math.max(0, shortest - step), highMs: (fitting.at(-1) ?? shortest) + step };
}

/** Where the first window may end, narrowed by every answer. */
function fits(samples: readonly EndedSample[], length: DurationMs): boolean {
  const [anchor] = samples;
  if (anchor === undefined) return false;
  let [low, high] = [anchor.end.low - SLACK_MS, anchor.end.high + SLACK_MS];
  for (const { end, made } of samples) {
    let [nextLow, nextHigh] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const from = Math.ceil((end.low - high) / length - 1e-9);
    const to = Math.floor((end.high - low) / length + 1e-9);
    for (let count = from; count <= to; count += 1) {
      // The window ends as named, and after the answer.
      const least = Math.max(low, end.low - SLACK_MS - count * length, made.low - SLACK_MS - count * length);
      const most = Math.min(high, end.high + SLACK_MS - count * length);
      if (least > most) continue;
      nextLow = Math.min(nextLow, least);
      nextHigh = Math.max(nextHigh, most);
    }
    if (nextLow > nextHigh) return false;
    [low, high] = [nextLow, nextHigh];
  }
  return true;
}
