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
// they add up. Bounded: the last hour is kept by the minute.

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

interface TrackTime {
  readonly all: TimeAccount;
  /** The last minutes of counted time, the newest last. */
  readonly minutes: TimeAccount[];
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
  readonly tracks: Readonly<Record<Track, TrackTime>>;
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

const MINUTES_KEPT = HOUR / MINUTE;

export function startTime(now: EpochMs): SymbolTime {
  return {
    countedTo: Math.floor(now),
    countedMs: 0,
    tracks: { buy: emptyTrack(), sell: emptyTrack(), both: emptyTrack() },
    rangesOf: null,
    widths: { buy: null, sell: null },
    ranges: { buy: null, sell: null },
    last: null,
    lostMs: { buy: 0, sell: 0 },
    seen: NOTHING_SEEN,
  };
}

const emptyTrack = (): TrackTime => ({ all: new Map(), minutes: [] });

/** A copy for looking ahead: additions to it don't change the original. */
export function copyOf(time: SymbolTime): SymbolTime {
  const copied = ({ all, minutes }: TrackTime): TrackTime => ({
    all: new Map(all),
    minutes: minutes.map((minute) => new Map(minute)),
  });
  const { buy, sell, both } = time.tracks;
  return {
    ...time,
    tracks: { buy: copied(buy), sell: copied(sell), both: copied(both) },
    widths: { ...time.widths },
    ranges: { ...time.ranges },
    lostMs: { ...time.lostMs },
  };
}

export function addPiece(time: SymbolTime, { ms, sides }: Piece): void {
  time.last = sides;
  for (const side of ['buy', 'sell'] as const) time.lostMs[side] = sides[side] === 'fresh' ? 0 : time.lostMs[side] + ms;
  const { buy, sell } = sides;
  const held: Readonly<Record<Track, Presence>> = { buy, sell, both: bothOf(buy, sell) };
  for (const track of TRACKS) addTo(time.tracks[track].all, held[track], ms);
  // After a week's sleep only the last hour is counted by the minute.
  let left = ms - Math.max(0, Math.floor((ms - HOUR) / MINUTE)) * MINUTE;
  time.countedMs += ms - left;
  while (left > 0) {
    const into = time.countedMs % MINUTE;
    const part = Math.min(left, MINUTE - into);
    for (const track of TRACKS) addTo(lastMinute(time.tracks[track], into === 0), held[track], part);
    time.countedMs += part;
    left -= part;
  }
}

function bothOf(buy: Presence, sell: Presence): Presence {
  if (buy === 'fresh') return sell;
  return sell === 'fresh' ? buy : (gravest([buy, sell]) ?? buy);
}

function lastMinute({ minutes }: TrackTime, begins: boolean): TimeAccount {
  const last = minutes.at(-1);
  if (last !== undefined && !begins) return last;
  const minute: TimeAccount = new Map();
  minutes.push(minute);
  if (minutes.length > MINUTES_KEPT) minutes.shift();
  return minute;
}

/** Moves fresh time within the last `ms` of a side to `reason`. */
export function correctFresh(
  time: SymbolTime,
  side: Side,
  { ms, reason }: { readonly ms: DurationMs; readonly reason: Block },
): void {
  for (const track of [side, 'both'] as const) {
    const { all, minutes } = time.tracks[track];
    let left = ms;
    // From the newest on: time that was not fresh keeps its reason.
    for (const minute of minutes.toReversed()) {
      const part = Math.min(left, minute.get('fresh') ?? 0);
      if (part <= 0) break;
      for (const account of [all, minute]) {
        addTo(account, 'fresh', -part);
        addTo(account, reason, part);
      }
      left -= part;
    }
  }
}

function addTo(account: TimeAccount, presence: Presence, ms: DurationMs): void {
  account.set(presence, (account.get(presence) ?? 0) + ms);
}

/** A track's counted time in the last hour, to a minute. */
export function lastHourOf({ minutes }: TrackTime): TimeAccount {
  const sum: TimeAccount = new Map();
  for (const minute of minutes) for (const [presence, ms] of minute) addTo(sum, presence, ms);
  return sum;
}
