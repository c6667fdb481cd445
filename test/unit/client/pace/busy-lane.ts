// A lane that always has something to ask, in virtual time, against a simulated limiter.
import {
  learn,
  nextReleaseAt,
  type Pace,
  type PaceSettings,
  released,
  returned,
  startPace,
} from '../../../../src/client/pace/lane-pace.ts';
import { randomStream, uniform } from '../../../../src/crowd/random.ts';
import type { Random } from '../../../../src/ports/random.ts';
import type { RateLimitReading } from '../../../../src/venue/outcomes.ts';
import { headersOf, type Limit, type Limiter, type Telling } from './simulated-limiter.ts';

/** Not a whole second: phases of seconds must not be what makes it work. */
const EPOCH = 1_700_000_000_137;
const MINUTE = 60_000;

export interface Play {
  readonly settings: PaceSettings;
  readonly limit: Limit;
  readonly limiter: (limit: Limit) => Limiter;
  readonly telling: Telling;
  readonly lastsMs: number;
  readonly maxInFlight?: number;
  readonly seed?: number;
  /** One way, in ms: from, and up to. */
  readonly latencyMs?: readonly [number, number];
  /** One way of the request that left as the nth, there or back, in ms, in place of `latencyMs`. */
  readonly way?: (nth: number, to: 'exchange' | 'lane', random: Random) => number;
  /** What the answer to the nth request says, in place of what the limiter would. */
  readonly says?: (nth: number) => RateLimitReading;
  /** Changes the limit, by the time since the start. */
  readonly change?: (limit: Limit, ms: number) => void;
  /** Which part of the requests is refused then, whatever the limit: all of them where it says so. */
  readonly storm?: (ms: number) => boolean | number;
  readonly stormSays?: RateLimitReading;
}

export interface Played {
  /** When each request was answered, in ms since the start. */
  readonly taken: readonly number[];
  readonly refused: readonly number[];
  readonly pace: Pace;
  /** The share of the configured rate after each answer. */
  readonly paces: readonly { readonly at: number; readonly share: number }[];
}

type Event =
  | { readonly at: number; readonly kind: 'arrives'; readonly sentAt: number; readonly nth: number }
  | {
      readonly at: number;
      readonly kind: 'answered';
      readonly sentAt: number;
      readonly nth: number;
      readonly told: Told;
    };
interface Told {
  readonly status: number;
  readonly rateLimit: RateLimitReading | undefined;
}

export function play({ settings, lastsMs, maxInFlight = 1, latencyMs = [15, 35], ...of }: Play): Played {
  const stream = randomStream(of.seed ?? 1, 'lane');
  const random = { next: () => uniform(stream) };
  const limit = { ...of.limit };
  const limiter = of.limiter(limit);
  const events: Event[] = [];
  const taken: number[] = [];
  const refused: number[] = [];
  const paces: { at: number; share: number }[] = [];
  let pace = startPace(0);
  let now = 0;
  let inFlight = 0;
  let left = 0;
  const between = (): number => latencyMs[0] + random.next() * (latencyMs[1] - latencyMs[0]);
  const way = (nth: number, to: 'exchange' | 'lane'): number => of.way?.(nth, to, random) ?? between();

  function judged(ms: number, nth: number): Told {
    of.change?.(limit, ms);
    const stormy = Number(of.storm?.(ms) ?? 0);
    if (stormy === 1 || (stormy > 0 && random.next() < stormy)) return { status: 429, rateLimit: of.stormSays };
    const at = Math.floor(EPOCH + ms);
    const verdict = limiter(at);
    return {
      status: verdict.allowed ? 200 : 429,
      rateLimit: of.says?.(nth) ?? headersOf(verdict, limit, { telling: of.telling, now: at }),
    };
  }

  function take(event: Event): void {
    now = event.at;
    if (event.kind === 'arrives') {
      events.push({ ...event, kind: 'answered', at: now + way(event.nth, 'lane'), told: judged(now, event.nth) });
      return;
    }
    inFlight -= 1;
    const { status, rateLimit } = event.told;
    (status === 200 ? taken : refused).push(now);
    const facts = { sentAt: EPOCH + event.sentAt, receivedAt: EPOCH + now, status, ...(rateLimit && { rateLimit }) };
    pace = returned(
      learn(pace, settings, { facts, throttled: status !== 200, now, arrivedAt: now }, random),
      event.sentAt,
      now,
    );
    paces.push({ at: now, share: pace.rate.share });
  }

  while (now < lastsMs) {
    const next = events.toSorted((a, b) => a.at - b.at)[0];
    const leavesAt = inFlight < maxInFlight ? Math.max(now, nextReleaseAt(pace, settings)) : Number.POSITIVE_INFINITY;
    if (next !== undefined && next.at <= leavesAt) {
      events.splice(events.indexOf(next), 1);
      take(next);
    } else {
      // Timers fire a little late.
      now = leavesAt + random.next();
      pace = released(pace, settings, now);
      inFlight += 1;
      events.push({ kind: 'arrives', at: now + way(left, 'exchange'), sentAt: now, nth: left });
      left += 1;
    }
  }
  return { taken, refused, pace, paces };
}

/** How many of the moments are in a stretch of time. */
export const within = (moments: readonly number[], from: number, to: number): number =>
  moments.filter((at) => at >= from && at < to).length;

export const minutes = (count: number): number => count * MINUTE;
