// What stories of readings are told with: trades at steady intervals, a venue that lists them, and what is wanted of
// it.
import type { Fill } from '../../../src/domain/fill.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/time.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import { type Asked, drawing, type Law, type TrueRow } from './oracle-list.ts';
import type { TradesVenue } from './play-trades.ts';
import { NOW } from './true-rows.ts';

export const OLDEST = { start: 'oldest', end: 'oldest', window: 'oldest', 'from-id': 'oldest' } as const;
export const NEWEST = { start: 'newest', end: 'newest', window: 'newest', 'from-id': 'newest' } as const;
const LAW: Law = {
  order: 'newest-first',
  cap: 50,
  part: OLDEST,
  ties: 'by-id',
  windowMs: 7 * DAY,
  archive: 'older',
  repeats: 0,
  finer: false,
};

/** One trade each `everyMs`, the last one a minute ago. */
export function steady(count: number, everyMs = HOUR, firstId = 1_000n): TrueRow[] {
  return Array.from({ length: count }, (_, index) =>
    at(NOW - MINUTE - (count - 1 - index) * everyMs, firstId + BigInt(index)),
  );
}

export const at = (time: number, id: bigint): TrueRow => ({ time, id, shownAt: time });
export const crowd = (count: number, time: number, firstId: bigint): TrueRow[] =>
  Array.from({ length: count }, (_, index) => at(time, firstId + BigInt(index)));

export const behind = (row: TrueRow | undefined): TradesTarget => ({
  by: 'after',
  cursor: { tradeId: tradeId(String(row?.id)), venueTime: row?.time ?? 0 },
});
export const since = (from: number): TradesTarget => ({ by: 'between', from, to: null });

export function venue(rows: readonly TrueRow[], law: Partial<Law> = {}, spoil?: TradesVenue['spoil']): TradesVenue {
  const base = { rows, law: { ...LAW, ...law }, draw: drawing(1), stepMs: 1 };
  return spoil === undefined ? base : { ...base, spoil };
}

export const words = ({ endpoint, query }: Asked): string => `${endpoint} by ${query.by}`;
export const idsOf = (rows: readonly Fill[]): string[] => rows.map((row) => row.tradeId);
