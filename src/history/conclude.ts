// Says how a reading ended: what was proved, what was not and why, and from where to go on.
import { compareTradeIds } from '../domain/ids.ts';
import { assertNever } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { entriesOf } from './collection.ts';
import { holesIn, type RowKey, reachOf } from './coverage.ts';
import type { HistoryGap, HistoryOutcome, HistoryTally, TradeCursor } from './outcome.ts';
import { type Ended, type HistoryState, provenBy, targetFrom } from './state.ts';

/** An end that says how far reading came. */
type Given = Exclude<Ended, { kind: 'failed' }>;

export function conclude<Row, Question>(state: HistoryState<Row, Question>, ended: Ended): HistoryOutcome {
  if (ended.kind === 'failed') return { kind: 'failed', fault: ended.fault, ...tallyOf(state, provenTo(state)) };
  const from = targetFrom(state.target);
  const afterId = state.target.by === 'after' ? state.target.cursor.tradeId : null;
  const gaps = joined(gapsOf(state, ended));
  const [first, ...others] = gaps;
  const proven = first === undefined ? provenTo(state) : Math.min(provenTo(state), first.from - 1);
  const reach = { from, afterId, to: state.recent.range.to, ...tallyOf(state, proven) };
  return first === undefined ? { kind: 'complete', ...reach } : { kind: 'gap', gaps: [first, ...others], ...reach };
}

const provenTo = <Row, Question>(state: HistoryState<Row, Question>): EpochMs =>
  reachOf(provenBy(state), targetFrom(state.target));

function tallyOf<Row, Question>(state: HistoryState<Row, Question>, proven: EpochMs): HistoryTally {
  const { collection, requests, settings, target } = state;
  const from = targetFrom(target);
  const asked = state.firstAskedAt === null ? from - 1 : state.firstAskedAt - settings.lagBoundMs;
  const settledUntil = Math.min(asked, proven, target.by === 'between' ? (target.to ?? asked) : asked);
  return {
    rows: collection.handedOut + collection.ready.length,
    requests,
    archive: state.archive === null ? 'unused' : state.overlaps ? 'overlaps' : 'adjoins',
    settledUntil,
    continueFrom: cursorBefore(state, settledUntil),
    pendingSince: oldestPending(state),
  };
}

/** Every trade with a smaller id than this one's was read, and none is to come. */
function cursorBefore<Row, Question>(state: HistoryState<Row, Question>, settled: EpochMs): TradeCursor | null {
  const { target, traits } = state;
  let cursor: TradeCursor | null = target.by === 'after' ? target.cursor : null;
  const keys = [...entriesOf(state.collection)].map(({ row }) => traits.keyOf(row));
  const trades = keys.flatMap(({ id, time }) => (id === null ? [] : [{ tradeId: id, venueTime: time }]));
  for (const trade of trades.sort((a, b) => compareTradeIds(a.tradeId, b.tradeId))) {
    if (trade.venueTime > settled) return cursor;
    cursor = trade;
  }
  return cursor;
}

function oldestPending<Row, Question>({ collection, traits }: HistoryState<Row, Question>): EpochMs | null {
  let oldest: EpochMs | null = null;
  for (const { row, handedOut } of entriesOf(collection)) {
    const { time } = traits.keyOf(row);
    if (traits.isPending(handedOut ?? row) && (oldest === null || time < oldest)) oldest = time;
  }
  return oldest;
}

function gapsOf<Row, Question>(state: HistoryState<Row, Question>, ended: Given): HistoryGap[] {
  const why = reasonOf(state, ended);
  const uncovered = holesIn(provenBy(state), state.recent.range).map(({ from, to }) => ({ from, to, ...why }));
  const gaps = [...uncovered, ...flawsOf(state)];
  // Where reading ended too early, the known trade may lie ahead.
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

/** What the archive could not show is no flaw where the recent list did. */
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
  // It may be among the rows of a moment that could not be read.
  if (givenUp(state).some(({ from, to }) => from <= venueTime && to >= venueTime)) return [];
  const sentence =
    `Trade ${tradeId} of ${venueTime}, the last one known, is on no list: ${traits.title} may be ` +
    'missing behind it.';
  return [{ from: venueTime, to: oldestRow(state)?.time ?? recent.range.to, why: 'cursor-missing', sentence }];
}

function oldestRow<Row, Question>({ collection, traits }: HistoryState<Row, Question>): RowKey | null {
  let oldest: RowKey | null = null;
  for (const { row } of entriesOf(collection)) {
    const key = traits.keyOf(row);
    if (oldest === null || key.time < oldest.time) oldest = key;
  }
  return oldest;
}

/** Oldest first; what touches for the same reason is one. */
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
