// Where the specification is silent or the service was seen to differ: each choice of the paper exchange, by name.
import { DAY, type DurationMs, MINUTE } from '../../domain/time.ts';

/** How a create is turned down that passed the gate: a documented code, 200 `{msg}`, or 500 with -5013 (Q23). */
export type CreateRejection = 'code' | 'msg' | 'failure';
/** `unordered` is an order too, but one that nobody can use. */
export type ListOrder = 'newest-first' | 'oldest-first' | 'unordered';
/** Which rows a page holds when more than `limit` qualify. */
export type PagePart = 'oldest' | 'newest';
/** How what the specification lists as a number is written. */
export type NumberForm = 'number' | 'string';

/** What is signed, and where the signature may be. */
interface SigningQuirks {
  /** Q1: whether an empty value is part of what is signed, as `key=`. */
  readonly emptyValues: 'skipped' | 'included';
  /** Q22: which form of a query value is signed. */
  readonly signedValues: 'raw' | 'percent-encoded';
  /**
   * A header that may carry the signature instead of the query (specification 5.3 does not name it); `null`: none may.
   */
  readonly signatureHeader: string | null;
  /** Q24: whether cancel-all, which has no body, may, must or must not say `Content-Type: application/json`. */
  readonly cancelAllContentType: 'either' | 'required' | 'refused';
}

/** How long things take behind the gate. */
interface TimingQuirks {
  /**
   * Q7: where the timestamp is compared with recvWindow: when the request arrives, or for a create again when it
   * reaches the book, `matchingLagMs` later. It is refused with -1021 then.
   */
  readonly recvWindowChecked: 'gate' | 'both';
  /** Q7: time of a create between the gate and the book. Its answer waits for the book. */
  readonly matchingLagMs: DurationMs;
  /** F26: time of a cancel between its acknowledgement, which is given at once, and the book. */
  readonly cancelLagMs: DurationMs;
  /**
   * Q21: what becomes of the creates that have not reached the book when cancel-all or cancel-symbol reaches it: they
   * land after it, or they are answered 200 `{msg}` and never land.
   */
  readonly creationsDuringCancel: 'land-after' | 'canceled';
  /** Q6: how long after the fact each list shows it. */
  readonly openOrdersLagMs: DurationMs;
  readonly tradesLagMs: DurationMs;
  readonly walletLagMs: DurationMs;
  readonly transfersLagMs: DurationMs;
}

/** What a create or cancel is answered. */
interface OrderQuirks {
  /** Q5: answer to a cancel of an order that is already closed: 200 `{msg}`, or 500 with -5014. */
  readonly cancelOfClosed: 'acknowledged' | 'rejected';
  /** Q23: a create without the funds for it; one off the tick, off the lot or below the minimum (Q19). */
  readonly insufficientFunds: CreateRejection;
  readonly offStep: CreateRejection;
}

/** Which rows a private list shows, and in what order. */
interface ListQuirks {
  /** Q2: order of the rows of a trade list; the same question for the transfer lists. */
  readonly tradeListOrder: ListOrder;
  readonly transferListOrder: ListOrder;
  /** Q3: which rows a page from `fromId` holds. */
  readonly fromIdPage: PagePart;
  /** The same question for the other lists, where the specification doesn't even ask it. */
  readonly tradePage: PagePart;
  readonly transferPage: PagePart;
  /** Q4: most rows that the open-orders list shows (the oldest orders); `null` shows all. */
  readonly openOrdersCap: number | null;
  /**
   * Most rows of any list that takes a `limit`, whatever it says (N3 was seen of the order book); `null` obeys `limit`.
   */
  readonly listCap: number | null;
  /** Q12: whether `locked` of the wallet includes `lockedStaking` and `lockedOtc`; `lockedFd` is always apart. */
  readonly lockedIncludes: 'all' | 'trading';
  /** Q16: how far back the lists reach that are not historical, and what the historical ones hold. */
  readonly historyWindowMs: DurationMs;
  readonly archiveHolds: 'older' | 'everything';
}

/** How things are written. */
interface FormQuirks {
  /** Q8 and N2: an error's `code`; a trade's `id`; every moment that is a number by the specification. */
  readonly codeAs: NumberForm;
  readonly tradeIdAs: NumberForm;
  readonly timeAs: NumberForm;
  /** Q14. `always` means wherever a limit applies. */
  readonly rateHeaders: 'always' | 'when-throttled' | 'never';
  /** Q15. */
  readonly retryAfter: 'seconds' | 'date' | 'missing';
}

/** The public and the legacy interface. */
interface MarketDataQuirks {
  /** N3: most levels a side of a book, whatever `limit` says; `null` obeys `limit`. */
  readonly orderBookCap: number | null;
  /** N4: unit of the time of a ticker. */
  readonly tickerTimeUnit: 'ms' | 's';
  /** N5: what is added to the time of a public trade. */
  readonly publicTradeOffsetMs: DurationMs;
  /** Q13: whether legacy depth and trades are at `/api/v2/…`, at the `/api/…` of the sample calls, or at both. */
  readonly legacyPaths: 'versioned' | 'sample' | 'both';
  /** Q17: the zone of `created_at` of a legacy trade. */
  readonly legacyTradeZone: '+05:30' | 'UTC';
  /** Q18: whether legacy requests count against the public limit of the caller or have a limit of their own. */
  readonly legacyRateLimit: 'shared' | 'separate';
  /** Body of a legacy error, which is not documented: `{"error":"…"}`, a plain sentence, or nothing. */
  readonly legacyErrorBody: 'json' | 'text' | 'empty';
}

export interface Quirks extends SigningQuirks, TimingQuirks, OrderQuirks, ListQuirks, FormQuirks, MarketDataQuirks {}

/** The specification, and its plainest reading where it leaves a choice. */
export const SPEC_QUIRKS: Quirks = {
  emptyValues: 'skipped',
  signedValues: 'raw',
  signatureHeader: null,
  cancelAllContentType: 'either',
  recvWindowChecked: 'gate',
  matchingLagMs: 0,
  cancelLagMs: 0,
  creationsDuringCancel: 'land-after',
  openOrdersLagMs: 0,
  tradesLagMs: 0,
  walletLagMs: 0,
  transfersLagMs: 0,
  cancelOfClosed: 'acknowledged',
  insufficientFunds: 'msg',
  offStep: 'code',
  tradeListOrder: 'newest-first',
  transferListOrder: 'newest-first',
  fromIdPage: 'oldest',
  tradePage: 'newest',
  transferPage: 'newest',
  openOrdersCap: null,
  listCap: null,
  lockedIncludes: 'all',
  historyWindowMs: 7 * DAY,
  archiveHolds: 'older',
  codeAs: 'number',
  tradeIdAs: 'number',
  timeAs: 'number',
  rateHeaders: 'always',
  retryAfter: 'seconds',
  orderBookCap: null,
  tickerTimeUnit: 'ms',
  publicTradeOffsetMs: 0,
  legacyPaths: 'versioned',
  legacyTradeZone: '+05:30',
  legacyRateLimit: 'shared',
  legacyErrorBody: 'json',
};

/** India's wall time against UTC. */
export const INDIA_OFFSET_MS: DurationMs = 330 * MINUTE;

/** What was seen of a live service (field notes N2–N5); the rest as specified. */
export const FIELD_QUIRKS: Quirks = {
  ...SPEC_QUIRKS,
  codeAs: 'string',
  orderBookCap: 20,
  tickerTimeUnit: 's',
  publicTradeOffsetMs: INDIA_OFFSET_MS,
};
