// An exchange may write the times of some lists off by hours, such as local time as if it were UTC. A person configures
// by how much; filters go out as the exchange writes times, and rows come back in true time.
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, HOUR, MINUTE } from '../../domain/time.ts';
import type { ReadOutcome } from '../../venue/outcomes.ts';
import type { ReadKind, ReadTable, VenueRequest } from '../../venue/requests.ts';
import { ANSWER_TIMES, type AnswerTimes, type TimedKind } from './answer-times.ts';

/** Written time − true time, by the list. */
export type TimeOffsets = Partial<Readonly<Record<TimedKind, DurationMs>>>;

const QUARTER: DurationMs = 15 * MINUTE;
/** No time zone is further from UTC. */
const LEAST_MS: DurationMs = -12 * HOUR;
const MOST_MS: DurationMs = 14 * HOUR;

/** Throws for an offset that no time zone has. */
export function checkTimeOffsets(offsets: TimeOffsets): void {
  for (const [kind, ms] of Object.entries(offsets)) {
    const isPossible = Number.isInteger(ms / QUARTER) && ms >= LEAST_MS && ms <= MOST_MS;
    invariant(isPossible, `The time offset of ${kind} is ${ms} ms, not whole quarter hours from -12 h to 14 h.`);
  }
}

/** An archive holds the rows of its recent list, and writes them alike. */
const RECENT_OF: Partial<Readonly<Record<string, TimedKind>>> = {
  'spot-trades-historical': 'spot-trades',
  'crypto-deposits-historical': 'crypto-deposits',
  'crypto-withdrawals-historical': 'crypto-withdrawals',
  'fiat-deposits-historical': 'fiat-deposits',
  'fiat-withdrawals-historical': 'fiat-withdrawals',
};

/** Added to the times of filters and taken off the times of rows. */
export function offsetOf(
  offsets: Partial<Readonly<Record<string, DurationMs>>>,
  kind: VenueRequest['kind'],
): DurationMs {
  const recent = RECENT_OF[kind];
  return offsets[kind] ?? (recent === undefined ? undefined : offsets[recent]) ?? 0;
}

/** The rows of an answer in true time. */
export function inTrueTime<K extends ReadKind>(
  kind: K,
  outcome: ReadOutcome<ReadTable[K]['answer']>,
  offsets: TimeOffsets,
): ReadOutcome<ReadTable[K]['answer']> {
  const times: AnswerTimes<ReadTable[K]['answer']> | null = ANSWER_TIMES[kind];
  const offsetMs = offsetOf(offsets, kind);
  if (outcome.kind !== 'read' || times === null || offsetMs === 0) return outcome;
  return { kind: 'read', read: { ...outcome.read, rows: times.earlier(outcome.read.rows, offsetMs) } };
}
