// Outcomes of a request as closed unions. Unknown is not failed: see `CreateOutcome`.
import type { OrderId } from '../domain/ids.ts';
import { assertNever } from '../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { RefusalKind } from './refusals.ts';
import type { CancelKind, CancelRequest, CreateRequest, ReadKind, ReadRequest, ReadTable } from './requests.ts';

export type FaultReason =
  | 'dns'
  | 'refused'
  | 'connect-timeout'
  | 'tls'
  | 'aborted'
  | 'timeout'
  | 'reset'
  | 'status'
  | 'redirect'
  | 'content-type'
  | 'too-large'
  | 'bad-json'
  | 'bad-shape'
  | 'other';

/**
 * A failed exchange of messages. It carries no URL, header or body: a signed URL is a secret. `sent` is false only when
 * it is proved that no byte of the request left this machine.
 */
export interface Fault {
  readonly sent: boolean;
  readonly reason: FaultReason;
  /** HTTP status, if an answer came. */
  readonly status?: number;
  /** The venue's error code, if the answer had one, and its kind if the dialect lists it. */
  readonly code?: number;
  readonly refusal?: RefusalKind;
  /** One sentence for people. */
  readonly detail: string;
}

/** When a message left and when its answer was complete, by our clock. */
interface Timing {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
}

/** A read's rows. `complete` is false when a row is unreadable or the page may be cut (order-truth §4). */
export interface Read<T> extends Timing {
  readonly rows: T;
  readonly complete: boolean;
  /** Why the read is not complete, one sentence. */
  readonly incompleteBecause?: string;
}

/** The venue wants fewer requests, or none for a while. */
export interface Throttled {
  readonly kind: 'throttled';
  readonly status: number;
  /** Where the answer had the venue's own code; without one a 503 comes from a gateway. */
  readonly code?: number;
  readonly refusal?: RefusalKind;
  readonly retryAt: EpochMs;
}

/** The venue refused: `{code, msg}` with a documented code. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly refusal: RefusalKind;
}

export type ReadOutcome<T> =
  | { readonly kind: 'read'; readonly read: Read<T> }
  | Rejected
  /** 429, 503 or 504: the lane is closed until `retryAt`. */
  | Throttled
  | { readonly kind: 'failed'; readonly fault: Fault };

export type CreateOutcome =
  | { readonly kind: 'accepted'; readonly orderId: OrderId }
  /** No byte left this machine. */
  | { readonly kind: 'not-sent'; readonly fault: Fault }
  /** The venue proved that no order was created. */
  | Rejected
  /**
   * 200 `{msg}`, or 429: reported as not accepted, but watched until the horizon all the same. `throttledBy`: a 429 by
   * the exchange with its own code, which it sends before it reads the request; or by a gateway before it.
   */
  | { readonly kind: 'soft-rejected'; readonly msg: string; readonly throttledBy?: 'exchange' | 'gateway' }
  /** It may have been created. -5013 with 500 is one of these. */
  | { readonly kind: 'unknown'; readonly fault: Fault };

/** None of these proves how much had filled before. */
export type CancelOutcome =
  | { readonly kind: 'acknowledged'; readonly msg: string }
  | Rejected
  | Throttled
  | { readonly kind: 'not-sent'; readonly fault: Fault }
  | { readonly kind: 'unknown'; readonly fault: Fault };

/** Facts of every answer apart from its content. */
export interface AnswerFacts extends Timing {
  /** HTTP status, if an answer came: a lane slows down on 429, 503 and 504, whatever the outcome. */
  readonly status?: number;
  /** The `Date` header as epoch ms (floored to the second), if there was one. */
  readonly venueDate?: EpochMs;
  readonly rateLimit?: RateLimitReading;
  /** Name of the paper exchange instance that answered; the live venue sends none. */
  readonly paperInstance?: string;
}

/** The usable rate-limit headers of one answer. */
export interface RateLimitReading {
  readonly limit?: number;
  readonly remaining?: number;
  /** When the window ends at the latest. */
  readonly resetAt?: EpochMs;
  /** The earliest reset, where it was given in whole seconds, rounded up. */
  readonly resetFrom?: EpochMs;
  /** How much later the stated reset was than both: longer than any assumed window. */
  readonly cutMs?: DurationMs;
  readonly retryAfter?: DurationMs;
  /** The time that it named by the exchange's clock, if it was a date. */
  readonly retryDate?: EpochMs;
}

interface Pair<Kind extends string, Request, Outcome> {
  readonly kind: Kind;
  readonly request: Request;
  readonly outcome: Outcome;
  readonly facts: AnswerFacts;
}

export type CompletedRead<K extends ReadKind = ReadKind> = {
  [N in K]: Pair<N, ReadRequest<N>, ReadOutcome<ReadTable[N]['answer']>>;
}[K];
type CompletedCreate = Pair<'create', CreateRequest, CreateOutcome>;
export type CompletedCancel<K extends CancelKind = CancelKind> = {
  [N in K]: Pair<N, Extract<CancelRequest, { kind: N }>, CancelOutcome>;
}[K];

/** A request paired with its outcome: what the trader observes. `kind` is the request's. */
export type Completed = CompletedRead | CompletedCreate | CompletedCancel;

/** The words of the answer, preceded by the exchange's code for a refusal. */
export function detailOf(outcome: CreateOutcome | CancelOutcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.orderId;
    case 'acknowledged':
    case 'soft-rejected':
      return outcome.msg;
    case 'rejected':
      return `${outcome.code} ${outcome.msg}`;
    case 'throttled':
      return `HTTP ${outcome.status}`;
    case 'not-sent':
    case 'unknown':
      return outcome.fault.detail;
    default:
      return assertNever(outcome);
  }
}
