// Reads one list of the account to the end: `next` returns the request, `observe` takes its answer, `takeRows` hands
// out rows.
import { assertNever, invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { holesIn, reachOf } from './coverage.ts';
import { leaveIds, observePage } from './observe-page.ts';
import type { HistoryGap, HistoryOutcome, HistoryTally } from './outcome.ts';
import type { HistoryAnswer } from './page.ts';
import { type Plan, planOf } from './plan.ts';
import type { HistorySettings, ListTraits } from './query.ts';
import {
  currentEndpoint,
  type Ended,
  type Endpoint,
  emptyCollection,
  entriesOf,
  type HistoryState,
  openEndpoint,
  provenBy,
  release,
  type TradesTarget,
  takeReady,
  targetFrom,
} from './state.ts';

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
    outOfOrder: false,
    usedIdsForTimes: false,
    takesNoIds: false,
    ended: null,
  };
}

function pageFromCursor(endpoint: Endpoint, { cursor }: Extract<TradesTarget, { by: 'after' }>): void {
  const at = { time: cursor.venueTime, id: cursor.tradeId };
  const goal = Number.POSITIVE_INFINITY;
  endpoint.paging = { at, coveredFrom: cursor.venueTime, goal, purpose: 'cursor', seek: 'near', crowd: 0 };
}

/** The next request, without its stamp; the same until an answer is observed. */
export function next<Row, Question>(state: HistoryState<Row, Question>): HistoryStep<Question> {
  if (state.ended !== null) return { kind: 'done', outcome: conclude(state, state.ended) };
  const { query } = planned(state);
  const question = state.traits.question(currentEndpoint(state).name, query, state.settings.limit);
  return { kind: 'ask', question };
}

/**
 * Takes in the answer to the request of `next`. Continue with the returned state, not the given one (decision 0002).
 */
export function observe<Row, Question>(
  state: HistoryState<Row, Question>,
  answer: HistoryAnswer<Row>,
): HistoryState<Row, Question> {
  invariant(state.ended === null, 'An answer came for a reading that has ended.');
  state.requests += 1;
  if (answer.kind === 'page') observePage(state, planned(state), answer.page);
  else if (refusesIds(state, answer)) leaveIds(state);
  else state.ended = endedBy(state, answer);
  settle(state);
  return state;
}

/** Rows ready to hand out: each once, oldest first as far as that is known. A corrected trade comes again. */
export function takeRows<Row, Question>(state: HistoryState<Row, Question>): readonly Row[] {
  return takeReady(state.collection);
}

/** The list is offered, but not by id: times must do. */
const refusesIds = <Row, Question>(
  state: HistoryState<Row, Question>,
  { kind, fault }: Exclude<HistoryAnswer<Row>, { kind: 'page' }>,
): boolean => kind === 'refused' && fault.refusal === 'not-offered' && planned(state).purpose === 'by-id';

function endedBy<Row, Question>(
  state: HistoryState<Row, Question>,
  { kind, fault }: Exclude<HistoryAnswer<Row>, { kind: 'page' }>,
): Ended {
  return { kind: kind === 'refused' && state.archive !== null ? 'archive-refused' : 'failed', fault };
}

/** `null` when all is read. */
const nextPlan = <Row, Question>(state: HistoryState<Row, Question>): Plan | null =>
  planOf(currentEndpoint(state), state.traits.longestWindowMs);

function planned<Row, Question>(state: HistoryState<Row, Question>): Plan {
  const plan = nextPlan(state);
  invariant(plan !== null, 'A reading with nothing left to ask has not ended.');
  return plan;
}

/** Moves on to the archive or ends, if nothing is left to read, and makes rows ready. */
function settle<Row, Question>(state: HistoryState<Row, Question>): void {
  if (state.ended === null && nextPlan(state) === null) openArchiveOrEnd(state);
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
  // A row leaves the recent list only for the archive.
  state.archive = openEndpoint('archive', { from: first.from, to: last.to }, false);
  if (target.by !== 'after' || state.cursorSeenAt !== null) return;
  if (!state.takesNoIds) pageFromCursor(state.archive, target);
  // The two lists are joined by time.
  state.usedIdsForTimes = true;
}

// Concludes a reading: what was proved, what was not and why, and where to resume.

/** An end after which the proof so far counts. */
type Given = Exclude<Ended, { kind: 'failed' }>;

function conclude<Row, Question>(state: HistoryState<Row, Question>, ended: Ended): HistoryOutcome {
  if (ended.kind === 'failed') return { kind: 'failed', fault: ended.fault, ...tallyOf(state, provenTo(state)) };
  const from = targetFrom(state.target);
  const gaps = joined(gapsOf(state, ended));
  const [first, ...others] = gaps;
  const proven = first === undefined ? provenTo(state) : Math.min(provenTo(state), first.from - 1);
  const reach = { from, to: state.recent.range.to, ...tallyOf(state, proven) };
  return first === undefined ? { kind: 'complete', ...reach } : { kind: 'gap', gaps: [first, ...others], ...reach };
}

const provenTo = <Row, Question>(state: HistoryState<Row, Question>): EpochMs =>
  reachOf(provenBy(state), targetFrom(state.target));

function tallyOf<Row, Question>(state: HistoryState<Row, Question>, proven: EpochMs): HistoryTally {
  const { collection, requests, settings, target } = state;
  const from = targetFrom(target);
  const asked = state.firstAskedAt === null ? from - 1 : state.firstAskedAt - settings.lagBoundMs;
  const to = target.by === 'between' ? (target.to ?? asked) : asked;
  return {
    rows: collection.handedOut + collection.ready.length,
    requests,
    settledUntil: Math.min(asked, proven, to, oldestOf(state, state.traits.isPending) - 1),
  };
}

/** The time of the oldest row; infinite without one. */
const oldestOf = <Row, Question>(
  { collection, traits }: HistoryState<Row, Question>,
  counts: (row: Row) => boolean = () => true,
): EpochMs =>
  [...entriesOf(collection)]
    .filter(({ row, handedOut }) => counts(handedOut ?? row))
    .reduce((oldest, { row }) => Math.min(oldest, traits.keyOf(row).time), Number.POSITIVE_INFINITY);

function gapsOf<Row, Question>(state: HistoryState<Row, Question>, ended: Given): HistoryGap[] {
  const why = reasonOf(state, ended);
  const uncovered = holesIn(provenBy(state), state.recent.range).map(({ from, to }) => ({ from, to, ...why }));
  const gaps = [...uncovered, ...flawsOf(state)];
  // If reading ended too early, the known trade may still lie ahead.
  return uncovered.length === 0 ? [...gaps, ...withoutCursor(state)] : gaps;
}

function reasonOf<Row, Question>(
  state: HistoryState<Row, Question>,
  ended: Given,
): Pick<HistoryGap, 'why' | 'sentence'> {
  const { title } = state.traits;
  switch (ended.kind) {
    case 'swept':
      return {
        why: 'beyond-the-window',
        sentence: `How far the list of ${title} reaches back is not proved, and there is no archive of it.`,
      };
    case 'limit':
      return { why: 'request-limit', sentence: `${state.requests} requests were not enough to read all ${title}.` };
    case 'archive-refused':
      return { why: 'archive-refused', sentence: `The archive of ${title} can’t be read: ${ended.fault.detail}` };
    default:
      return assertNever(ended);
  }
}

function flawsOf<Row, Question>(state: HistoryState<Row, Question>): HistoryGap[] {
  const { recent, traits } = state;
  const flaws = givenUp(state).filter(({ from, to }) => from <= recent.range.to && to >= recent.range.from);
  if (!state.outOfOrder || !state.usedIdsForTimes) return flaws;
  const sentence = `Among the ${traits.title} a larger id stands beside an earlier time: reading by id proves nothing.`;
  return [...flaws, { ...recent.range, why: 'ids-out-of-order', sentence }];
}

/** A gap of the archive is no flaw where the recent list covers it. */
function givenUp<Row, Question>({ recent, archive }: HistoryState<Row, Question>): HistoryGap[] {
  const older = (archive?.flaws ?? []).flatMap((flaw) =>
    holesIn(recent.trusted, flaw).map(({ from, to }) => ({ ...flaw, from, to })),
  );
  return [...recent.flaws, ...older];
}

function withoutCursor<Row, Question>(state: HistoryState<Row, Question>): HistoryGap[] {
  const { target, recent, traits, cursorSeenAt } = state;
  if (target.by !== 'after') return [];
  const { tradeId, venueTime } = target.cursor;
  if (cursorSeenAt !== null) {
    if (cursorSeenAt === venueTime || !state.usedIdsForTimes) return [];
    const sentence =
      `Trade ${tradeId} is of ${cursorSeenAt} on the list and was ` +
      `known to be of ${venueTime}: reading by time proves nothing.`;
    return [{ ...recent.range, why: 'cursor-moved', sentence }];
  }
  // It may be among the rows of an unreadable moment.
  if (givenUp(state).some(({ from, to }) => from <= venueTime && to >= venueTime)) return [];
  const sentence =
    `Trade ${tradeId} of ${venueTime}, the last one known, is on no list: ${traits.title} may be ` +
    'missing behind it.';
  const oldest = oldestOf(state);
  return [{ from: venueTime, to: Number.isFinite(oldest) ? oldest : recent.range.to, why: 'cursor-missing', sentence }];
}

/** Oldest first; touching gaps with the same reason are merged. */
function joined(gaps: readonly HistoryGap[]): HistoryGap[] {
  const sorted = [...gaps].sort((a, b) => a.from - b.from);
  const result: HistoryGap[] = [];
  for (const gap of sorted) {
    const before = result.at(-1);
    if (before !== undefined && before.why === gap.why && gap.from <= before.to + 1) {
      result[result.length - 1] = { ...before, to: Math.max(before.to, gap.to) };
    } else result.push(gap);
  }
  return result;
}
