// Where the specification is silent or the service was seen to differ: each choice of the paper exchange, by name.
// Q9 (crossing), Q10 (self-trade), Q11 (rounding, fee asset) and Q20 (large ids) are settings of the engine.
import { DAY, type DurationMs } from '../domain/time.ts';

/** How a create is turned down that passed the gate: a documented code, 200 `{msg}`, or 500 with -5013 (Q23). */
export type CreateRejection = 'code' | 'msg' | 'failure';

export interface Quirks {
  /** Q1: whether an empty value is part of what is signed, as `key=`. */
  readonly emptyValues: 'skipped' | 'included';
  /** Q2: order of the rows of a trade list. */
  readonly tradeListOrder: 'newest-first' | 'oldest-first' | 'unordered';
  /** Q3: which rows a page from `fromId` holds when more than `limit` qualify. */
  readonly fromIdPage: 'oldest' | 'newest';
  /** The same question for the other trade lists, where the specification doesn't even ask it. */
  readonly tradePage: 'oldest' | 'newest';
  /** Q4: most rows that the open-orders list shows (the oldest orders); `null` shows all. */
  readonly openOrdersCap: number | null;
  /** Q5: answer to a cancel of an order that is already closed: 200 `{msg}`, or 500 with -5014. */
  readonly cancelOfClosed: 'acknowledged' | 'rejected';
  /** Q6: how long after the fact each list shows it. */
  readonly openOrdersLagMs: DurationMs;
  readonly tradesLagMs: DurationMs;
  readonly walletLagMs: DurationMs;
  /** Q8 and N2: how an error's `code`, a trade's `id` and the moments that are numbers by the specification are written. */
  readonly codeAs: 'number' | 'string';
  readonly tradeIdAs: 'number' | 'string';
  readonly timeAs: 'number' | 'string';
  /** Q14. `always` means wherever a limit applies. */
  readonly rateHeaders: 'always' | 'when-throttled' | 'never';
  /** Q15. */
  readonly retryAfter: 'seconds' | 'date' | 'missing';
  /** Q16: how far back the list of own trades reaches. */
  readonly tradesWindowMs: DurationMs;
  /** Q22: which form of a query value is signed. */
  readonly signedValues: 'raw' | 'percent-encoded';
  /** Q23: a create without the funds for it; one off the tick, off the lot or below the minimum. */
  readonly insufficientFunds: CreateRejection;
  readonly offStep: CreateRejection;
  /** N3: most levels a side of a book, whatever `limit` says; `null` obeys `limit`. */
  readonly orderBookCap: number | null;
  /** N4: unit of the time of a ticker. */
  readonly tickerTimeUnit: 'ms' | 's';
  /** N5: what is added to the time of a public trade. */
  readonly publicTradeOffsetMs: DurationMs;
}

/** The specification, and its plainest reading where it leaves a choice. */
export const SPEC_QUIRKS: Quirks = {
  emptyValues: 'skipped',
  tradeListOrder: 'newest-first',
  fromIdPage: 'oldest',
  tradePage: 'newest',
  openOrdersCap: null,
  cancelOfClosed: 'acknowledged',
  openOrdersLagMs: 0,
  tradesLagMs: 0,
  walletLagMs: 0,
  codeAs: 'number',
  tradeIdAs: 'number',
  timeAs: 'number',
  rateHeaders: 'always',
  retryAfter: 'seconds',
  tradesWindowMs: 7 * DAY,
  signedValues: 'raw',
  insufficientFunds: 'msg',
  offStep: 'code',
  orderBookCap: null,
  tickerTimeUnit: 'ms',
  publicTradeOffsetMs: 0,
};

/** What was seen of a live service (field notes N2–N5); the rest as specified. */
export const FIELD_QUIRKS: Quirks = {
  ...SPEC_QUIRKS,
  codeAs: 'string',
  orderBookCap: 20,
  tickerTimeUnit: 's',
  publicTradeOffsetMs: 19_800_000,
};
