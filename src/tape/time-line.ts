// Watches the exchange's times of one reading: they must not go back, and long silences are gaps.
import { SECOND } from '../domain/time.ts';
import { cellError, type TableRow } from './table-file.ts';
import type { EpochUs, TapeGap, TapeSource } from './types.ts';

const US_PER_MS = 1_000;
const MOST_GAPS_KEPT = 100;

/** What has been seen so far; `advance` writes into it. */
export interface TimeLine {
  firstAt: EpochUs | null;
  lastAt: EpochUs | null;
  rows: number;
  gapCount: number;
  gaps: TapeGap[];
  backwardTimes: number;
}

export function newTimeLine(): TimeLine {
  return { firstAt: null, lastAt: null, rows: 0, gapCount: 0, gaps: [], backwardTimes: 0 };
}

/** The time under which a row stamped `at` is kept. Throws TapeError when it lies further back than is tolerated. */
export function advance(
  line: TimeLine,
  at: EpochUs,
  found: { row: TableRow; column: number; source: TapeSource },
): EpochUs {
  const { row, column, source } = found;
  const before = line.lastAt ?? at;
  if (at < before - source.maxBackwardMs * US_PER_MS) {
    const seconds = (before - at) / US_PER_MS / SECOND;
    const sentence = `The time ${at} is ${seconds} s before that of the row before (${before})`;
    throw cellError(row, column, `${sentence}; at most ${source.maxBackwardMs / SECOND} s were expected.`);
  }
  if (at < before) line.backwardTimes += 1;
  if (at - before > source.maxSilenceMs * US_PER_MS)
    noteGap(line, { fromAt: before, toAt: at, file: row.header.file, line: row.line });
  const kept = Math.max(before, at);
  line.firstAt ??= kept;
  line.lastAt = kept;
  line.rows += 1;
  return kept;
}

function noteGap(line: TimeLine, gap: TapeGap): void {
  line.gapCount += 1;
  if (line.gaps.length < MOST_GAPS_KEPT) line.gaps.push(gap);
}
