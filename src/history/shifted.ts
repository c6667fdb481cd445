// Between true time and the time that a list writes, where that is shifted (N5): a reading goes by written time
// throughout.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { HistoryGap, HistoryOutcome, TradeCursor } from './outcome.ts';
import type { TradesTarget } from './state.ts';

/** The target as rows are written. Nothing is written of before 1970. */
export function targetAsWritten(target: TradesTarget, shiftMs: DurationMs): TradesTarget {
  if (target.by === 'after') return { by: 'after', cursor: movedCursor(target.cursor, shiftMs) };
  const { from, to } = target;
  return { by: 'between', from: Math.max(0, from + shiftMs), to: to === null ? null : Math.max(0, to + shiftMs) };
}

/** Rows with their times moved: later is positive. */
export function movedRows<Row extends { readonly venueTime: EpochMs }>(
  rows: readonly Row[],
  byMs: DurationMs,
): readonly Row[] {
  return byMs === 0 ? rows : rows.map((row) => ({ ...row, venueTime: row.venueTime + byMs }));
}

/** The outcome in true time. */
export function outcomeInTrueTime(outcome: HistoryOutcome, shiftMs: DurationMs): HistoryOutcome {
  const tally = {
    settledUntil: outcome.settledUntil - shiftMs,
    continueFrom: outcome.continueFrom === null ? null : movedCursor(outcome.continueFrom, -shiftMs),
    pendingSince: moved(outcome.pendingSince, -shiftMs),
  };
  if (outcome.kind === 'failed') return { ...outcome, ...tally };
  const reach = { ...tally, from: outcome.from - shiftMs, to: outcome.to - shiftMs };
  if (outcome.kind === 'complete') return { ...outcome, ...reach };
  const [first, ...others] = outcome.gaps;
  return { ...outcome, ...reach, gaps: [movedGap(first, -shiftMs), ...others.map((gap) => movedGap(gap, -shiftMs))] };
}

const moved = (time: EpochMs | null, byMs: DurationMs): EpochMs | null => (time === null ? null : time + byMs);

const movedCursor = ({ tradeId, venueTime }: TradeCursor, byMs: DurationMs): TradeCursor => ({
  tradeId,
  venueTime: venueTime + byMs,
});

const movedGap = (gap: HistoryGap, byMs: DurationMs): HistoryGap => ({
  ...gap,
  from: gap.from + byMs,
  to: gap.to + byMs,
});
