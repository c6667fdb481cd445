// What is remembered of a running bot beside the journal, as rows that are written together, and for how long.

import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { TraderEvent } from '../../trader/durable/events.ts';
import type { Calendar } from '../books/local-time.ts';

/** Columns of a point, in the order of the table. */
export const SAMPLE_FIELDS = [
  /** Best prices of the others, and of own live orders. */
  ...(['marketBid', 'marketAsk', 'ownBid', 'ownAsk'] as const),
  /** The price that the trader trusts, while it is no older than a book may be that is quoted by. */
  'reference',
  /** Base held. */
  'inventory',
  /** All that is held in the symbol's quote asset and in what is traded for it, in that asset. */
  'equity',
  /** Of the symbol since its books were opened, in quote. */
  'profit',
] as const;

/** Numbers for charts and averages, to 15 digits; what must be exact is the journal's. Null: not known, or none. */
export type Sample = Readonly<Record<(typeof SAMPLE_FIELDS)[number], number | null>>;

export interface PointRow extends Sample {
  readonly symbol: InstrumentSymbol;
  readonly level: Level;
  /** The start of its bucket; for seconds the moment itself. */
  readonly at: EpochMs;
  /** When it was so: the last look of the bucket. */
  readonly moment: EpochMs;
}

/** What is counted by day; `a`, `b` and `c` tell its parts apart. */
export type Counted =
  /** Time that the symbol was looked at, in milliseconds. */
  | { readonly kind: 'watched'; readonly ms: DurationMs }
  /** Time in the market by side, or both: `fresh`, else what it was lost to. */
  | { readonly kind: 'presence'; readonly a: string; readonly b: string; readonly ms: DurationMs }
  /** Basis points × milliseconds: of the market, of own quotes, and of the market meanwhile; `ms` is their weight. */
  | {
      readonly kind: 'spread';
      readonly a: 'market' | 'own' | 'market-meanwhile' | 'ms' | 'ms-quoted';
      readonly n: number;
    }
  /** By side and seconds after the fill: what was gained, what was filled (both in quote), and how many fills. */
  | {
      readonly kind: 'markout';
      readonly a: Side;
      readonly b: number;
      readonly c: 'gained' | 'filled' | 'fills';
      readonly n: number;
    }
  /** Requests that came back, by lane, endpoint and outcome. */
  | { readonly kind: 'request'; readonly a: string; readonly b: string; readonly c: string }
  /** The same by lane and by what they were for; and by lane where the answer's status says that it was too many. */
  | { readonly kind: 'purpose' | 'throttled'; readonly a: string; readonly b: string }
  /** Messages for people by level and name. */
  | { readonly kind: 'notice'; readonly a: string; readonly b: string };

/** By how much a count of a day rises. */
export interface CountRow {
  /** Empty: of the whole account. */
  readonly symbol: InstrumentSymbol;
  readonly at: EpochMs;
  readonly kind: Counted['kind'];
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly n: number;
}

export interface NoticeRow {
  readonly at: EpochMs;
  readonly level: 'info' | 'warn' | 'page';
  readonly op: string;
  readonly symbol: InstrumentSymbol | null;
  readonly message: string;
}

/** Notices of what keeps symbols from being quoted: remembered whatever their level. */
export const HOLD_OPS: ReadonlySet<string> = new Set([
  ...['symbol-halted', 'symbol-resumed', 'locked', 'unlocked', 'paused'],
]);

/** One execution of the bot, as a mark of a chart. */
export interface FillRow {
  readonly symbol: InstrumentSymbol;
  readonly tradeId: string;
  readonly side: Side;
  readonly at: EpochMs;
  readonly price: number;
  readonly quantity: number;
  /** `corrected`: where it is known; `reversed`: the exchange took it back. */
  readonly kind: 'made' | 'corrected' | 'reversed';
}

/** The executions in records of the journal; most are passed over by their type alone. */
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
    return [
      { symbol, tradeId, side, at: Math.floor(venueTime), price: Number(price), quantity: Number(quantity), kind },
    ];
  });
}

export interface Batch {
  readonly at: EpochMs;
  readonly points: readonly PointRow[];
  readonly counts: readonly CountRow[];
  readonly notices: readonly NoticeRow[];
  readonly fills: readonly FillRow[];
}

// How finely points are remembered, and for how long: the older, the coarser. Every level is written at once, so that
// growing old is only being deleted.

export const LEVELS = ['second', 'minute', 'quarter', 'day'] as const;
export type Level = (typeof LEVELS)[number];

interface LevelBounds {
  /** Length of a bucket; days of a change of clocks are longer or shorter. */
  readonly stepMs: DurationMs;
  readonly keptMs: DurationMs;
}

/**
 * Days are those of the books' time zone, so that a report adds up whole buckets. Quarter hours, not hours: each time
 * zone is at a whole number of them from every other.
 */
export const BOUNDS: Readonly<Record<Level, LevelBounds>> = {
  second: { stepMs: SECOND, keptMs: 6 * HOUR },
  minute: { stepMs: MINUTE, keptMs: 7 * DAY },
  quarter: { stepMs: 15 * MINUTE, keptMs: 400 * DAY },
  day: { stepMs: DAY, keptMs: 20 * 366 * DAY },
};

/** The newest, whatever their age; the executions themselves are in the journal for ever. */
export const NOTICES_KEPT = 20_000;
export const FILLS_KEPT = 100_000;

/** The start of the bucket of a moment. */
export function bucketOf(level: Level, at: EpochMs, calendar: Calendar): EpochMs {
  if (level === 'day') return calendar.beginning(calendar.dayOf(at));
  const { stepMs } = BOUNDS[level];
  return Math.floor(at / stepMs) * stepMs;
}

interface SpanOfPoints {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly points: number;
  readonly now: EpochMs;
}

/**
 * The level that shows [from, to) in about so many points: the coarsest that has as many, of those that still reach
 * back to `from`.
 */
export function levelFor({ from, to, points, now }: SpanOfPoints): Level {
  const reaching = LEVELS.toReversed().filter((level) => from >= now - BOUNDS[level].keptMs);
  const fine = reaching.find((level) => (to - from) / BOUNDS[level].stepMs >= points);
  return fine ?? reaching.at(-1) ?? 'day';
}
