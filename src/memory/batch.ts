// What is remembered of a running bot, as rows that are written together.
import type { Calendar } from '../books/local-time.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../domain/time.ts';

/** Numbers for charts and averages, to 15 digits; what must be exact is the journal's. Null: not known, or none. */
export interface Sample {
  /** The others' best prices. */
  readonly marketBid: number | null;
  readonly marketAsk: number | null;
  /** Of own orders that are live. */
  readonly ownBid: number | null;
  readonly ownAsk: number | null;
  /** The price that the trader trusts, while it is no older than a book may be that is quoted by. */
  readonly reference: number | null;
  /** Base held. */
  readonly inventory: number | null;
  /** All that is held in the symbol's quote asset and in what is traded for it, in that asset. */
  readonly equity: number | null;
  /** Of the symbol since its books were opened, in quote. */
  readonly profit: number | null;
}

export const SAMPLE_FIELDS = [
  'marketBid',
  'marketAsk',
  'ownBid',
  'ownAsk',
  'reference',
  'inventory',
  'equity',
  'profit',
] as const satisfies readonly (keyof Sample)[];

export interface PointRow extends Sample {
  readonly symbol: InstrumentSymbol;
  readonly level: Level;
  /** Where its bucket begins; of seconds the moment itself. */
  readonly at: EpochMs;
  /** When it was so: the last look of the bucket. */
  readonly moment: EpochMs;
}

/** What is counted; `a`, `b` and `c` tell its parts apart. */
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
  | { readonly kind: 'purpose'; readonly a: string; readonly b: string }
  | { readonly kind: 'throttled'; readonly a: string; readonly b: string }
  /** Messages for people by level and name. */
  | { readonly kind: 'notice'; readonly a: string; readonly b: string };

/** So much more of it since the rows before: what is kept already is added to. */
export interface CountRow {
  /** Null: of the whole account. */
  readonly symbol: InstrumentSymbol | null;
  readonly level: Level;
  readonly at: EpochMs;
  readonly kind: Counted['kind'];
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly n: number;
}

/** What was wanted of a side from then on, or why nothing was. */
export interface DecisionRow {
  readonly symbol: InstrumentSymbol;
  readonly at: EpochMs;
  readonly side: Side;
  readonly text: string;
}

export interface NoticeRow {
  readonly at: EpochMs;
  readonly level: 'warn' | 'page' | 'hold';
  readonly op: string;
  readonly symbol: InstrumentSymbol | null;
  readonly message: string;
  /** The journal's record that says it; null where none does. */
  readonly seq: number | null;
}

/** Of one execution, by the records of the journal; the last one counts. */
export interface FillRow {
  readonly symbol: InstrumentSymbol;
  readonly tradeId: string;
  readonly side: Side;
  readonly at: EpochMs;
  readonly price: number;
  readonly quantity: number;
  /** Whether the order was the bot's; null: as it was told before. */
  readonly ours: boolean | null;
  /** The exchange took it back. */
  readonly gone: boolean;
  readonly seq: number;
}

export interface Batch {
  readonly at: EpochMs;
  readonly points: readonly PointRow[];
  readonly counts: readonly CountRow[];
  readonly decisions: readonly DecisionRow[];
  readonly notices: readonly NoticeRow[];
  readonly fills: readonly FillRow[];
}

// How finely what happened is remembered, and for how long: the older, the coarser. Every level is written at once, so
// that growing old is only being deleted.

export const LEVELS = ['second', 'minute', 'quarter', 'day'] as const;
export type Level = (typeof LEVELS)[number];

interface LevelBounds {
  /** Length of a bucket; days of a change of clocks are longer or shorter. */
  readonly stepMs: DurationMs;
  /** Prices, quotes, inventory and equity are kept for so long. */
  readonly pointsMs: DurationMs;
  /** Counts and times; zero where a level has none. */
  readonly countsMs: DurationMs;
}

/**
 * Days are those of the books' time zone, so that a report adds up whole buckets. Quarter hours, not hours: each time
 * zone is at a whole number of them from every other.
 */
export const BOUNDS: Readonly<Record<Level, LevelBounds>> = {
  second: { stepMs: SECOND, pointsMs: 6 * HOUR, countsMs: 0 },
  minute: { stepMs: MINUTE, pointsMs: 7 * DAY, countsMs: 0 },
  quarter: { stepMs: 15 * MINUTE, pointsMs: 400 * DAY, countsMs: 14 * DAY },
  day: { stepMs: DAY, pointsMs: 20 * 366 * DAY, countsMs: 20 * 366 * DAY },
};

/** What was wanted and why not: each change of it. */
export const DECISIONS_KEPT_MS: DurationMs = 6 * HOUR;
/** The newest of each symbol, whatever their age; the newest notices of all. */
export const DECISIONS_KEPT = 20_000;
export const NOTICES_KEPT = 20_000;
/** Marks for charts: the executions themselves are in the journal for ever. */
export const FILLS_KEPT = 100_000;

/** Where the bucket of a moment begins. */
export function bucketOf(level: Level, at: EpochMs, calendar: Calendar): EpochMs {
  if (level === 'day') return calendar.beginning(calendar.dayOf(at));
  const { stepMs } = BOUNDS[level];
  return Math.floor(at / stepMs) * stepMs;
}

const POINT_LEVELS = LEVELS.toReversed();

/**
 * The level that shows [from, to) in about so many points: the coarsest that has as many, of those that still reach
 * back to `from`.
 */
export function levelFor({ from, to, points, now }: SpanOfPoints): Level {
  const reaching = POINT_LEVELS.filter((level) => from >= now - BOUNDS[level].pointsMs);
  const fine = reaching.find((level) => (to - from) / BOUNDS[level].stepMs >= points);
  return fine ?? reaching.at(-1) ?? 'day';
}

interface SpanOfPoints {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly points: number;
  readonly now: EpochMs;
}
