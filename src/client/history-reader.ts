// Reads the histories of the account over the network: yields rows as they become known, and finally what was proved.
import { assertNever, invariant } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { EpochMs } from '../domain/time.ts';
import { next, observe, startHistory, takeRows } from '../history/history.ts';
import type { HistoryQuestion } from '../history/lists.ts';
import type { HistoryOutcome } from '../history/outcome.ts';
import { answerOf, type HistoryAnswer } from '../history/page.ts';
import type { HistorySettings, ListTraits } from '../history/query.ts';
import type { TradesTarget } from '../history/state.ts';
import type { Completed, Fault, ReadOutcome } from '../venue/outcomes.ts';

export interface HistoryApi {
  /**
   * Stamps the request when it may leave, sends it once, and pairs it with its outcome. The lane paces and backs off.
   */
  readonly ask: (question: HistoryQuestion) => Promise<Completed>;
  /** Resolves at that moment by our clock, or at once if it is past. */
  readonly sleepUntil: (moment: EpochMs) => Promise<void>;
}

export interface ReaderSettings extends HistorySettings {
  /** How often one request is sent without getting an answer before reading is given up. */
  readonly attempts: number;
  /** How often one request may be throttled before reading is given up. */
  readonly mostThrottled: number;
}

/** The rows of a history, and how reading it ended. */
export interface Collected<Row> {
  /** Oldest first; of a corrected trade the last version. */
  readonly rows: readonly Row[];
  /** If it is not `complete`, rows may be missing. */
  readonly outcome: HistoryOutcome;
}

/** Events one by one, or all rows at once. */
export interface History<Row> extends AsyncGenerator<HistoryEvent<Row>, void, void> {
  /** Reads on to the end, and says in `outcome` how it ended. Once for each history: there is nothing after the end. */
  collect(): Promise<Collected<Row>>;
}

/** `rows` any number of times, then `end` once. A corrected trade comes again; a transfer comes once. */
export type HistoryEvent<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'end'; readonly outcome: HistoryOutcome };

/** One history of the account, such as `spotTrades(symbol)`, up to its target. */
export async function* readHistory<Row, Question extends HistoryQuestion>(
  api: HistoryApi,
  traits: ListTraits<Row, Question>,
  { target, settings }: { readonly target: TradesTarget; readonly settings: ReaderSettings },
): AsyncGenerator<HistoryEvent<Row>, void, void> {
  let state = startHistory(traits, target, settings);
  for (;;) {
    const step = next(state);
    const rows = takeRows(state);
    if (rows.length > 0) yield { kind: 'rows', rows };
    if (step.kind === 'done') {
      yield { kind: 'end', outcome: step.outcome };
      return;
    }
    state = observe(state, await answerTo<Row>(api, step.question, settings));
  }
}

/** The answer to a request for a list with such rows. */
interface Asked<Row> {
  readonly outcome: ReadOutcome<readonly Row[]>;
  readonly request: { readonly stamp: { readonly timestamp: EpochMs } };
}

/** Repeats the request until there is an answer, as often as the settings allow. */
async function answerTo<Row>(
  api: HistoryApi,
  question: HistoryQuestion,
  { attempts, mostThrottled }: ReaderSettings,
): Promise<HistoryAnswer<Row>> {
  let failures = 0;
  let throttled = 0;
  for (;;) {
    const completed = await api.ask(question);
    invariant(completed.kind === question.kind, () => `${question.kind} was asked, ${completed.kind} was answered.`);
    // The request's kind is the list's.
    const { outcome, request } = completed as unknown as Asked<Row>;
    switch (outcome.kind) {
      case 'read':
      case 'rejected': {
        const answer = answerOf(outcome, request.stamp.timestamp);
        if (answer.kind !== 'failed') return answer;
        failures += 1;
        if (failures >= attempts) return answer;
        break;
      }
      case 'throttled':
        throttled += 1;
        if (throttled > mostThrottled) return { kind: 'failed', fault: tooBusy(outcome.status, throttled) };
        await api.sleepUntil(outcome.retryAt);
        break;
      case 'failed':
        failures += 1;
        if (failures >= attempts) return { kind: 'failed', fault: outcome.fault };
        break;
      default:
        return assertNever(outcome);
    }
  }
}

const tooBusy = (status: number, times: number): Fault => ({
  sent: true,
  reason: 'status',
  status,
  detail: `The venue put one question off ${times} times.`,
});

/** Whatever the generator has not yielded yet. */
export async function collected<Row extends { readonly venueTime: EpochMs }>(
  events: AsyncIterable<HistoryEvent<Row>>,
): Promise<Collected<Row>> {
  const rows: Row[] = [];
  const places = new Map<unknown, number>();
  let ended: HistoryOutcome | null = null;
  for await (const event of events) {
    if (event.kind === 'end') ended = event.outcome;
    else
      for (const row of event.rows) {
        const name = nameOf(row);
        const place = places.get(name) ?? rows.length;
        places.set(name, place);
        rows[place] = row;
      }
  }
  invariant(ended !== null, 'This history was read to its end before: call the method again.');
  return { rows: rows.toSorted((a, b) => a.venueTime - b.venueTime), outcome: ended };
}

/** A trade with oneself is two rows of one id; a transfer comes once, and has none. */
const nameOf = (row: object): unknown =>
  'tradeId' in row && 'side' in row ? `${String(row.tradeId)} ${String(row.side)}` : row;

// The rows of a read if they are complete; else the reason in one sentence.

/** For callers that can't use half of a list. */
export function completeRows<T>(outcome: ReadOutcome<T>): Result<T> {
  switch (outcome.kind) {
    case 'read': {
      const { rows, complete, incompleteBecause = 'A first page does not prove that there is no more.' } = outcome.read;
      return complete ? ok(rows) : fail(incompleteBecause);
    }
    case 'rejected':
      return fail(`HTTP ${outcome.status} ${outcome.code}: ${outcome.msg}`);
    case 'throttled':
      return fail(`HTTP ${outcome.status}: to be asked again at ${new Date(outcome.retryAt).toISOString()}.`);
    case 'failed':
      return fail(outcome.fault.detail);
    default:
      return assertNever(outcome);
  }
}
