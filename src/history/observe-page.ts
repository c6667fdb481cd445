// Applies a page to a reading: takes in rows, closes holes, and marks kinds of requests that lead nowhere.
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Fault } from '../venue/outcomes.ts';
import {
  compareKeys,
  cover,
  coveredFrom,
  type Hole,
  holesIn,
  type RowKey,
  rowBefore,
  rowsIn,
  type Span,
  union,
} from './coverage.ts';
import type { HistoryGap } from './outcome.ts';
import { type HistoryPage, isOutOfOrder, provenSpans, type SortedPage, sortAndNotePage, unaskedRowIn } from './page.ts';
import type { Plan } from './plan.ts';
import { letsThrough, promiseOf, type Query } from './query.ts';
import {
  type Corner,
  collect,
  currentEndpoint,
  type Endpoint,
  type HistoryState,
  holesOf,
  type IdPaging,
  isWanted,
} from './state.ts';

/** Takes in the page that answers the plan's request. */
export function observePage<Row, Question>(
  state: HistoryState<Row, Question>,
  plan: Plan,
  page: HistoryPage<Row>,
): void {
  const endpoint = currentEndpoint(state);
  const stranger = unaskedRowIn(page, plan.query, state.traits);
  if (stranger !== null) return distrust(state, stranger);
  const keys = page.rows.map(state.traits.keyOf);
  setPresent(state, page.askedAt, keys);
  takeIn(state, page.rows, keys);
  if (!page.complete)
    return cornerUnreadable(state, plan, { keys, because: page.incompleteBecause ?? 'The page may be cut.' });
  const sorted = sortAndNotePage(keys, { endpoint, settings: state.settings });
  if (isDoubted(state, plan.query, { sorted, askedAt: page.askedAt })) return;
  state.useless = 0;
  if (plan.purpose === 'by-id') observeIdPage(state, sorted);
  else observeTimes(state, plan, { sorted, askedAt: page.askedAt });
  trust(state, sorted, page.askedAt);
}

interface Answered {
  readonly sorted: SortedPage;
  readonly askedAt: EpochMs;
}

/**
 * A page that would be whole but lacks a row that the list must still show is requested again, and so is an empty one
 * until enough came in a row. A list that keeps lacking that row ends the reading: its other gaps are unknown.
 */
function isDoubted<Row, Question>(
  state: HistoryState<Row, Question>,
  query: Query,
  { sorted, askedAt }: Answered,
): boolean {
  const { settings } = state;
  const lacked = sorted.whole ? lackedRow(state, query, { sorted, askedAt }) : null;
  if (lacked !== null) {
    distrust(state, `The answer lacks the row of ${lacked.time}, which the list has shown and must still hold.`);
    return true;
  }
  if (sorted.keys.length > 0 || state.useless + 1 >= settings.emptyPages) return false;
  state.useless += 1;
  return true;
}

function lackedRow<Row, Question>(
  state: HistoryState<Row, Question>,
  query: Query,
  { sorted, askedAt }: Answered,
): RowKey | null {
  const { name, swept, heldMs } = currentEndpoint(state);
  const asked = promiseOf(query);
  const from = name === 'archive' ? asked.from : Math.max(asked.from, askedAt - heldMs);
  const known = rowsIn(swept, { from, to: Math.min(asked.to, askedAt - state.settings.lagBoundMs) });
  const isShown = (row: RowKey): boolean => sorted.keys.some((key) => compareKeys(key, row) === 0);
  return known.find((row) => letsThrough(query, row) && !isShown(row)) ?? null;
}

/** The present is the first page's request, or its newest row if clocks differ. */
function setPresent<Row, Question>(
  state: HistoryState<Row, Question>,
  askedAt: EpochMs,
  keys: readonly RowKey[],
): void {
  if (state.firstAskedAt !== null) return;
  state.firstAskedAt = askedAt;
  const { recent } = state;
  if (!recent.open) return;
  const { from } = recent.range;
  recent.range = { from, to: Math.max(from, askedAt, ...keys.map(({ time }) => time)) };
}

function distrust<Row, Question>(state: HistoryState<Row, Question>, detail: string): void {
  state.useless += 1;
  if (state.useless <= state.settings.asksAgain) return;
  const fault: Fault = { sent: true, reason: 'bad-shape', detail };
  state.ended = { kind: 'failed', fault };
}

function takeIn<Row, Question>(
  state: HistoryState<Row, Question>,
  rows: readonly Row[],
  keys: readonly RowKey[],
): void {
  const { target, traits } = state;
  if (isOutOfOrder(keys)) state.outOfOrder = true;
  if (target.by === 'after') {
    const { tradeId } = target.cursor;
    const known = keys.find(({ id }) => id !== null && compareTradeIds(id, tradeId) === 0);
    state.cursorSeenAt = known?.time ?? state.cursorSeenAt;
  }
  collect(
    state.collection,
    traits,
    rows.filter((row) => isWanted(target, traits.keyOf(row))),
  );
}

/** An unreadable row is requested again, then cornered by ever shorter windows, until its millisecond is found. */
function cornerUnreadable<Row, Question>(
  state: HistoryState<Row, Question>,
  plan: Plan,
  page: { readonly keys: readonly RowKey[]; readonly because: string },
): void {
  const endpoint = currentEndpoint(state);
  const asked = promiseOf(plan.query);
  const isCornered = asked.from === asked.to;
  state.useless += 1;
  if (state.useless <= state.settings.asksAgain && (plan.purpose !== 'corner' || isCornered)) return;
  state.useless = 0;
  const sentence = `A row can’t be read: ${page.because}`;
  if (endpoint.paging !== null) return losePaging(state, { why: 'unreadable-row', sentence });
  endpoint.closeUp = null;
  if (!isCornered) {
    const { corner } = endpoint;
    const isIn = plan.purpose === 'corner' && corner !== null;
    endpoint.corner = isIn ? { ...corner, width: halfOf(asked) } : cornerOf(endpoint, plan.query, page.keys);
    // After the present nothing is promised.
    if (endpoint.corner.from > endpoint.corner.to) endpoint.open = false;
    return;
  }
  endpoint.corner = null;
  giveUpOn(state, asked.from, { why: 'unreadable-row', sentence });
}

/** A page is one part of the list: the bad row is probably among the rows on it. */
function cornerOf(endpoint: Endpoint, query: Query, keys: readonly RowKey[]): Corner {
  const asked = promiseOf(query);
  const hole = holeOf(query, endpoint) ?? endpoint.range;
  const open = { from: Math.max(asked.from, hole.from), to: Math.min(asked.to, hole.to, endpoint.range.to) };
  const near = keys.map(({ time }) => time).filter((time) => time >= open.from && time <= open.to);
  const { from, to } = near.length < 2 ? open : { from: Math.min(...near), to: Math.max(...near) };
  return { from, to, width: halfOf({ from, to }) };
}

const halfOf = ({ from, to }: Span): number => Math.max(1, Math.floor((to - from + 1) / 2));

/** The oldest hole that the query reaches into. */
function holeOf(query: Query, endpoint: Endpoint): Hole | null {
  const { from, to } = promiseOf(query);
  return holesOf(endpoint).find((hole) => hole.to >= from && hole.from <= to) ?? null;
}

type Flaw = Pick<HistoryGap, 'why' | 'sentence'>;

/** The millisecond before is given up as well: a window for that one would contain this one's rows (`promiseOf`). */
function giveUpOn<Row, Question>(state: HistoryState<Row, Question>, at: EpochMs, flaw: Flaw): void {
  const endpoint = currentEndpoint(state);
  const [span = { from: at, to: at }] = holesIn(endpoint.swept, { from: at - 1, to: at });
  const given = { from: span.from, to: at };
  endpoint.flaws.push({ ...given, ...flaw });
  endpoint.swept = cover(endpoint.swept, given, []);
  endpoint.trusted = cover(endpoint.trusted, given, []);
}

function observeIdPage<Row, Question>(state: HistoryState<Row, Question>, sorted: SortedPage): void {
  const endpoint = currentEndpoint(state);
  const { paging } = endpoint;
  if (paging === null) return;
  if (paging.purpose === 'moment') state.usedIdsForTimes = true;
  const step = takeIdPage(endpoint, paging, sorted);
  if (step === 'done') endpoint.paging = null;
  if (step === 'lost') losePaging(state, tooMany(paging.goal));
}

/** From here on it is read by time alone. */
export function leaveIds<Row, Question>(state: HistoryState<Row, Question>): void {
  const { paging } = currentEndpoint(state);
  state.takesNoIds = true;
  if (paging !== null) losePaging(state, tooMany(paging.goal));
}

const tooMany = (at: EpochMs): Flaw => ({
  why: 'too-many-at-once',
  sentence: `More rows than a page holds may have happened at ${at}, and ids do not tell them apart.`,
});

/** Ids make no progress: times must, except for a millisecond that only ids could have split. */
function losePaging<Row, Question>(state: HistoryState<Row, Question>, flaw: Flaw): void {
  const endpoint = currentEndpoint(state);
  const { paging } = endpoint;
  endpoint.paging = null;
  if (paging?.purpose !== 'moment') state.usedIdsForTimes = true;
  // Longer pages have come since, so its rows were complete.
  else if (flaw.why === 'too-many-at-once' && paging.crowd < endpoint.longestPage) endpoint.closeUp = paging.goal;
  else giveUpOn(state, paging.goal, flaw);
}

function observeTimes<Row, Question>(state: HistoryState<Row, Question>, plan: Plan, page: Answered): void {
  const endpoint = currentEndpoint(state);
  const { sorted, askedAt } = page;
  const { lagBoundMs, shortestWindowMs } = state.settings;
  const spans = provenSpans(plan.query, sorted, {
    swept: endpoint.swept,
    shownUntil: askedAt - lagBoundMs,
    keptFrom: endpoint.name === 'recent' ? askedAt - shortestWindowMs : Number.NEGATIVE_INFINITY,
  });
  const hole = holeOf(plan.query, endpoint);
  const closed = spans.some((span) => closesSome(endpoint, span));
  for (const span of spans) endpoint.swept = cover(endpoint.swept, span, sorted.keys);
  if (plan.purpose === 'seek') return startPaging(state, sorted);
  if (plan.purpose === 'close-up') return observeCloseUp(state, plan.query, sorted);
  // Widen again: a window may have been halved for a page that was unreadable only once.
  if (plan.purpose === 'corner' && endpoint.corner !== null)
    endpoint.corner = { ...endpoint.corner, width: endpoint.corner.width * 2 };
  if (closed) endpoint.bare = false;
  else changeQueryStyle(endpoint, plan.query, { sorted, hole });
}

const closesSome = (endpoint: Endpoint, span: Span): boolean =>
  holesOf(endpoint).some((hole) => hole.from <= span.to && span.from <= hole.to && span.from <= span.to);

function startPaging<Row, Question>(state: HistoryState<Row, Question>, sorted: SortedPage): void {
  const endpoint = currentEndpoint(state);
  const { paging } = endpoint;
  const from = sorted.keys.at(-1);
  if (paging === null) return;
  if (from !== undefined) endpoint.paging = pageThrough(paging.goal, from, paging.crowd);
  else if (paging.seek === 'near') endpoint.paging = { ...paging, seek: 'far' };
  else losePaging(state, tooMany(paging.goal));
}

function observeCloseUp<Row, Question>(state: HistoryState<Row, Question>, query: Query, sorted: SortedPage): void {
  const endpoint = currentEndpoint(state);
  const moment = promiseOf(query).from;
  endpoint.closeUp = null;
  endpoint.bare = false;
  if (sorted.whole) return;
  if (state.takesNoIds || sorted.keys[0]?.id === null) giveUpOn(state, moment, tooMany(moment));
  else endpoint.paging = pageThrough(moment, rowBefore(endpoint.swept, moment), sorted.keys.length);
}

/**
 * The recent list's coverage is proved only as far back as the list still goes: to the oldest row that it shows now,
 * for all pages so far. Without a known trade to begin from, the shortest possible window counts as well.
 */
function trust<Row, Question>(state: HistoryState<Row, Question>, sorted: SortedPage, askedAt: EpochMs): void {
  const endpoint = currentEndpoint(state);
  if (endpoint.name === 'archive') {
    endpoint.trusted = endpoint.swept;
    return;
  }
  const shown = sorted.keys[0]?.time ?? Number.POSITIVE_INFINITY;
  endpoint.heldMs = Math.max(endpoint.heldMs, askedAt - shown);
  const kept = state.target.by === 'after' ? shown : askedAt - state.settings.shortestWindowMs;
  endpoint.trusted = union(endpoint.trusted, coveredFrom(endpoint.swept, Math.min(shown, kept)));
}

// Changes the approach when a page has closed no hole: each answer changes the next request, so reading always ends.

/**
 * If the page has rows of the hole, or of the millisecond after it, they fill it at one or two moments: one of these is
 * requested alone. If it begins with the overlapping rows, they fill it: the request leaves them out. Otherwise this
 * kind of request shows another part of the list.
 */
function changeQueryStyle(
  endpoint: Endpoint,
  query: Query,
  at: { readonly sorted: SortedPage; readonly hole: Hole | null },
): void {
  const { sorted, hole } = at;
  const outermost = [sorted.keys[0], sorted.keys.at(-1)].flatMap((key) => (key === undefined ? [] : [key.time]));
  const { from, to } = promiseOf(query);
  const crowded = outermost.find((time) => hole !== null && time >= hole.from && time <= hole.to + 1);
  if (crowded !== undefined && hole !== null) endpoint.closeUp = Math.min(crowded, hole.to);
  else if (!endpoint.bare && outermost.some((time) => time === from || time >= to)) endpoint.bare = true;
  else if (query.by === 'start') endpoint.ignoresStart = true;
  else if (query.by === 'end') endpoint.ignoresEnd = true;
  else endpoint.bare = true;
}

/** Pages through one millisecond, from a row before it. */
function pageThrough(moment: EpochMs, at: RowKey | null, crowd: number): IdPaging {
  return { at, coveredFrom: (at?.time ?? moment) + 1, goal: moment, purpose: 'moment', seek: 'near', crowd };
}

// Paging from id to id: each page must contain the last row of the previous one (order-truth §4).

/**
 * Takes in a page from the paging's row on. `lost`: the page makes no progress, ids do not help here.
 *
 * A cut page, whichever part it is, holds every id between its smallest and its largest; with the paging's row on it,
 * nothing lies between that row and the page. A whole page shows everything in the list, with or without that row.
 */
function takeIdPage(endpoint: Endpoint, paging: IdPaging, sorted: SortedPage): 'on' | 'done' | 'lost' {
  const overlaps = sorted.keys.some(({ id }) => id !== null && paging.at?.id != null && isSame(id, paging.at.id));
  const latest = latestOf(sorted.keys);
  if (sorted.whole) {
    endpoint.swept = cover(endpoint.swept, { from: paging.coveredFrom, to: Number.POSITIVE_INFINITY }, sorted.keys);
    return 'done';
  }
  if (latest === null) return 'lost';
  if (!overlaps) {
    const first = sorted.keys[0]?.time ?? latest.time;
    endpoint.swept = cover(endpoint.swept, { from: first + 1, to: latest.time - 1 }, sorted.keys);
    return 'lost';
  }
  endpoint.swept = cover(endpoint.swept, { from: paging.coveredFrom, to: latest.time - 1 }, sorted.keys);
  if (latest.time > paging.goal) return 'done';
  if (isSame(latest.id, paging.at?.id ?? latest.id)) return 'lost';
  endpoint.paging = { ...paging, at: latest, coveredFrom: Math.max(paging.coveredFrom, latest.time) };
  return 'on';
}

const isSame = (a: TradeId, b: TradeId): boolean => compareTradeIds(a, b) === 0;

/** The row with the largest id. */
function latestOf(keys: readonly RowKey[]): (RowKey & { readonly id: TradeId }) | null {
  let latest: (RowKey & { readonly id: TradeId }) | null = null;
  for (const { id, time } of keys) {
    if (id !== null && (latest === null || compareTradeIds(id, latest.id) > 0)) latest = { id, time };
  }
  return latest;
}
