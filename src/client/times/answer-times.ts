// The answers that carry the venue's times, and their correction.
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';
import type { ReadOutcome } from '../../venue/outcomes.ts';
import type { ReadKind, ReadTable, VenueRequest } from '../../venue/requests.ts';
import type { TimesSeen } from './observe-times.ts';

interface Timed {
  readonly venueTime: EpochMs;
}

/** The kinds of answers that carry the venue's times. */
export type TimedKind = {
  [K in ReadKind]: ReadTable[K]['answer'] extends Timed | readonly Timed[] ? K : never;
}[ReadKind];

/** The times of one kind of answer. */
export interface AnswerTimes<T> {
  readonly shape: TimesSeen['shape'];
  /** The same rows, each `byMs` earlier. */
  earlier(rows: T, byMs: DurationMs): T;
}

/** `null`: an answer without a time of the venue. */
type AnswerTimesTable = { readonly [K in ReadKind]: AnswerTimes<ReadTable[K]['answer']> | null };

const rowsOf = <R extends Timed>(shape: TimesSeen['shape']): AnswerTimes<readonly R[]> => ({
  shape,
  earlier: (rows, byMs) => rows.map((row) => ({ ...row, venueTime: row.venueTime - byMs })),
});

export const ANSWER_TIMES: AnswerTimesTable = {
  'legacy-best-prices': null,
  'legacy-tickers': rowsOf('latest'),
  'legacy-depth': {
    shape: 'latest',
    earlier: (depth, byMs) => ({ ...depth, venueTime: depth.venueTime - byMs }),
  },
  'legacy-trades': rowsOf('events'),
  tickers: rowsOf('latest'),
  symbols: null,
  'public-trades': rowsOf('events'),
  'order-book': null,
  assets: null,
  wallet: null,
  'crypto-deposits': rowsOf('records'),
  'crypto-deposits-historical': rowsOf('records'),
  'crypto-withdrawals': rowsOf('records'),
  'crypto-withdrawals-historical': rowsOf('records'),
  'fiat-deposits': rowsOf('records'),
  'fiat-deposits-historical': rowsOf('records'),
  'fiat-withdrawals': rowsOf('records'),
  'fiat-withdrawals-historical': rowsOf('records'),
  'open-orders': rowsOf('events'),
  'spot-trades': rowsOf('events'),
  'spot-trades-historical': rowsOf('events'),
  'sbs-trades': rowsOf('events'),
};

const timed = new Set(Object.entries(ANSWER_TIMES).flatMap(([kind, times]) => (times === null ? [] : [kind])));
const isTimed = (kind: string): kind is TimedKind => timed.has(kind);

export const TIMED_KINDS: readonly TimedKind[] = [...timed].filter(isTimed);

// An exchange may write the times of some lists off by hours, such as local time as if it were UTC. A person configures
// the offset; filters use the exchange's times, and rows come back in true time.

/** Written time − true time, by list. */
export type TimeOffsets = Partial<Readonly<Record<TimedKind, DurationMs>>>;

const QUARTER: DurationMs = 15 * MINUTE;
/** No time zone is further behind UTC. */
const LEAST_MS: DurationMs = -12 * HOUR;
const MOST_MS: DurationMs = 14 * HOUR;

/** Whether a time zone has it: whole quarter hours from −12 h to 14 h. */
export const isTimeOffset = (ms: DurationMs): boolean =>
  Number.isInteger(ms / QUARTER) && ms >= LEAST_MS && ms <= MOST_MS;

/** Throws for an offset of no time zone. */
export function checkTimeOffsets(offsets: TimeOffsets): void {
  for (const [kind, ms] of Object.entries(offsets)) {
    invariant(isTimeOffset(ms), `The time offset of ${kind} is ${ms} ms, not whole quarter hours from -12 h to 14 h.`);
  }
}

/** Added to the times of filters and subtracted from those of rows; an archive writes them as its recent list does. */
export const offsetOf = (
  offsets: Partial<Readonly<Record<string, DurationMs>>>,
  kind: VenueRequest['kind'],
): DurationMs => offsets[kind] ?? offsets[kind.replace('-historical', '')] ?? 0;

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
