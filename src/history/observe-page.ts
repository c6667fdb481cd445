// What a page does to a reading: rows are taken in, holes close, and ways of asking that lead nowhere are noted.
import { compareTradeIds } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Fault } from '../venue/outcomes.ts';
import { collect } from './collection.ts';
import {
  cover,
  coveredFrom,
  type Hole,
  hasRowIn,
  holesIn,
  type Mark,
  rowBefore,
  type Span,
  union,
} from './coverage.ts';
import { noteStuck, walkThrough } from './dead-ends.ts';
import type { GapReason } from './outcome.ts';
import { type HistoryPage, isOutOfOrder, provenSpans, type Sheet, sheetOf, strangerIn } from './page.ts';
import type { Plan } from './plan.ts';
import { promiseOf, type Query } from './query.ts';
import { type Corner, holesOf, type Route } from './route.ts';
import { currentRoute, type HistoryState, isWanted } from './state.ts';
import { stepOf } from './walk.ts';

/** Takes in the page that answers the plan. */
export function observePage<Row, Question>(
  state: HistoryState<Row, Question>,
  plan: Plan,
  page: HistoryPage<Row>,
): void {
  const route = currentRoute(state);
  const stranger = strangerIn(page, plan.query, state.traits);
  if (stranger !== null) return distrust(state, stranger);
  const marks = page.rows.map(state.traits.markOf);
  noteTime(state, page.askedAt, marks);
  takeIn(state, page.rows, marks);
  if (!page.complete)
    return noteIncomplete(state, plan, { marks, because: page.incompleteBecause ?? 'The page may be cut.' });
  state.useless = 0;
  const sheet = sheetOf(marks, { route, settings: state.settings });
  if (plan.purpose === 'walk') observeWalk(state, sheet);
  else observeTimes(state, plan, { sheet, askedAt: page.askedAt });
  trust(state, sheet, page.askedAt);
}

/** The present is when the first page was asked, or its newest row where clocks differ. */
function noteTime<Row, Question>(state: HistoryState<Row, Question>, askedAt: EpochMs, marks: readonly Mark[]): void {
  if (state.firstAskedAt !== null) return;
  state.firstAskedAt = askedAt;
  const { recent } = state;
  if (!recent.open) return;
  const { from } = recent.range;
  recent.range = { from, to: Math.max(from, askedAt, ...marks.map(({ time }) => time)) };
}

function distrust<Row, Question>(state: HistoryState<Row, Question>, detail: string): void {
  state.useless += 1;
  if (state.useless <= state.settings.asksAgain) return;
  const fault: Fault = { sent: true, reason: 'bad-shape', detail };
  state.ended = { kind: 'failed', fault };
}

function takeIn<Row, Question>(state: HistoryState<Row, Question>, rows: readonly Row[], marks: readonly Mark[]): void {
  const { target, traits } = state;
  if (isOutOfOrder(marks)) state.outOfOrder = true;
  if (target.by === 'after') {
    const { tradeId } = target.cursor;
    const known = marks.find(({ id }) => id !== null && compareTradeIds(id, tradeId) === 0);
    state.cursorSeenAt = known?.time ?? state.cursorSeenAt;
  }
  if (state.archive !== null && marks.some((mark) => isRowOf(state.recent, mark))) state.overlaps = true;
  collect(
    state.collection,
    traits,
    rows.filter((row) => isWanted(target, traits.markOf(row))),
  );
}

/** Whether the recent list has shown a row of that time among its outermost ones. */
const isRowOf = (route: Route, { time }: Mark): boolean => hasRowIn(route.swept, { from: time, to: time });

/**
 * A row that can't be read is asked for again, then cornered by ever shorter windows, until its millisecond is named.
 */
function noteIncomplete<Row, Question>(
  state: HistoryState<Row, Question>,
  plan: Plan,
  page: { readonly marks: readonly Mark[]; readonly because: string },
): void {
  const route = currentRoute(state);
  const asked = promiseOf(plan.query);
  const isCornered = asked.from === asked.to;
  state.useless += 1;
  if (state.useless <= state.settings.asksAgain && (plan.purpose !== 'corner' || isCornered)) return;
  state.useless = 0;
  const sentence = `A row can’t be read: ${page.because}`;
  if (route.walk !== null) return loseWalk(state, { why: 'unreadable-row', sentence });
  route.closeUp = null;
  if (!isCornered) {
    const { corner } = route;
    const isIn = plan.purpose === 'corner' && corner !== null;
    route.corner = isIn ? { ...corner, width: halfOf(asked) } : cornerOf(route, plan.query, page.marks);
    // Behind the present nothing is promised.
    if (route.corner.from > route.corner.to) route.open = false;
    return;
  }
  route.corner = null;
  giveUpOn(state, asked.from, { why: 'unreadable-row', sentence });
}

/** A page is one part of the list: the row is likely to be among those that came with it. */
function cornerOf(route: Route, query: Query, marks: readonly Mark[]): Corner {
  const asked = promiseOf(query);
  const hole = holeOf(query, route) ?? route.range;
  const open = { from: Math.max(asked.from, hole.from), to: Math.min(asked.to, hole.to, route.range.to) };
  const near = marks.map(({ time }) => time).filter((time) => time >= open.from && time <= open.to);
  const { from, to } = near.length < 2 ? open : { from: Math.min(...near), to: Math.max(...near) };
  return { from, to, width: halfOf({ from, to }) };
}

const halfOf = ({ from, to }: Span): number => Math.max(1, Math.floor((to - from + 1) / 2));

/** The oldest hole that the query reaches into. */
function holeOf(query: Query, route: Route): Hole | null {
  const { from, to } = promiseOf(query);
  return holesOf(route).find((hole) => hole.to >= from && hole.from <= to) ?? null;
}

interface Flaw {
  readonly why: GapReason;
  readonly sentence: string;
}

/**
 * The millisecond before goes with it: a window that answered for that one would hold this one's rows (`promiseOf`).
 */
function giveUpOn<Row, Question>(state: HistoryState<Row, Question>, at: EpochMs, flaw: Flaw): void {
  const route = currentRoute(state);
  const [span = { from: at, to: at }] = holesIn(route.swept, { from: at - 1, to: at });
  const given = { from: span.from, to: at };
  route.flaws.push({ ...given, ...flaw });
  route.swept = cover(route.swept, given, []);
  route.trusted = cover(route.trusted, given, []);
}

function observeWalk<Row, Question>(state: HistoryState<Row, Question>, sheet: Sheet): void {
  const route = currentRoute(state);
  const { walk } = route;
  if (walk === null) return;
  if (walk.purpose === 'moment') state.usedIdsForTimes = true;
  const step = stepOf(route, walk, sheet);
  if (step === 'done') route.walk = null;
  if (step === 'lost') loseWalk(state, tooMany(walk.goal));
}

const tooMany = (at: EpochMs): Flaw => ({
  why: 'too-many-at-once',
  sentence: `More rows than a page holds happened at ${at}, and ids do not tell them apart.`,
});

/** Ids do not lead on: times must, but for a millisecond that only ids could have split. */
function loseWalk<Row, Question>(state: HistoryState<Row, Question>, flaw: Flaw): void {
  const route = currentRoute(state);
  const { walk } = route;
  route.walk = null;
  if (walk?.purpose !== 'moment') state.usedIdsForTimes = true;
  // Longer pages have come since: its rows were all there.
  else if (flaw.why === 'too-many-at-once' && walk.crowd < route.longestPage) route.closeUp = walk.goal;
  else giveUpOn(state, walk.goal, flaw);
}

function observeTimes<Row, Question>(
  state: HistoryState<Row, Question>,
  plan: Plan,
  page: { readonly sheet: Sheet; readonly askedAt: EpochMs },
): void {
  const route = currentRoute(state);
  const { sheet, askedAt } = page;
  const { lagBoundMs, shortestWindowMs } = state.settings;
  const spans = provenSpans(plan.query, sheet, {
    swept: route.swept,
    shownUntil: askedAt - lagBoundMs,
    keptFrom: route.name === 'recent' ? askedAt - shortestWindowMs : Number.NEGATIVE_INFINITY,
  });
  const hole = holeOf(plan.query, route);
  const closed = spans.some((span) => closesSome(route, span));
  for (const span of spans) route.swept = cover(route.swept, span, sheet.marks);
  if (plan.purpose === 'seek') return startWalking(state, sheet);
  if (plan.purpose === 'close-up') return observeCloseUp(state, plan.query, sheet);
  // Wider again: a window may have been halved for a page that was only spoilt once.
  if (plan.purpose === 'corner' && route.corner !== null)
    route.corner = { ...route.corner, width: route.corner.width * 2 };
  if (closed) route.bare = false;
  else noteStuck(route, plan.query, { sheet, hole });
}

const closesSome = (route: Route, span: Span): boolean =>
  holesOf(route).some((hole) => hole.from <= span.to && span.from <= hole.to && span.from <= span.to);

function startWalking<Row, Question>(state: HistoryState<Row, Question>, sheet: Sheet): void {
  const route = currentRoute(state);
  const { walk } = route;
  const from = sheet.marks.at(-1);
  if (walk === null) return;
  if (from !== undefined) route.walk = walkThrough(walk.goal, from, walk.crowd);
  else if (walk.seek === 'near') route.walk = { ...walk, seek: 'far' };
  else loseWalk(state, tooMany(walk.goal));
}

function observeCloseUp<Row, Question>(state: HistoryState<Row, Question>, query: Query, sheet: Sheet): void {
  const route = currentRoute(state);
  const moment = promiseOf(query).from;
  route.closeUp = null;
  route.bare = false;
  if (sheet.whole) return;
  if (sheet.marks[0]?.id === null) giveUpOn(state, moment, tooMany(moment));
  else route.walk = walkThrough(moment, rowBefore(route.swept, moment), sheet.marks.length);
}

/**
 * What the recent list covers is proved only as far back as it still goes: to the oldest row that it shows now, for all
 * pages up to now. Without a known trade to begin from, the shortest window that is thought possible counts as well.
 */
function trust<Row, Question>(state: HistoryState<Row, Question>, sheet: Sheet, askedAt: EpochMs): void {
  const route = currentRoute(state);
  if (route.name === 'archive') {
    route.trusted = route.swept;
    return;
  }
  const shown = sheet.marks[0]?.time ?? Number.POSITIVE_INFINITY;
  const kept = state.target.by === 'after' ? shown : askedAt - state.settings.shortestWindowMs;
  route.trusted = union(route.trusted, coveredFrom(route.swept, Math.min(shown, kept)));
}
