// Asks the questions of a probe one by one, within its budget, and keeps the answers as they came, without any secret.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { HttpRequest, HttpResult, Transport } from '../../ports/transport.ts';
import { plainMessage } from '../../venue/parsers/fields.ts';
import { isThrottled } from '../../venue/refusals.ts';
import type { ReadRequest } from '../../venue/requests.ts';
import { createSecrets } from '../base/secrets.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
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
const SIGNATURE = /\b[0-9a-f]{64}\b/g;

/** A read as the program itself would send it; the session stamps it. */
export type Question = ReadRequest & { readonly kind: Topic };

const laneOf = (question: Question): Lane => ('stamp' in question ? 'private' : 'public');

interface TalkSettings {
  readonly settings: Settings;
  readonly keys: ApiKeys;
  /** Shortest time between two requests on one lane. */
  readonly intervalMs: DurationMs;
  /** Most requests in total. */
  readonly budget: number;
}

interface TalkParts {
  readonly transport: Transport;
  /** Resolves when a person wants it to end. */
  readonly stopped: Promise<unknown>;
  /** Called with every answer and the number of answers so far. */
  heard(answer: Answer, count: number): void;
}

export type Talk = ReturnType<typeof openVenueTalk>;

/**
 * `answers`: so far, in order. `unasked`: questions not asked, and why. `clock`: the exchange's, by all answers so far.
 */
export function openVenueTalk({ settings, keys, intervalMs, budget }: TalkSettings, parts: TalkParts) {
  const answers: Answer[] = [];
  const unasked: { question: Question; why: string }[] = [];
  const secrets = createSecrets();
  for (const each of [keys.key, keys.secret]) secrets.register(each.reveal());
  const sentOn: Record<Lane, number> = { public: 0, private: 0 };
  const freeAt: Record<Lane, EpochMs> = { public: 0, private: 0 };
  const last: Partial<Record<Lane, HttpResult>> = {};
  let isStopped = false;

  async function send(request: HttpRequest): Promise<HttpResult> {
    const lane = settings.venue.apiKeyHeader in request.headers ? 'private' : 'public';
    // The exchange may echo a signature later, and elsewhere.
    for (const [text] of JSON.stringify(request).matchAll(SIGNATURE)) secrets.register(text);
    const leavesAt = Math.max(realClock.now(), freeAt[lane]) + spreadMs(sentOn[lane], intervalMs);
    freeAt[lane] = leavesAt + intervalMs;
    await sleep(leavesAt - realClock.now());
    const result = await parts.transport.send(request);
    last[lane] = result;
    return result;
  }

  const pace = { requestsPerSecond: SECOND / intervalMs, maxInFlight: 1 };
  const paced = { ...settings, lanes: { public: pace, private: pace } };
  const session = openVenueSession(paced, keys, { send, close: () => parts.transport.close() });
  const stopping = parts.stopped.then((): null => {
    isStopped = true;
    session.close();
    return null;
  });

  /**
   * `null` when no more may be asked: stopped, the budget is used up, or the lane refuses. Repeats a throttled question
   * once.
   */
  async function ask(question: Question): Promise<Answer | null> {
    const answer = await askOnce(question);
    if (answer === null || !isThrottled(answer.status)) return answer;
    await Promise.race([sleep(COOL_DOWN_MS), stopping]);
    return askOnce(question);
  }

  async function askOnce(question: Question): Promise<Answer | null> {
    const lane = laneOf(question);
    const why = whyNot(lane);
    if (why === null) {
      sentOn[lane] += 1;
      await Promise.race([session.ask(question), stopping]);
    }
    const result = last[lane];
    if (why !== null || isStopped || result === undefined) {
      unasked.push({ question, why: why ?? 'stopped' });
      return null;
    }
    const answer = answerOf(question, result, secrets.scrub);
    answers.push(answer);
    parts.heard(answer, answers.length);
    return answer;
  }

  function whyNot(lane: Lane): string | null {
    if (isStopped) return 'stopped';
    if (isUsedUp(budget, sentOn, lane)) return `the budget of ${budget} requests is used up`;
    const refusals = answers.filter((answer) => answer.lane === lane && isThrottled(answer.status));
    return refusals.length >= MOST_THROTTLED ? 'the exchange refused for the rate' : null;
  }

  const soFar = { answers: (): readonly Answer[] => answers, unasked: () => unasked, clock: session.clock };
  return { ask, ...soFar, close: session.close };
}

/** Account questions run in parallel with market questions and must not use up their budget. */
const isUsedUp = (budget: number, sentOn: Readonly<Record<Lane, number>>, lane: Lane): boolean =>
  sentOn.public + sentOn.private >= budget || (lane === 'private' && sentOn.private >= Math.ceil(budget / 2));

const sleep = (ms: DurationMs): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Resets are whole seconds: requests in step with them would all see the same fraction, and the window's length only to
 * a second. The golden ratio spreads the first requests over the second.
 */
const spreadMs = (count: number, intervalMs: DurationMs): DurationMs =>
  count > SPREAD_REQUESTS ? 0 : Math.min(SECOND, intervalMs) * ((count * GOLDEN) % 1);

/** `scrub` removes secrets from body and headers. */
function answerOf(question: Question, result: HttpResult, scrub: (text: string) => string): Answer {
  const { sentAt, receivedAt } = result;
  const symbol = 'symbol' in question ? (question.symbol ?? null) : null;
  const about = { topic: question.kind, symbol, lane: laneOf(question), sentAt, receivedAt };
  if (result.kind === 'fault') {
    return { ...about, status: result.fault.status ?? null, headers: {}, body: '', fault: result.fault.detail };
  }
  const telling = Object.entries(result.headers).filter(([name]) => TELLING.test(name));
  const headers = telling.map(([name, text]) => [name, plainMessage(scrub(text)).slice(0, LONGEST_HEADER)]);
  return {
    ...about,
    status: result.status,
    headers: Object.fromEntries(headers),
    body: scrub(result.body),
    fault: null,
  };
}
