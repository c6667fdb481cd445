// Sends the questions of a probe one by one, at most one per interval and lane, and keeps the answers without any
// secret.

import { DRIFT_PPM, SLACK_MS } from '../../client/clock/server-clock.ts';
import type { ClientSettings } from '../../client/exchange-client.ts';
import { readHttpDate, readRateLimit } from '../../client/outcomes/rate-limit-headers.ts';
import type { RequestMessage } from '../../client/wire/request-message.ts';
import { maskOf } from '../../client/wire/secret.ts';
import { wireRequestOf } from '../../client/wire/signed-request.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpResult, Transport } from '../../ports/transport.ts';
import { plainMessage } from '../../venue/parsers/fields.ts';
import { isThrottled } from '../../venue/refusals.ts';
import type { Stamp } from '../../venue/requests.ts';
import type { Answer, Lane, Topic } from './answer.ts';

/** After this many rate limit refusals, a lane is left alone. */
const MOST_THROTTLED = 2;
/** After a 429, a live exchange refused again clients that retried sooner. */
const COOL_DOWN_MS = 10 * SECOND;
/** Headers kept of an answer. */
const TELLING = /^(?:date|retry-after|x-ratelimit-(?:limit|remaining|reset))$/;
const LONGEST_HEADER = 80;
const SPREAD_REQUESTS = 10;
const GOLDEN = 0.618;

export interface Question {
  readonly topic: Topic;
  readonly symbol: InstrumentSymbol | null;
  readonly lane: Lane;
  /** The stamp is only for private requests. */
  message(stamp: Stamp): RequestMessage;
}

export interface TalkSettings {
  readonly client: ClientSettings;
  /** Whether private questions may be asked. */
  readonly hasKeys: boolean;
  readonly recvWindowMs: DurationMs;
  /** Shortest time between two requests on one lane. */
  readonly intervalMs: DurationMs;
  /** Most requests in total. */
  readonly budget: number;
}

export interface TalkParts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Resolves when a person wants it to end. */
  readonly stopped: Promise<unknown>;
  /** Called with every answer and the number of answers so far. */
  heard(answer: Answer, count: number): void;
}

export interface Talk {
  /**
   * `null` when no more may be asked: stopped, the budget is used up, or the lane refuses. Repeats a throttled question
   * once.
   */
  ask(question: Question): Promise<Answer | null>;
  /** The answers so far, in order. */
  answers(): readonly Answer[];
  /** Questions not asked, and why. */
  unasked(): readonly { readonly question: Question; readonly why: string }[];
  close(): void;
}

export function openVenueTalk(settings: TalkSettings, parts: TalkParts): Talk {
  const { transport, clock } = parts;
  const answers: Answer[] = [];
  const { key, secret } = settings.client;
  /** Everything secret that was sent: the exchange may echo it later, and elsewhere. */
  const spoken = new Set<string>(settings.hasKeys ? [key.reveal(), secret.reveal()] : []);
  const unasked: { question: Question; why: string }[] = [];
  /** When each lane may send next, by our wall clock. */
  const freeAt: Record<Lane, number> = { public: 0, private: 0 };
  /** Number of requests sent on each lane. */
  const sentOn: Record<Lane, number> = { public: 0, private: 0 };
  let isStopped = false;
  const stopping = parts.stopped.then(() => {
    isStopped = true;
    transport.close();
  });

  async function ask(question: Question): Promise<Answer | null> {
    const answer = await askOnce(question);
    return answer !== null && isThrottled(answer.status) ? await askOnce(question) : answer;
  }

  async function askOnce(question: Question): Promise<Answer | null> {
    const { lane } = question;
    if (whyNot(lane) === null) await turnOf(lane);
    const why = whyNot(lane);
    if (why !== null) {
      unasked.push({ question, why });
      return null;
    }
    sentOn[lane] += 1;
    const spread = spreadMs(sentOn[lane], settings.intervalMs);
    freeAt[lane] = clock.now() + settings.intervalMs + spread;
    const answer = await send(question);
    if (isStopped && answer.status === null) return null;
    answers.push(answer);
    freeAt[lane] = Math.max(freeAt[lane], blockedUntil(answer) + spread);
    parts.heard(answer, answers.length);
    return answer;
  }

  function whyNot(lane: Lane): string | null {
    if (isStopped) return 'stopped';
    const { budget } = settings;
    // Account questions run in parallel with market questions and must not use up their budget.
    const isLanesUsedUp = lane === 'private' && sentOn.private >= Math.ceil(budget / 2);
    if (isLanesUsedUp || sentOn.public + sentOn.private >= budget) return `the budget of ${budget} requests is used up`;
    const refusals = answers.filter((answer) => answer.lane === lane && isThrottled(answer.status));
    return refusals.length >= MOST_THROTTLED ? 'the exchange refused for the rate' : null;
  }

  async function turnOf(lane: Lane): Promise<void> {
    while (!isStopped && freeAt[lane] > clock.now()) {
      await sleepUntil(stopping, Math.ceil(freeAt[lane] - clock.now()));
    }
  }

  async function send(question: Question): Promise<Answer> {
    const message = question.message(stampBy(clock.now(), answers, settings));
    invariant(settings.hasKeys || !message.endpoint.signed, `${question.topic} is private, and there are no keys.`);
    const wire = wireRequestOf(message, settings.client);
    if (wire.signature !== null) spoken.add(wire.signature);
    return answerOf(question, await transport.send(wire.http), [...spoken]);
  }

  return { ask, answers: () => answers, unasked: () => unasked, close: () => transport.close() };
}

/** The middle of the bounds of the exchange's clock. */
function stampBy(now: EpochMs, answers: readonly Answer[], { recvWindowMs }: TalkSettings): Stamp {
  const { low, high } = venueTimeOf(answers).offset ?? { low: 0, high: 0 };
  return { timestamp: Math.round(now + (low + high) / 2), recvWindow: recvWindowMs };
}

/**
 * Resets are whole seconds: requests in step with them would all see the same fraction, and the window's length only to
 * a second. The golden ratio spreads the first requests over the second.
 */
const spreadMs = (count: number, intervalMs: DurationMs): DurationMs =>
  count > SPREAD_REQUESTS ? 0 : Math.min(SECOND, intervalMs) * ((count * GOLDEN) % 1);

/** Until when an answer tells us to wait, by our clock: after a refusal, or until a used-up window has ended. */
export function blockedUntil({ status, receivedAt, headers }: Answer): EpochMs {
  const venueDate = readHttpDate(headers.date);
  const reading = readRateLimit(headers, { receivedAt, ...(venueDate !== undefined && { venueDate }) });
  if (isThrottled(status)) return receivedAt + Math.max(reading?.retryAfter ?? 0, COOL_DOWN_MS);
  return reading?.remaining === 0 ? (reading.resetAt ?? receivedAt) : receivedAt;
}

/** Removes secrets from body and headers. */
function answerOf({ topic, symbol, lane }: Question, result: HttpResult, secrets: readonly string[]): Answer {
  const { sentAt, receivedAt } = result;
  const about = { topic, symbol, lane, sentAt, receivedAt };
  if (result.kind === 'fault') {
    return { ...about, status: result.fault.status ?? null, headers: {}, body: '', fault: result.fault.detail };
  }
  const mask = maskOf(secrets);
  const telling = Object.entries(result.headers).filter(([name]) => TELLING.test(name));
  const headers = telling.map(([name, text]) => [name, plainMessage(mask(text)).slice(0, LONGEST_HEADER)]);
  const body = mask(result.body);
  return { ...about, status: result.status, headers: Object.fromEntries(headers), body, fault: null };
}

/** Ends early when `stopping` resolves; leaves no timer behind. */
function sleepUntil(stopping: Promise<unknown>, ms: DurationMs): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void stopping.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// Bounds the exchange's time of each answer, from the `Date` headers of all answers together.

/** Bounds of a time by the exchange's clock. */
export interface Moment {
  readonly low: EpochMs;
  readonly high: EpochMs;
}

export interface VenueTime {
  /** When the exchange made the answer. `null` if its clock is unknown. */
  made(answer: Answer): Moment | null;
  /** The exchange's time − ours at the last answer with a `Date`; `null` if none had one. */
  readonly offset: Moment | null;
}

/** One answer's bounds of the exchange's time − ours. */
interface Word extends Moment {
  readonly at: EpochMs;
}

/**
 * The client's clock only looks ahead; this one also applies later answers to earlier ones: each bound holds at all
 * times, widened by the drift in between. If a clock has stepped, so that no offset fits all bounds, each answer's own
 * bounds are used.
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
  return [{ at: receivedAt, low: venueDate - receivedAt - SLACK_MS, high: venueDate + SECOND - sentAt + SLACK_MS }];
}

/** The intersection of all bounds at a time, or `null` if it is empty. */
function jointAt(words: readonly Word[], moment: EpochMs): Moment | null {
  const drift = (at: EpochMs): DurationMs => (Math.abs(moment - at) * DRIFT_PPM) / 1e6;
  const low = Math.max(...words.map((word) => word.low - drift(word.at)));
  const high = Math.min(...words.map((word) => word.high + drift(word.at)));
  return words.length > 0 && low <= high ? { low, high } : null;
}
