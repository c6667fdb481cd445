// One answer, as the inferences see it: times, status, the few relevant headers, the body. Contains no secret.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { readJson, readJsonExact } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import { DIALECT, errorIn } from '../../venue/dialect.ts';
import { isObject, type RawObject, readErrorBody } from '../../venue/parsers/fields.ts';
import type { RefusalKind } from '../../venue/refusals.ts';
import type { LaneName, ReadKind } from '../../venue/requests.ts';

export type Lane = Exclude<LaneName, 'legacy'>;

/** Kind of question. Several answers may share one topic: for several symbols, or from repeated reads. */
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
  /** HTTP status; `null` if there was no answer. */
  readonly status: number | null;
  /** Only `Date`, `Retry-After` and the rate limit's, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** One sentence: why there was no answer. */
  readonly fault: string | null;
}

const OK = 200;

/** The answers of a topic with status 200; with `symbol`, only those about it. */
export function good(answers: readonly Answer[], topic: Topic, symbol?: InstrumentSymbol): readonly Answer[] {
  return answers.filter(
    (answer) => answer.topic === topic && answer.status === OK && (symbol === undefined || answer.symbol === symbol),
  );
}

/** The body with each number as its original text, for money and ids; `undefined` if it is not JSON. */
export function exactJsonOf(answer: Answer): unknown {
  const json = readJsonExact(answer.body);
  return json.ok ? json.value : undefined;
}

/** The objects of a list with numbers as floats, for types and times; empty if the body is no list. */
export function rowsOf(answer: Answer): readonly RawObject[] {
  const json = jsonOf(answer);
  return Array.isArray(json) ? json.filter(isObject) : [];
}

/** The error code of an answer, or `null` if it has none. */
const codeOf = (answer: Answer): number | null => readErrorBody(jsonOf(answer))?.code ?? null;

export const refusalOf = (answer: Answer): RefusalKind | undefined => errorIn(DIALECT, codeOf(answer) ?? 0)?.kind;

function jsonOf(answer: Answer): unknown {
  const json = readJson(answer.body);
  return json.ok ? json.value : undefined;
}

/** `HTTP 403 with -2003`, `HTTP 404`, or the sentence of the fault: never quotes the exchange. */
export function answeredWith(answer: Answer): string {
  if (answer.status === null) return answer.fault ?? 'no answer';
  const code = codeOf(answer);
  return code === null ? `HTTP ${answer.status}` : `HTTP ${answer.status} with ${code}`;
}
