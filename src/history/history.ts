// Reads one list of the account to the end: `next` says what to ask, `observe` takes the answer, `takeRows` hands out
// rows.
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import type { HistoryAnswer } from './answer.ts';
import { emptyCollection, release, takeReady } from './collection.ts';
import { conclude } from './conclude.ts';
import { holesIn, reachOf } from './coverage.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import type { ListTraits } from './list-traits.ts';
import { observePage } from './observe-page.ts';
import type { HistoryOutcome } from './outcome.ts';
import { type Plan, planOf } from './plan.ts';
import type { HistorySettings } from './settings.ts';
import { currentEndpoint, type Ended, type HistoryState, provenBy, type TradesTarget, targetFrom } from './state.ts';

export type HistoryStep<Question> =
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'done'; readonly outcome: HistoryOutcome };

/**
 * `target.from` and `target.to` are whole milliseconds; `to` is not before `from`. Anything else is a bug and throws.
 */
export function startHistory<Row, Question>(
  traits: ListTraits<Row, Question>,
  target: TradesTarget,
  settings: HistorySettings,
): HistoryState<Row, Question> {
  const from = targetFrom(target);
  const to = target.by === 'between' ? target.to : null;
  const isTime = (moment: EpochMs): boolean => Number.isSafeInteger(moment) && moment >= 0;
  invariant(isTime(from) && (to === null || (isTime(to) && to >= from)), `No times to read: from ${from} to ${to}.`);
  const recent = openEndpoint('recent', { from, to: to ?? Number.POSITIVE_INFINITY }, to === null);
  if (target.by === 'after') pageFromCursor(recent, target);
  return {
    traits,
    target,
    settings,
    collection: emptyCollection(),
    recent,
    archive: null,
    requests: 0,
    firstAskedAt: null,
    useless: 0,
    cursorSeenAt: null,
    overlaps: false,
    outOfOrder: false,
    usedIdsForTimes: false,
    ended: null,
  };
}

function pageFromCursor(endpoint: Endpoint, { cursor }: Extract<TradesTarget, { by: 'after' }>): void {
  const at = { time: cursor.venueTime, id: cursor.tradeId };
  endpoint.paging = {
    at,
    coveredFrom: cursor.venueTime,
    goal: Number.POSITIVE_INFINITY,
    purpose: 'cursor',
    seek: 'near',
    crowd: 0,
  };
}

/** What to ask next, without its stamp; the same until an answer is observed. */
export function next<Row, Question>(state: HistoryState<Row, Question>): HistoryStep<Question> {
  if (state.ended !== null) return { kind: 'done', outcome: conclude(state, state.ended) };
  const { query } = planned(state);
  const question = state.traits.question(currentEndpoint(state).name, query, state.settings.limit);
  return { kind: 'ask', question };
}

/**
 * Takes in the answer to what `next` asked. Go on with what this returns, not with what it was given (decision 0002).
 */
export function observe<Row, Question>(
  state: HistoryState<Row, Question>,
  answer: HistoryAnswer<Row>,
): HistoryState<Row, Question> {
  invariant(state.ended === null, 'An answer came for a reading that has ended.');
  state.requests += 1;
  if (answer.kind === 'page') observePage(state, planned(state), answer.page);
  else state.ended = endedBy(state, answer);
  settle(state);
  return state;
}

/** Rows that can be handed out: each once, oldest first as far as that is known. A corrected trade comes again. */
export function takeRows<Row, Question>(state: HistoryState<Row, Question>): readonly Row[] {
  return takeReady(state.collection);
}

function endedBy<Row, Question>(
  state: HistoryState<Row, Question>,
  { kind, fault }: Exclude<HistoryAnswer<Row>, { kind: 'page' }>,
): Ended {
  return { kind: kind === 'refused' && state.archive !== null ? 'archive-refused' : 'failed', fault };
}

const limitsOf = <Row, Question>({ traits }: HistoryState<Row, Question>): { longestWindowMs: number } => ({
  longestWindowMs: traits.longestWindowMs ?? Number.POSITIVE_INFINITY,
});

function planned<Row, Question>(state: HistoryState<Row, Question>): Plan {
  const plan = planOf(currentEndpoint(state), limitsOf(state));
  invariant(plan !== null, 'A reading with nothing left to ask has not ended.');
  return plan;
}

/** Goes over to the archive or ends, where nothing is left to ask, and makes rows ready. */
function settle<Row, Question>(state: HistoryState<Row, Question>): void {
  if (state.ended === null && planOf(currentEndpoint(state), limitsOf(state)) === null) openArchiveOrEnd(state);
  const isFirst = state.firstAskedAt === null;
  if (state.ended === null && !isFirst && state.requests >= state.settings.mostRequests)
    state.ended = { kind: 'limit' };
  const until = state.ended === null ? reachOf(provenBy(state), targetFrom(state.target)) : Number.POSITIVE_INFINITY;
  release(state.collection, state.traits, until);
}

function openArchiveOrEnd<Row, Question>(state: HistoryState<Row, Question>): void {
  const { recent, target } = state;
  const holes = holesIn(recent.trusted, recent.range);
  const [first] = holes;
  const last = holes.at(-1);
  if (state.archive !== null || !state.traits.hasArchive || first === undefined || last === undefined) {
    state.ended = { kind: 'swept' };
    return;
  }
  // As far as the oldest recent row: where the archive holds all rows, that one is on both lists and joins them.
  const oldestShown = recent.swept[0]?.first?.time ?? 0;
  const to = Math.max(last.to + 1, Math.min(oldestShown, recent.range.to));
  state.archive = openEndpoint('archive', { from: first.from, to }, false);
  if (target.by !== 'after' || state.cursorSeenAt !== null) return;
  pageFromCursor(state.archive, target);
  // The two lists are joined by time.
  state.usedIdsForTimes = true;
}
