// Which answers carry times of the venue, and how they are corrected.
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { ReadKind, ReadTable } from '../../venue/requests.ts';
import type { TimesSeen } from './observe-times.ts';

interface Timed {
  readonly venueTime: EpochMs;
}

/** The kinds of answers that carry times of the venue. */
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
