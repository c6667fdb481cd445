// Rows about a running bot, recorded apart from the journal: written together, kept for limited times.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { TraderEvent } from '../../trader/durable/events.ts';
import type { Calendar } from '../books/local-time.ts';
import type { MarkedFill } from '../metrics/markouts.ts';

/** Columns of a point, in the order of the table. */
export const SAMPLE_FIELDS = [
  /** Best prices of the others, and of own live orders. */
  ...(['marketBid', 'marketAsk', 'ownBid', 'ownAsk'] as const),
  /** The trusted price, while it is no older than the oldest book to quote by. */
  'reference',
  /** Base held. */
  'inventory',
  /** Total of the symbol's quote asset and of all coins traded for it, in that asset. */
  'equity',
  /** The symbol's profit since its books were opened, in quote. */
  'profit',
] as const;

/** Numbers for charts and averages, to 15 digits; exact ones are in the journal. Null: unknown, or none. */
export type Sample = Readonly<Record<(typeof SAMPLE_FIELDS)[number], number | null>>;

export interface PointRow extends Sample {
  readonly symbol: InstrumentSymbol;
  readonly level: Level;
  /** Start of the bucket; for seconds the exact time. */
  readonly at: EpochMs;
  /** Time of the sample: the last one in the bucket. */
  readonly moment: EpochMs;
}

/** Increase of a daily count, by 1 or by `n`. Times are in milliseconds. */
export type Counted = { readonly n?: number } & Labels;

/** `a`, `b` and `c` are its labels. */
type Labels =
  /** Time for which the symbol was sampled. */
  | { readonly kind: 'watched' }
  /** Time in the market, by one side or both, and `fresh` or the reason why it was lost. */
  | {
      readonly kind: 'presence';
      readonly a: string;
      readonly b: string;
    }
  /** Basis points × milliseconds; `ms` and `ms-quoted` are their weights. */
  | {
      readonly kind: 'spread';
      readonly a: 'market' | 'own' | 'market-meanwhile' | 'ms' | 'ms-quoted';
    }
  /** By side and seconds after the fill: `gained` and `filled` in quote, and `fills`. */
  | {
      readonly kind: 'markout';
      readonly a: Side;
      readonly b: number;
      readonly c: 'gained' | 'filled' | 'fills';
    }
  /** By lane, endpoint and outcome. */
  | {
      readonly kind: 'request';
      readonly a: string;
      readonly b: string;
      readonly c: string;
    }
  /** By lane and purpose, or lane and status; notices by level and op. */
  | {
      readonly kind: 'purpose' | 'throttled' | 'notice';
      readonly a: string;
      readonly b: string;
    };

export interface CountRow {
  readonly kind: Counted['kind'];
  readonly a: string;
  readonly c: string;
  readonly n: number;
  /** Empty: the whole account. */
  readonly symbol: InstrumentSymbol;
  readonly at: EpochMs;
  readonly b: string;
}

export interface NoticeRow {
  readonly at: EpochMs;
  readonly level: 'info' | 'warn' | 'page';
  readonly op: string;
  readonly symbol: InstrumentSymbol | null;
  readonly message: string;
}

/** Notices about symbols that can't be quoted: recorded at any level. */
export const HOLD_OPS: ReadonlySet<string> = new Set([
  ...['symbol-halted', 'symbol-resumed', 'locked', 'unlocked', 'paused'],
]);

/** One execution of the bot, as a mark in a chart. */
export interface FillRow extends MarkedFill {
  readonly symbol: InstrumentSymbol;
  /** `corrected`: only if it is known; `reversed`: the exchange took it back. */
  readonly kind: 'made' | 'corrected' | 'reversed';
}

/** Executions in records of the journal; most records are skipped by their type alone. */
export function fillRowsOf(records: readonly JournalRecord[]): readonly FillRow[] {
  return records.flatMap((record): FillRow[] => {
    if (!record.type.startsWith('fill')) return [];
    const event = eventOf(record) as unknown as TraderEvent;
    if (event.type !== 'fill' && event.type !== 'fill-corrected') return [];
    const { intentId, fill } = event.payload;
    if (event.type === 'fill-corrected' && fill === null) {
      const { symbol, tradeId, side, at } = event.payload;
      return [{ symbol, tradeId, side, at, price: 0, quantity: 0, kind: 'reversed' }];
    }
    if (fill === null || (event.type === 'fill' && intentId === null)) return [];
    const { symbol, tradeId, side, venueTime, price, quantity } = fill;
    const kind = event.type === 'fill' ? 'made' : 'corrected';
    const sizes = { price: Number(price), quantity: Number(quantity) };
    return [{ symbol, tradeId, side, at: Math.floor(venueTime), ...sizes, kind }];
  });
}

export interface Batch {
  readonly at: EpochMs;
  readonly points: readonly PointRow[];
  readonly counts: readonly CountRow[];
  readonly notices: readonly NoticeRow[];
  readonly fills: readonly FillRow[];
}

// Resolution and retention of points: the older, the coarser. Every level is written at once, so that aging only
// deletes.

export const LEVELS = ['second', 'minute', 'quarter', 'day'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * `stepMs`: length of a bucket; days with a clock change are longer or shorter. Days are those of the books' time zone,
 * so that a report adds up whole buckets. Quarter hours, not hours: time zones differ by whole numbers of them.
 */
export const BOUNDS: Readonly<Record<Level, Readonly<Record<'stepMs' | 'keptMs', DurationMs>>>> = {
  second: { stepMs: SECOND, keptMs: 6 * HOUR },
  minute: { stepMs: MINUTE, keptMs: 7 * DAY },
  quarter: { stepMs: 15 * MINUTE, keptMs: 400 * DAY },
  day: { stepMs: DAY, keptMs: 20 * 366 * DAY },
};

/** The newest are kept, whatever their age; the journal keeps the executions themselves forever. */
export const NOTICES_KEPT = 20_000;
export const FILLS_KEPT = 100_000;

/** Start of the bucket that contains `at`. */
export function bucketOf(level: Level, at: EpochMs, calendar: Calendar): EpochMs {
  if (level === 'day') return calendar.beginning(calendar.dayOf(at));
  const { stepMs } = BOUNDS[level];
  return Math.floor(at / stepMs) * stepMs;
}

/** Rows are deleted some minutes late, and a query for all of a level is a little late itself. */
const LATE_MS: DurationMs = MINUTE;

/**
 * The level that shows [from, to) in about `points` points: the coarsest with at least that many, among those that
 * still reach back to `from`.
 */
export function levelFor({ from, to, points, now }: Record<'from' | 'to' | 'points' | 'now', number>): Level {
  const reaching = LEVELS.toReversed().filter((level) => from >= now - BOUNDS[level].keptMs - LATE_MS);
  const fine = reaching.find((level) => (to - from) / BOUNDS[level].stepMs >= points);
  return fine ?? reaching.at(-1) ?? 'day';
}
