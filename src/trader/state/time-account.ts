// Whether books show that own orders rest. A book that no longer shows an order's price, after one that did, reveals
// the likely fill before any list of own orders does.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Side } from '../../domain/order.ts';
import { showsPrice } from '../../domain/order-book.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';
import { type Block, gravest } from '../../quoting/block.ts';
import type { Intent } from '../durable/intent.ts';
import type { BookSurface } from './surfaces.ts';

/** Which open orders of a symbol books have shown. */
export interface SeenInBook {
  /** When the request for the last book examined left. */
  readonly sentAt: EpochMs;
  /** Orders whose price a book has shown, and whether the last book that reaches that far still does. */
  readonly shown: ReadonlyMap<IntentId, boolean>;
}

export const NOTHING_SEEN: SeenInBook = { sentAt: 0, shown: new Map() };

/** Records a book. An order that no book has shown yet may be on its way into it. */
export function lookInBook(before: SeenInBook, { book, sentAt }: BookSurface, own: readonly Intent[]): SeenInBook {
  if (book === null || sentAt === null || sentAt === before.sentAt) return before;
  const shown = new Map<IntentId, boolean>();
  for (const intent of own) {
    if (intent.state !== 'open') continue;
    const earlier = before.shown.get(intent.intentId);
    const now = showsPrice(book, intent) ?? earlier;
    if (now === true || earlier !== undefined) shown.set(intent.intentId, now === true);
  }
  return { sentAt, shown };
}

export const hasVanished = ({ shown }: SeenInBook, { intentId }: Intent): boolean => shown.get(intentId) === false;

// Time by the presence of each side of a symbol. Every counted millisecond is in exactly one entry of each account, so
// they add up. The accounts of each minute of the last hour are kept.

/** The presence of a side: a live and fresh order, or the reason why there is none. */
export type Presence = 'fresh' | Block;

/** Each side, and both together: fresh if both are, else lost to the graver reason. */
export const TRACKS = ['buy', 'sell', 'both'] as const;
export type Track = (typeof TRACKS)[number];

/** Whole milliseconds by presence. */
export type TimeAccount = Map<Presence, DurationMs>;

/** A period without a change. */
export interface Piece {
  readonly ms: DurationMs;
  readonly sides: Readonly<Record<Side, Presence>>;
}

type Accounts = Readonly<Record<Track, TimeAccount>>;

/** The accounts as they were when this much time was counted. */
interface Mark {
  readonly countedMs: DurationMs;
  readonly tracks: Accounts;
}

/** The price range in which an own order of the side is near enough, in quote per base. */
export interface PriceRange {
  readonly least: Decimal;
  readonly most: Decimal;
}

/** The account of one symbol, owned linearly. */
export interface SymbolTime {
  /** By our clock, whole milliseconds. */
  countedTo: EpochMs;
  countedMs: DurationMs;
  readonly tracks: Accounts;
  /** Of the last hour, a minute or more apart, oldest first. */
  marks: readonly Mark[];
  /** The quotes behind the ranges, or the decision that gave none. */
  rangesOf: object | null;
  /** How far an order may be from the reference price, as a share of it; null before that is known. */
  readonly widths: Record<Side, Decimal | null>;
  /** Null before the first quote of the side was wanted, and while there is no reference price. */
  readonly ranges: Record<Side, PriceRange | null>;
  /** The presence at the end of the counted time; null before any is counted. */
  last: Piece['sides'] | null;
  /** How long each side has had no fresh order. */
  readonly lostMs: Record<Side, DurationMs>;
  /** Own orders that books have shown. */
  seen: SeenInBook;
}

export function startTime(now: EpochMs): SymbolTime {
  return {
    countedTo: Math.floor(now),
    countedMs: 0,
    tracks: { buy: new Map(), sell: new Map(), both: new Map() },
    marks: [],
    rangesOf: null,
    widths: { buy: null, sell: null },
    ranges: { buy: null, sell: null },
    last: null,
    lostMs: { buy: 0, sell: 0 },
    seen: NOTHING_SEEN,
  };
}

const copied = ({ buy, sell, both }: Accounts): Accounts => ({
  buy: new Map(buy),
  sell: new Map(sell),
  both: new Map(both),
});

/** A copy for looking ahead: additions to it don't change the original. */
export const copyOf = (time: SymbolTime): SymbolTime => ({
  ...time,
  tracks: copied(time.tracks),
  widths: { ...time.widths },
  ranges: { ...time.ranges },
  lostMs: { ...time.lostMs },
});

export function addPiece(time: SymbolTime, { ms, sides }: Piece): void {
  const { countedMs, tracks, marks, lostMs } = time;
  if (countedMs - (marks.at(-1)?.countedMs ?? 0) >= MINUTE)
    time.marks = [...marks.filter((mark) => isOfLastHour(mark, countedMs)), { countedMs, tracks: copied(tracks) }];
  time.last = sides;
  for (const side of ['buy', 'sell'] as const) lostMs[side] = sides[side] === 'fresh' ? 0 : lostMs[side] + ms;
  const held: Readonly<Record<Track, Presence>> = { ...sides, both: bothOf(sides.buy, sides.sell) };
  for (const track of TRACKS) addTo(tracks[track], held[track], ms);
  time.countedMs += ms;
}

const isOfLastHour = (mark: Mark, countedMs: DurationMs): boolean => countedMs - mark.countedMs <= HOUR;

/**
 * The accounts of an hour ago, to a minute; null if the process is younger. After a longer time without a step, those
 * from before it.
 */
export const anHourAgo = ({ marks, countedMs }: SymbolTime): Accounts | null =>
  countedMs <= HOUR ? null : ((marks.find((mark) => isOfLastHour(mark, countedMs)) ?? marks.at(-1))?.tracks ?? null);

function bothOf(buy: Presence, sell: Presence): Presence {
  if (buy === 'fresh') return sell;
  return sell === 'fresh' ? buy : (gravest([buy, sell]) ?? buy);
}

/** Moves up to `ms` of the fresh time of a side to `reason`. */
export function correctFresh(
  { tracks }: SymbolTime,
  side: Side,
  { ms, reason }: { readonly ms: DurationMs; readonly reason: Block },
): void {
  for (const track of [side, 'both'] as const) {
    const part = Math.min(ms, tracks[track].get('fresh') ?? 0);
    if (part <= 0) continue;
    addTo(tracks[track], 'fresh', -part);
    addTo(tracks[track], reason, part);
  }
}

function addTo(account: TimeAccount, presence: Presence, ms: DurationMs): void {
  account.set(presence, (account.get(presence) ?? 0) + ms);
}
