// The share of time in which own orders stand in the market, from what the exchange itself holds: a sum over intervals,
// from each change to the next one. Pure.
import type { Side } from '../../src/domain/order.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { type Cover, common, createCover, lengthOf, type Span } from './spans.ts';

export interface OwnOrder {
  readonly orderId: string;
  readonly side: Side;
  /** Quote per base. */
  readonly price: number;
  /** Base. */
  readonly remaining: number;
}

/** What is true of one symbol at one moment. */
export interface SymbolTruth {
  /** Between the best orders of others; null where they have none on a side. */
  readonly mid: number | null;
  /** Own orders that rest. */
  readonly orders: readonly OwnOrder[];
}

/** What holds of the two sides between two changes. `near`: an order is no further from the mid than it may be. */
interface Standing {
  readonly live: Readonly<Record<Side, boolean>>;
  readonly near: Readonly<Record<Side, boolean>>;
}

/** Milliseconds. `fresh` is `near` with a book that the trader took lately enough. */
export interface Tally {
  counted: DurationMs;
  readonly live: Record<Side, DurationMs>;
  readonly fresh: Record<Side, DurationMs>;
  bothLive: DurationMs;
  bothFresh: DurationMs;
  none: DurationMs;
}

export interface PresenceSettings {
  /** Furthest that an order may be from the mid, in basis points of it. */
  readonly widthBps: number;
  /** What is counted, by name: each gets a tally of its own. */
  readonly counted: Readonly<Record<string, readonly Span[]>>;
}

/** One symbol. Times must not fall, but for the beginnings of books, which may lie ahead of the changes. */
export interface Presence {
  /** From `at` on this is true, and until then what was said before. */
  changed(at: EpochMs, truth: SymbolTruth): void;
  /** The trader took a book at `from`, which is young enough until `until`. */
  bookTaken(span: Span): void;
  /** Nothing changes until `at`, where it ends. */
  ended(at: EpochMs): Readonly<Record<string, Tally>>;
}

const SIDES: readonly Side[] = ['buy', 'sell'];
const BPS = 10_000;

export function createPresence({ widthBps, counted }: PresenceSettings): Presence {
  const cover = createCover();
  const tallies = Object.fromEntries(Object.keys(counted).map((name) => [name, emptyTally()]));
  let last: { readonly at: EpochMs; readonly standing: Standing } | null = null;

  function closed(until: EpochMs): void {
    if (last === null || until <= last.at) return;
    for (const [name, tally] of Object.entries(tallies))
      for (const span of counted[name] ?? []) {
        add(tally, last.standing, { span: common(span, { from: last.at, until }), cover });
      }
    cover.forget(until);
  }

  return {
    changed(at, truth) {
      closed(at);
      last = { at: Math.max(at, last?.at ?? at), standing: standingOf(truth, widthBps) };
    },
    bookTaken: (span) => cover.add(span),
    ended(at) {
      closed(at);
      return tallies;
    },
  };
}

/** How far an order is from the mid, in basis points of it; negative beyond it. */
export function distanceBps({ side, price }: Pick<OwnOrder, 'side' | 'price'>, mid: number): number {
  return ((side === 'buy' ? mid - price : price - mid) / mid) * BPS;
}

function standingOf({ mid, orders }: SymbolTruth, widthBps: number): Standing {
  const live = { buy: false, sell: false };
  const near = { buy: false, sell: false };
  for (const order of orders) {
    live[order.side] = true;
    if (mid === null) continue;
    const distance = distanceBps(order, mid);
    if (distance >= 0 && distance <= widthBps) near[order.side] = true;
  }
  return { live, near };
}

function add(tally: Tally, { live, near }: Standing, { span, cover }: { span: Span; cover: Cover }): void {
  const ms = lengthOf(span);
  if (ms === 0) return;
  const youngMs = cover.within(span);
  tally.counted += ms;
  for (const side of SIDES) {
    if (live[side]) tally.live[side] += ms;
    if (near[side]) tally.fresh[side] += youngMs;
  }
  if (live.buy && live.sell) tally.bothLive += ms;
  if (near.buy && near.sell) tally.bothFresh += youngMs;
  if (!live.buy && !live.sell) tally.none += ms;
}

const emptyTally = (): Tally => ({
  counted: 0,
  live: { buy: 0, sell: 0 },
  fresh: { buy: 0, sell: 0 },
  bothLive: 0,
  bothFresh: 0,
  none: 0,
});

/** Of the counted time: two-sided and fresh, both sides live, no order at all. */
export interface Shares {
  readonly fresh: number;
  readonly live: number;
  readonly none: number;
}

/** Mean over symbols. */
export function sharesOf(tallies: readonly Tally[]): Shares {
  const mean = (part: (tally: Tally) => DurationMs): number =>
    tallies.reduce((sum, tally) => sum + part(tally) / tally.counted, 0) / tallies.length;
  return {
    fresh: mean(({ bothFresh }) => bothFresh),
    live: mean(({ bothLive }) => bothLive),
    none: mean(({ none }) => none),
  };
}
