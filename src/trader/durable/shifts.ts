// A reading of a list goes by one time throughout: when it is learned meanwhile that the list is written shifted, it
// begins anew (N5).
import type { DurationMs } from '../../domain/time.ts';
import type { CompletedRead } from '../../venue/outcomes.ts';
import type { ReadKind } from '../../venue/requests.ts';

/** By how much the times of each list were corrected on the pages that a reading has taken in. */
export type Shifts = Map<ReadKind, DurationMs>;

/** Notes the correction of a page; true where it is another than that of an earlier one. */
export function hasMoved(shifts: Shifts, { kind, outcome, facts }: CompletedRead): boolean {
  if (outcome.kind !== 'read') return false;
  const shiftMs = facts.shiftMs ?? 0;
  const before = shifts.get(kind) ?? shiftMs;
  shifts.set(kind, shiftMs);
  return before !== shiftMs;
}
