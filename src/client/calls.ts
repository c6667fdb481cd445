// A call of the public client: waits for its turn on a lane, ends early where its caller wants that, and is repeated
// where he wants that.
import { setTimeout } from 'node:timers/promises';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { realClock } from '../ports/clock.ts';
import { realRandom } from '../ports/random.ts';
import type { Venue } from '../ports/transport.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, Completed } from '../venue/outcomes.ts';
import { isThrottled } from '../venue/refusals.ts';
import type { VenueRequest } from '../venue/requests.ts';
import { type Stamper, stampOf } from './clock/stamper.ts';
import type { CallOptions, ReadOptions } from './exchange-api.ts';
import { retryAt } from './outcomes/classify.ts';
import { learnedFacts } from './outcomes/rate-limit-headers.ts';
import { createLane, type Lane } from './pace/lane.ts';

/** A lane: requests that the exchange counts together. */
export interface LaneState {
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Requests whose answer is awaited. */
  readonly inFlight: number;
  /** Time between two requests, as learned from the exchange. */
  readonly intervalMs: DurationMs;
  /** Until when the exchange wants no request, epoch ms; null if it takes them. */
  readonly pausedUntil: EpochMs | null;
}

export interface Lanes {
  readonly public: LaneState;
  readonly private: LaneState;
}

interface Calls {
  /** Asks again where the exchange put the request off, as often as the options allow. */
  ask(request: VenueRequest, options: ReadOptions): Promise<Completed>;
  /** Asks once, when the lane gives a turn; without one nothing is sent. */
  askOnce(request: VenueRequest, signal?: AbortSignal): Promise<Completed>;
  /** Until that moment by our clock, until the call ends, or until the client is closed. */
  sleepUntil(moment: EpochMs, signal?: AbortSignal): Promise<void>;
  lanes(): Lanes;
  close(): Promise<void>;
}

const MOST_IN_FLIGHT = 2;
const CLOSED = AbortSignal.abort();

export function createCalls(
  client: Venue,
  {
    stamper,
    requestsPerSecond,
  }: { readonly stamper: Stamper; readonly requestsPerSecond: { readonly public: number; readonly private: number } },
): Calls {
  const closing = new AbortController();
  const lane = (rate: number): Lane =>
    createLane({ requestsPerSecond: rate, maxInFlight: MOST_IN_FLIGHT }, { clock: realClock, random: realRandom });
  const lanes = { public: lane(requestsPerSecond.public), private: lane(requestsPerSecond.private) };
  // Whether the exchange counts legacy requests separately is unknown (Q18): they share the public lane.
  const laneOf = ({ kind }: VenueRequest): Lane => lanes[ENDPOINTS[kind].lane === 'private' ? 'private' : 'public'];

  async function send(request: VenueRequest, signal?: AbortSignal): Promise<Completed> {
    // Stamped as it leaves: its turn may come minutes after the call.
    const stamped = 'stamp' in request ? { ...request, stamp: stamper.stamp() } : request;
    const completed = await client.perform(stamped, signal);
    const facts = learnedFacts(stamper, completed);
    laneOf(request).learn(facts, isThrottled(facts.status));
    return withFacts(completed, facts);
  }

  async function askOnce(request: VenueRequest, signal?: AbortSignal): Promise<Completed> {
    let isKnown = stamper.estimate() !== null;
    const answers: Completed[] = [];
    for (;;) {
      const ticket = await laneOf(request).ticket(async () => {
        answers.push(await send(request, signal));
      }, signal);
      const answered = answers.at(-1);
      if (answered === undefined) return client.perform(request, signal?.aborted === true ? signal : CLOSED);
      // The first stamp is by our own clock, which may be hours off: its refusal shows the exchange's time.
      if (ticket === 'dropped' || isKnown || stampOf(answered)?.verdict !== 'refused') return answered;
      isKnown = true;
    }
  }

  async function sleepUntil(moment: EpochMs, signal?: AbortSignal): Promise<void> {
    const either = AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    await setTimeout(Math.max(0, moment - realClock.now()), undefined, { signal: either }).catch(() => undefined);
  }

  async function ask(request: VenueRequest, { retry = 0, ...options }: ReadOptions): Promise<Completed> {
    const signal = endOf(options);
    for (let left = retry; ; left -= 1) {
      const completed = await askOnce(request, signal);
      if (completed.outcome.kind !== 'throttled' || left === 0) return completed;
      await sleepUntil(completed.outcome.retryAt, signal);
      if (signal?.aborted === true) return completed;
    }
  }

  return {
    ...{ ask, askOnce, sleepUntil },
    lanes: () => ({ public: stateOf(lanes.public), private: stateOf(lanes.private) }),
    close: async () => {
      closing.abort();
      await Promise.all([lanes.public.stop(), lanes.private.stop()]);
      client.close();
    },
  };
}

/** Aborts when the call is to end; undefined if nothing ends it. */
export function endOf({ signal, timeoutMs }: CallOptions): AbortSignal | undefined {
  const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(Math.ceil(timeoutMs))];
  return signal === undefined ? timeout[0] : AbortSignal.any([signal, ...timeout]);
}

function stateOf(lane: Lane): LaneState {
  const { waiting, inFlight, intervalMs } = lane.figures();
  return { waiting, inFlight, intervalMs, pausedUntil: lane.pausedUntil() };
}

/** The answer, with its waits corrected by the present estimate of the clock. */
function withFacts(completed: Completed, facts: AnswerFacts): Completed {
  const { outcome } = completed;
  const told = outcome.kind === 'throttled' ? { ...outcome, retryAt: retryAt(facts) } : outcome;
  return { ...completed, facts, outcome: told } as Completed;
}
