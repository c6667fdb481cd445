// One answer of the conversation, as the inferences see it: times, status, the few headers that matter, the body. No
// secret is in it.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { readJson, readJsonExact } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import { isObject, type RawObject, readErrorBody } from '../../venue/parsers/fields.ts';
import type { LaneName, ReadKind } from '../../venue/requests.ts';

export type Lane = Exclude<LaneName, 'legacy'>;

/** What was asked. Several answers may have one topic: of several symbols, or of a second look. */
export type Topic =
  | Extract<ReadKind, 'tickers' | 'order-book' | 'public-trades' | 'open-orders' | 'spot-trades' | 'sbs-trades'>
  | Extract<ReadKind, 'crypto-deposits' | 'crypto-withdrawals' | 'fiat-deposits' | 'fiat-withdrawals'>;

export interface Answer {
  readonly topic: Topic;
  readonly symbol: InstrumentSymbol | null;
  readonly lane: Lane;
  /** By our clock, which never steps while the program runs. */
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  /** HTTP status; `null` where no answer came. */
  readonly status: number | null;
  /** Only `Date`, `Retry-After` and those of the rate limit, with their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Why no answer came, one sentence. */
  readonly fault: string | null;
}

const OK = 200;

/** The answers to one question that came with 200; with `symbol`, only those about it. */
export function good(answers: readonly Answer[], topic: Topic, symbol?: InstrumentSymbol): readonly Answer[] {
  return answers.filter(
    (answer) => answer.topic === topic && answer.status === OK && (symbol === undefined || answer.symbol === symbol),
  );
}

/** The body with each number as the text that it was written as, for money and ids; `undefined` if it is not JSON. */
export function exactJsonOf(answer: Answer): unknown {
  const json = readJsonExact(answer.body);
  return json.ok ? json.value : undefined;
}

/** The objects of a list with numbers as floats, for types and times; none where the body is no list. */
export function rowsOf(answer: Answer): readonly RawObject[] {
  const json = jsonOf(answer);
  return Array.isArray(json) ? json.filter(isObject) : [];
}

/** The error code of an answer, or `null` where it has none. */
export function codeOf(answer: Answer): number | null {
  return readErrorBody(jsonOf(answer))?.code ?? null;
}

function jsonOf(answer: Answer): unknown {
  const json = readJson(answer.body);
  return json.ok ? json.value : undefined;
}

/** `HTTP 403 with -2003`, `HTTP 404`, or the sentence of the fault: never words of the exchange's. */
export function answeredWith(answer: Answer): string {
  if (answer.status === null) return answer.fault ?? 'no answer';
  const code = codeOf(answer);
  return code === null ? `HTTP ${answer.status}` : `HTTP ${answer.status} with ${code}`;
}
