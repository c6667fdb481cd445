// What is remembered of a running bot, as rows that are written together.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Level } from './levels.ts';

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
