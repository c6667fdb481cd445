// One HTTP request and its answer as plain values: what `answer` takes and gives, whoever carries them.
import type { EpochMs } from '../../domain/time.ts';

export interface PaperRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** The query as it came, without `?`; empty when there is none. */
  readonly query: string;
  /** Names in lower case, as node:http gives them: lists are of headers that the exchange never reads. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came, or `null` when there is none. */
  readonly body: string | null;
  /** The caller's address: public calls are counted by it, keys may be bound to it. */
  readonly ip: string;
}

export function headerOf({ headers }: Pick<PaperRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

export interface PaperResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Names an answer that is not there yet. */
export type Ticket = number;

/**
 * `later`: the request is on its way to the book (Q7); `collect` has the answer from `dueAt` on, by the caller's clock.
 * Only creates wait, and only where `matchingLagMs` says so.
 */
export type Answer =
  | { readonly kind: 'now'; readonly response: PaperResponse }
  | { readonly kind: 'later'; readonly ticket: Ticket; readonly dueAt: EpochMs };
