// What became of a question, as a reading takes it: a page, or the reason why there is none.
import type { EpochMs } from '../domain/time.ts';
import type { Fault, ReadOutcome } from '../venue/outcomes.ts';
import { isRefusedForGood } from '../venue/refusals.ts';
import type { HistoryPage } from './page.ts';

/** Waiting and asking again are the caller's business: `refused` and `failed` end the reading. */
export type HistoryAnswer<Row> =
  | { readonly kind: 'page'; readonly page: HistoryPage<Row> }
  /** The venue refused the question itself. Where it is the archive's, what it would have held is a gap. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** No answer came, however often it was tried. */
  | { readonly kind: 'failed'; readonly fault: Fault };

/** What came back; `askedAt` is the `timestamp` of the request, by the clock that stamps the rows. */
export function answerOf<Row>(
  outcome: Extract<ReadOutcome<readonly Row[]>, { kind: 'read' | 'rejected' }>,
  askedAt: EpochMs,
): HistoryAnswer<Row> {
  if (outcome.kind === 'read') {
    const { rows, complete, incompleteBecause } = outcome.read;
    const because = incompleteBecause === undefined ? {} : { incompleteBecause };
    return { kind: 'page', page: { rows, complete, askedAt, ...because } };
  }
  const { status, code, msg } = outcome;
  const fault: Fault = { sent: true, reason: 'status', status, code, detail: `The venue answered ${code}: ${msg}` };
  return { kind: isRefusedForGood(outcome) ? 'refused' : 'failed', fault };
}
