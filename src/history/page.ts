// Judges a page: whether it answers the request, whether it may be cut, and what it proves.
import { compareTradeIds } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Fault, ReadOutcome } from '../venue/outcomes.ts';
import { isOfTheRequest } from '../venue/refusals.ts';
import { type Coverage, compareKeys, type RowKey, rowsIn, type Span } from './coverage.ts';
import { type HistorySettings, type ListTraits, letsThrough, promiseOf, type Query, spanOf } from './query.ts';
import type { Endpoint } from './state.ts';

/** The rows of an answer. */
export interface HistoryPage<Row> {
  readonly rows: readonly Row[];
  readonly complete: boolean;
  readonly incompleteBecause?: string;
  /** When it was requested, by the clock that stamps the rows: the request's `timestamp`. */
  readonly askedAt: EpochMs;
}

/** A page that was accepted as the answer. */
export interface SortedPage {
  /** Its rows by time, then id. */
  readonly keys: readonly RowKey[];
  /** It shows the whole request's rows. */
  readonly whole: boolean;
}

/** The first row outside the request, in words; `null` without one. */
export function unaskedRowIn<Row>(
  page: HistoryPage<Row>,
  query: Query,
  traits: Pick<ListTraits<Row, unknown>, 'belongs' | 'keyOf'>,
): string | null {
  for (const row of page.rows) {
    const { time, id } = traits.keyOf(row);
    const name = id === null ? `a row of ${time}` : `row ${id} of ${time}`;
    if (!traits.belongs(row)) return `The answer holds ${name}, which is not of the list that was asked for.`;
    if (!letsThrough(query, { time, id }))
      return `The answer holds ${name}, which was not asked for (${wordsOf(query)}).`;
  }
  return null;
}

function wordsOf(query: Query): string {
  const { from, to } = spanOf(query);
  return query.by === 'from-id' ? `ids from ${query.id}` : `times from ${from} to ${to}`;
}

/**
 * A page may be cut if it is as long as the longest so far, and at least as long as the shortest possible cut: a venue
 * may give fewer rows than requested. Rows repeated on a page count once for "so far" and twice for "as long". So do
 * the two rows of a self-trade: this may take whole pages for cut, never cut ones for whole.
 */
export function sortAndNotePage(
  keys: readonly RowKey[],
  at: { endpoint: Endpoint; settings: HistorySettings },
): SortedPage {
  const { limit, smallestPageRows } = at.settings;
  const sorted = [...keys].sort(compareKeys);
  const repeats = sorted.filter((key, index) => key.id !== null && key.id === sorted[index - 1]?.id).length;
  const longest = Math.max(at.endpoint.longestPage, sorted.length - repeats);
  at.endpoint.longestPage = longest;
  const mayBeCut = sorted.length >= Math.min(limit, smallestPageRows) && sorted.length >= Math.min(limit, longest);
  return { keys: sorted, whole: !mayBeCut };
}

/** Evidence from earlier pages of the same list. */
interface Witnesses {
  readonly swept: Coverage;
  /** A row up to here is on every page that should have it (the lag bound). */
  readonly shownUntil: EpochMs;
  /** A row from here on has not left the list. */
  readonly keptFrom: EpochMs;
}

/**
 * The spans that the page covers. A whole page covers the whole request. A cut one holds its oldest or its newest part,
 * which the page alone doesn't show, but in both cases every row strictly between its own first and last. If it leaves
 * out a known row on one side, it must be the other part, and it reaches to the end of the request there.
 */
export function provenSpans(query: Query, sorted: SortedPage, witnesses: Witnesses): Span[] {
  const asked = promiseOf(query);
  if (sorted.whole) return [asked];
  const first = sorted.keys[0]?.time;
  const last = sorted.keys.at(-1)?.time;
  if (first === undefined || last === undefined) return [];
  const { swept, shownUntil, keptFrom } = witnesses;
  const isThere = (span: Span): boolean => rowsIn(swept, span).length > 0;
  const leavesOutLater = isThere({ from: last + 1, to: Math.min(asked.to, shownUntil) });
  const leavesOutEarlier = isThere({ from: Math.max(asked.from, keptFrom), to: Math.min(first - 1, shownUntil) });
  // Neither part: such a page is not a part of the list.
  if (leavesOutLater && leavesOutEarlier) return [];
  return [
    {
      from: leavesOutLater ? asked.from : first + 1,
      to: leavesOutEarlier ? asked.to : last - 1,
    },
  ];
}

/** Whether a later id has an earlier time. */
export function isOutOfOrder(keys: readonly RowKey[]): boolean {
  const byId = keys
    .flatMap(({ id, time }) => (id === null ? [] : [{ id, time }]))
    .sort((a, b) => compareTradeIds(a.id, b.id));
  return byId.some(({ time }, index) => time < (byId[index - 1]?.time ?? time));
}

// The answer to a request for a reading: a page, or the reason why there is none.

/** The caller waits and retries: `refused` and `failed` end the reading, unless ids alone were refused. */
export type HistoryAnswer<Row> =
  | { readonly kind: 'page'; readonly page: HistoryPage<Row> }
  /** The venue refused the request itself. If it was the archive's, the archive's part becomes a gap. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** No answer came, after all retries. */
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Classifies an outcome; `askedAt` is the `timestamp` of the request, by the clock that stamps the rows. */
export function answerOf<Row>(
  outcome: Extract<ReadOutcome<readonly Row[]>, { kind: 'read' | 'rejected' }>,
  askedAt: EpochMs,
): HistoryAnswer<Row> {
  if (outcome.kind === 'read') {
    const { rows, complete, incompleteBecause } = outcome.read;
    const because = incompleteBecause === undefined ? {} : { incompleteBecause };
    return { kind: 'page', page: { rows, complete, askedAt, ...because } };
  }
  const { status, code, msg, refusal } = outcome;
  const fault: Fault = {
    sent: true,
    reason: 'status',
    status,
    code,
    refusal,
    detail: `The venue answered ${code}: ${msg}`,
  };
  return { kind: isOfTheRequest(refusal) ? 'refused' : 'failed', fault };
}

/**
 * For a caller that asks again; null if nothing was learned. A refusal about keys, clock or the whole exchange proves
 * nothing about the question, nor does a list that could not be fetched.
 */
export function answerLearned<Row>(outcome: ReadOutcome<readonly Row[]>, askedAt: EpochMs): HistoryAnswer<Row> | null {
  if (outcome.kind === 'throttled' || outcome.kind === 'failed') return null;
  const answer = answerOf(outcome, askedAt);
  return answer.kind === 'failed' ? null : answer;
}
