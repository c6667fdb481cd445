// Hand-made answers, as a conversation would have collected them: with a time, a Date, and any body and headers.
import type { Answer, Lane, Topic } from '../../../src/bot/probe/answer.ts';
import type { Finding } from '../../../src/bot/probe/finding.ts';
import type { EpochMs } from '../../../src/domain/time.ts';

/** A Monday in 2026, 06:30:00 UTC. */
export const NOON: EpochMs = Date.UTC(2026, 2, 2, 6, 30, 0);

export interface Made {
  readonly symbol?: string | null;
  readonly lane?: Lane;
  readonly at?: EpochMs;
  readonly tookMs?: number;
  readonly status?: number | null;
  readonly headers?: Answer['headers'];
  /** Text stays as it is, anything else becomes JSON. */
  readonly body?: unknown;
  readonly fault?: string;
}

/** With a Date header of the time it was made, unless headers say otherwise. */
export function answer(topic: Topic, made: Made = {}): Answer {
  const { symbol = null, lane = laneOf(topic), at = NOON, tookMs = 20, status = 200, headers, body = [], fault } = made;
  return {
    topic,
    symbol,
    lane,
    sentAt: at,
    receivedAt: at + tookMs,
    status,
    headers: headers ?? { date: dateText(at + tookMs / 2) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    fault: fault ?? null,
  };
}

/** As a server writes it: floored to the second. */
export const dateText = (at: EpochMs): string => new Date(at).toUTCString();

const MARKET: readonly Topic[] = ['tickers', 'order-book', 'public-trades'];

const laneOf = (topic: Topic): Lane => (MARKET.includes(topic) ? 'public' : 'private');

/** The only finding with this id; fails if there is none. */
export function findingOf(findings: readonly Finding[], id: string): Finding {
  const found = findings.filter((finding) => finding.id === id);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} findings are called ${id}.`);
  return only;
}
