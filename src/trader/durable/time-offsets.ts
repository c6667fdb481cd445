// A reading of a list uses one time offset throughout. When the client learns another one meanwhile, the reading begins
// anew (N5).
import type { DurationMs } from '../../domain/time.ts';
import type { CompletedRead } from '../../venue/outcomes.ts';
import type { ReadKind } from '../../venue/requests.ts';

/** The time offset by which each list was corrected, on the pages that a reading has taken in. */
export type TimeOffsets = Map<ReadKind, DurationMs>;

/** Notes the time offset of a page; true where it differs from that of an earlier one. */
export function noteTimeOffset(timeOffsets: TimeOffsets, { kind, outcome, facts }: CompletedRead): boolean {
  if (outcome.kind !== 'read') return false;
  const shiftMs = facts.shiftMs ?? 0;
  const before = timeOffsets.get(kind) ?? shiftMs;
  timeOffsets.set(kind, shiftMs);
  return before !== shiftMs;
}
