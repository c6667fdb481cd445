// Where the times stand in each kind of answer, what names the rows that they belong to, and how they are corrected.
import { plain } from '../../domain/decimal.ts';
import type { Fill, PublicTrade, SbsTrade } from '../../domain/fill.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../domain/transfer.ts';
import type { ReadKind, ReadTable } from '../../venue/requests.ts';
import type { SeenTime, TimesSeen } from './observe-times.ts';

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
  read(rows: T): readonly SeenTime[];
  /** The same rows, each `byMs` earlier. */
  earlier(rows: T, byMs: DurationMs): T;
}

/** `null`: an answer without a time of the venue. */
export type AnswerTimesTable = { readonly [K in ReadKind]: AnswerTimes<ReadTable[K]['answer']> | null };

const rowsOf = <R extends Timed>(shape: TimesSeen['shape'], nameOf: (row: R) => string): AnswerTimes<readonly R[]> => ({
  shape,
  read: (rows) => numbered(rows.map((row) => ({ name: nameOf(row), at: row.venueTime }))),
  earlier: (rows, byMs) => rows.map((row) => ({ ...row, venueTime: row.venueTime - byMs })),
});

const events = <R extends Timed>(nameOf: (row: R) => string): AnswerTimes<readonly R[]> => rowsOf('events', nameOf);

const records = <R extends Timed>(nameOf: (row: R) => string): AnswerTimes<readonly R[]> => rowsOf('records', nameOf);

/** Rows without an id: what is said of them is their name, their time included. */
const publicTrade = (trade: PublicTrade): string =>
  `${trade.venueTime} ${trade.takerSide} ${plain(trade.quantity)} @ ${plain(trade.price)}`;
/** A hash, a status or an address comes later: they can't be part of the name. */
const cryptoTransfer = (transfer: CryptoTransfer): string =>
  `${transfer.venueTime} ${plain(transfer.amount)} ${transfer.asset} ${transfer.network}`;
const fiatTransfer = (transfer: FiatTransfer): string =>
  `${transfer.venueTime} ${plain(transfer.amount)} ${transfer.referenceId}`;
const execution = (trade: Fill | SbsTrade): string => `${trade.symbol} ${trade.tradeId}`;
export const ANSWER_TIMES: AnswerTimesTable = {
  'legacy-best-prices': null,
  'legacy-tickers': rowsOf('latest', ({ key }) => key),
  'legacy-depth': {
    shape: 'latest',
    read: ({ venueTime }) => [{ name: 'depth', at: venueTime }],
    earlier: (depth, byMs) => ({ ...depth, venueTime: depth.venueTime - byMs }),
  },
  'legacy-trades': events(({ tradeId }) => tradeId),
  tickers: rowsOf('latest', ({ symbol }) => symbol),
  symbols: null,
  'public-trades': events(publicTrade),
  'order-book': null,
  assets: null,
  wallet: null,
  'crypto-deposits': records(cryptoTransfer),
  'crypto-deposits-historical': records(cryptoTransfer),
  'crypto-withdrawals': records(cryptoTransfer),
  'crypto-withdrawals-historical': records(cryptoTransfer),
  'fiat-deposits': records(fiatTransfer),
  'fiat-deposits-historical': records(fiatTransfer),
  'fiat-withdrawals': records(fiatTransfer),
  'fiat-withdrawals-historical': records(fiatTransfer),
  'open-orders': events(({ orderId }) => orderId),
  'spot-trades': events<Fill>(execution),
  'spot-trades-historical': events<Fill>(execution),
  'sbs-trades': events<SbsTrade>(execution),
};

const timed = new Set(Object.entries(ANSWER_TIMES).flatMap(([kind, times]) => (times === null ? [] : [kind])));
/** Whether answers of the kind carry times of the venue. */
const isTimed = (kind: string): kind is TimedKind => timed.has(kind);

export const TIMED_KINDS: readonly TimedKind[] = [...timed].filter(isTimed);

/** Rows of the same name are told apart by their number: one more of them is a new one. */
function numbered(times: readonly SeenTime[]): readonly SeenTime[] {
  const counts = new Map<string, number>();
  return times.map(({ name, at }) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? { name, at } : { name: `${name} #${count + 1}`, at };
  });
}
