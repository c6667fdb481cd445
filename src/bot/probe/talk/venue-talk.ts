// Sends the questions of a probe one by one, at most one per interval and lane, and keeps what came back without
// anything secret.

import type { ClientSettings } from '../../../client/exchange-client.ts';
import { maskOf, scrubbed } from '../../../client/wire/secret.ts';
import { wireRequestOf } from '../../../client/wire/signed-request.ts';
import { invariant } from '../../../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../../domain/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HttpResult, Transport } from '../../../ports/transport.ts';
import { isThrottled } from '../../../venue/error-codes.ts';
import { plainMessage } from '../../../venue/parsers/fields.ts';
import type { Stamp } from '../../../venue/requests.ts';
import type { Answer, TellingHeaders } from '../facts/answer.ts';
import { venueTimeOf } from '../facts/venue-time.ts';
import { blockedUntil } from '../rates/rate-block.ts';
import type { Question } from './questions.ts';

/** After so many refusals for the rate a lane is left alone. */
const MOST_THROTTLED = 2;
const LONGEST_HEADER = 80;
const SPREAD_REQUESTS = 10;
const LATE_REQUESTS: readonly number[] = [3, 6];
const LATE_SHARE = 0.7;
const GOLDEN = 0.618;

export interface TalkSettings {
  readonly client: ClientSettings;
  /** Whether private questions may be asked. */
  readonly hasKeys: boolean;
  readonly recvWindowMs: DurationMs;
  /** Least time between two requests of one lane. */
  readonly intervalMs: DurationMs;
  /** Most requests altogether. */
  readonly budget: number;
}

export interface TalkParts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Resolves when a person wants it to end. */
  readonly stopped: Promise<unknown>;
  /** Told of every answer, and how many there are. */
  heard(answer: Answer, count: number): void;
}

export interface Talk {
  /**
   * `null` when nothing more may be asked: stopped, the budget is used up, or the lane refuses. A throttled question is
   * asked once more.
   */
  ask(question: Question): Promise<Answer | null>;
  /** What came so far, in order. */
  answers(): readonly Answer[];
  /** What was not asked, and why. */
  unasked(): readonly { readonly question: Question; readonly why: string }[];
  close(): void;
}

/** Legacy and public share a lane here: whether the exchange counts them apart is one of the questions (Q18). */
type Track = 'market' | 'account';
/** How many requests left on each track, and how many of them were refused for the rate. */
interface Spent {
  readonly sentOn: Readonly<Record<Track, number>>;
  readonly throttled: Readonly<Record<Track, number>>;
}

const trackOf = ({ lane }: Pick<Question, 'lane'>): Track => (lane === 'private' ? 'account' : 'market');

export function openVenueTalk(settings: TalkSettings, parts: TalkParts): Talk {
  const { transport, clock } = parts;
  const answers: Answer[] = [];
  const { key, secret } = settings.client;
  /** Whatever an exchange was told once it may echo later, and elsewhere. */
  const spoken = new Set<string>(settings.hasKeys ? [key.reveal(), secret.reveal()] : []);
  const unasked: { question: Question; why: string }[] = [];
  /** When each track may send next, by our wall clock. */
  const freeAt: Record<Track, number> = { market: 0, account: 0 };
  const throttled: Record<Track, number> = { market: 0, account: 0 };
  const sentOn: Record<Track, number> = { market: 0, account: 0 };
  let isStopped = false;
  const stopping = parts.stopped.then(() => {
    isStopped = true;
    transport.close();
  });

  async function ask(question: Question): Promise<Answer | null> {
    const answer = await askOnce(question);
    const again = answer !== null && isThrottled(answer.status) && question.pace !== 'provoking';
    return again ? await askOnce(question) : answer;
  }

  async function askOnce(question: Question): Promise<Answer | null> {
    const track = trackOf(question);
    if (whyNot(track) === null && !goesAtOnce(question, answers.at(-1))) await turnOf(track);
    const why = whyNot(track);
    if (why !== null) {
      unasked.push({ question, why });
      return null;
    }
    sentOn[track] += 1;
    const spread = spreadMs(sentOn[track], settings.intervalMs);
    freeAt[track] = clock.now() + settings.intervalMs + spread;
    const answer = await send(question);
    if (isStopped && answer.status === null) return null;
    answers.push(answer);
    if (isThrottled(answer.status) && question.pace !== 'provoking') throttled[track] += 1;
    freeAt[track] = Math.max(freeAt[track], blockedUntil(answer, venueTimeOf(answers)) + spread);
    parts.heard(answer, answers.length);
    return answer;
  }

  function whyNot(track: Track): string | null {
    return isStopped ? 'stopped' : whyUsedUp(track, { sentOn, throttled }, settings.budget);
  }

  async function turnOf(track: Track): Promise<void> {
    while (!isStopped && freeAt[track] > clock.now()) {
      await sleepUntil(stopping, Math.ceil(freeAt[track] - clock.now()));
    }
  }

  async function send(question: Question): Promise<Answer> {
    const message = question.message(stampBy(clock.now(), answers, settings));
    invariant(settings.hasKeys || !message.endpoint.signed, `${question.topic} is private, and there are no keys.`);
    const client = { ...settings.client, ...question.otherwise };
    const wire = wireRequestOf(message, client, client.deadlineMs.read);
    if (wire.signature !== null) spoken.add(wire.signature);
    return answerOf(question, withoutSecrets(await transport.send(wire.http), [...spoken]));
  }

  return {
    ask,
    answers: () => answers,
    unasked: () => unasked,
    close: () => transport.close(),
  };
}

/** By the middle of what the exchange's clock may be. */
function stampBy(now: EpochMs, answers: readonly Answer[], { recvWindowMs }: TalkSettings): Stamp {
  const { low, high } = venueTimeOf(answers).offset ?? { low: 0, high: 0 };
  return { timestamp: Math.round(now + (low + high) / 2), recvWindow: recvWindowMs };
}

/** Why nothing more may be asked for the rate or the budget; null where something may. */
function whyUsedUp(track: Track, { sentOn, throttled }: Spent, budget: number): string | null {
  const { market, account } = sentOn;
  // The account is asked beside the market and must not use up what the market needs.
  const isUsedUp = market + account >= budget || (track === 'account' && account >= Math.ceil(budget / 2));
  if (isUsedUp) return `the budget of ${budget} requests is used up`;
  return throttled[track] >= MOST_THROTTLED ? 'the exchange refused for the rate' : null;
}

/**
 * Resets are whole seconds: requests that keep step with them would all see the same fraction, and the window's length
 * only to a second. The golden ratio spreads the first ones over it. Two come late: a window that begins with them
 * tells itself from one that has begun at its fixed time.
 */
function spreadMs(count: number, intervalMs: DurationMs): DurationMs {
  if (count > SPREAD_REQUESTS) return 0;
  const late = LATE_REQUESTS.includes(count) ? LATE_SHARE * intervalMs : 0;
  return Math.min(SECOND, intervalMs) * ((count * GOLDEN) % 1) + late;
}

/** A neighbor: when another request of the same window is left, whether the two interfaces share it or not. */
function goesAtOnce({ pace }: Question, before: Answer | undefined): boolean {
  return pace === 'provoking' || (pace === 'neighbor' && Number(before?.headers.remaining ?? 0) >= 2);
}

/** Body and headers alike. */
function withoutSecrets(result: HttpResult, secrets: readonly string[]): HttpResult {
  const mask = maskOf(secrets);
  const clean = scrubbed(result, mask);
  if (clean.kind === 'fault') return clean;
  const headers = Object.entries(clean.headers).filter(([, text]) => mask(text) === text);
  return { ...clean, headers: Object.fromEntries(headers) };
}

function answerOf({ topic, symbol, lane }: Question, result: HttpResult): Answer {
  const { sentAt, receivedAt } = result;
  const about = { topic, symbol, lane, sentAt, receivedAt };
  if (result.kind === 'fault') {
    return { ...about, status: result.fault.status ?? null, headers: {}, body: '', fault: result.fault.detail };
  }
  return { ...about, status: result.status, headers: tellingHeaders(result.headers), body: result.body, fault: null };
}

/** The names that the answer keeps, and how they are spelled on the wire. */
const HEADERS: readonly (readonly [keyof TellingHeaders, string])[] = [
  ['date', 'date'],
  ['contentType', 'content-type'],
  ['limit', 'x-ratelimit-limit'],
  ['remaining', 'x-ratelimit-remaining'],
  ['reset', 'x-ratelimit-reset'],
  ['retryAfter', 'retry-after'],
];

function tellingHeaders(headers: Readonly<Record<string, string>>): TellingHeaders {
  return Object.fromEntries(
    HEADERS.flatMap(([name, wire]) => {
      const text = headers[wire];
      return text === undefined ? [] : [[name, plainMessage(text).slice(0, LONGEST_HEADER)]];
    }),
  );
}

/** Ends early when `stopping` resolves; no timer is left behind. */
function sleepUntil(stopping: Promise<unknown>, ms: DurationMs): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void stopping.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
