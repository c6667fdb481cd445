// One answer of the conversation, as the inferences see it: times, status, the few headers that matter, the body. No
// secret is in it.
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { LaneName } from '../../../venue/requests.ts';

/** What was asked. Several answers may have one topic: of several symbols, or of a second look. */
export type Topic =
  | 'symbols'
  | 'tickers'
  | 'order-book'
  | 'public-trades'
  | 'assets'
  /** A documented error without consequence: `limit=51`. */
  | 'limit-51'
  | 'unknown-path'
  | 'legacy-best-prices'
  | 'legacy-tickers'
  | 'legacy-depth'
  | 'legacy-depth-sample'
  | 'legacy-trades'
  | 'legacy-trades-sample'
  /** Requests without a pause until one is refused; only with `--provoke`. */
  | 'provoked'
  | 'wallet'
  | 'open-orders'
  | 'spot-trades'
  /** The same signed in the other way, after a refused signature. */
  | 'spot-trades-encoded'
  /** `fromId` of the oldest known row with `limit=2`. */
  | 'spot-trades-from-id'
  | 'spot-trades-historical'
  | 'sbs-trades'
  | 'crypto-deposits'
  | 'crypto-deposits-historical'
  | 'crypto-withdrawals'
  | 'crypto-withdrawals-historical'
  | 'fiat-deposits'
  | 'fiat-deposits-historical'
  | 'fiat-withdrawals'
  | 'fiat-withdrawals-historical';

/** The headers that tell something, as they were written. */
export interface TellingHeaders {
  readonly date?: string;
  readonly contentType?: string;
  readonly limit?: string;
  readonly remaining?: string;
  readonly reset?: string;
  readonly retryAfter?: string;
}

export interface Answer {
  readonly topic: Topic;
  readonly symbol: InstrumentSymbol | null;
  readonly lane: LaneName;
  /** By our clock, which never steps while the program runs. */
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  /** HTTP status; `null` where no answer came. */
  readonly status: number | null;
  readonly headers: TellingHeaders;
  readonly body: string;
  /** Why no answer came, one sentence. */
  readonly fault: string | null;
}

const OK = 200;

/** The answers to one question that came with 200; with `symbol`, only those about it. */
export function good(answers: readonly Answer[], topic: Topic, symbol?: InstrumentSymbol): readonly Answer[] {
  return about(answers, topic, symbol).filter(({ status }) => status === OK);
}

/** Every answer to one question, good or not. */
export function about(answers: readonly Answer[], topic: Topic, symbol?: InstrumentSymbol): readonly Answer[] {
  return answers.filter((answer) => answer.topic === topic && (symbol === undefined || answer.symbol === symbol));
}
