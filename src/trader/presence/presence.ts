// Time in the market: what passed since the last step belongs to what has held since then. No timer: the same steps
// give the same account, live, in a backtest and in the simulation.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { liveIntents } from '../durable/durable.ts';
import { hasVanished, lookInBook } from '../state/presence/seen-in-book.ts';
import {
  addPiece,
  copyOf,
  correctFresh,
  type Piece,
  type Presence,
  type SymbolTime,
} from '../state/presence/time-account.ts';
import { marketOf, runOf, symbolsOf, type TraderState } from '../state/state.ts';
import { isNear, noteRanges } from './near-price.ts';
import { whyBlocked, whySideLost } from './why-lost.ts';

/** To be called before a step changes anything. */
export function notePresence(state: TraderState, now: EpochMs): void {
  for (const symbol of symbolsOf(state)) countTo(state, symbol, { time: timeOf(state, symbol), now });
}

/** The account as of now, for those who look: a copy. */
export function presenceAt(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): SymbolTime {
  const time = copyOf(timeOf(state, symbol));
  countTo(state, symbol, { time, now });
  return time;
}

const timeOf = (state: TraderState, symbol: InstrumentSymbol): SymbolTime => marketOf(state, symbol).presence;

interface Counting {
  readonly time: SymbolTime;
  readonly now: EpochMs;
}

/** A clock that was set back counts nothing. */
function countTo(state: TraderState, symbol: InstrumentSymbol, { time, now }: Counting): void {
  const from = time.countedTo;
  const until = Math.floor(now);
  if (until <= from) {
    time.countedTo = until;
    return;
  }
  noteRanges(time, marketOf(state, symbol).decision, runOf(state, symbol));
  noteBook(state, symbol, time);
  for (const piece of piecesOf(state, symbol, { time, from, until })) addPiece(time, piece);
  time.countedTo = until;
}

/**
 * An order that has vanished from the book since the last one that showed it: taken to have gone halfway between the
 * two.
 */
function noteBook(state: TraderState, symbol: InstrumentSymbol, time: SymbolTime): void {
  const surface = marketOf(state, symbol).book;
  if (surface.book === time.seen.book) return;
  const before = time.seen;
  time.seen = lookInBook(before, surface, liveIntents(state.durable, symbol));
  const sinceGone = time.countedTo - Math.ceil((before.sentAt + time.seen.sentAt) / 2);
  // Nothing is fresh for longer than a book may be old.
  const ms = Math.min(sinceGone, state.settings.ageLimits.bookMs);
  for (const side of SIDES) {
    const gone = liveIntents(state.durable, symbol).some(
      (intent) => intent.side === side && hasVanished(time.seen, intent) && !hasVanished(before, intent),
    );
    if (gone && time.last?.[side] === 'fresh' && !hasNear(state, symbol, { side, time }))
      correctFresh(time, side, { ms, reason: 'counting' });
  }
}

const SIDES: readonly Side[] = ['buy', 'sell'];

interface Stretch {
  readonly time: SymbolTime;
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Ages are all that changes between two steps: what is fresh first may be stale before the next one. */
function piecesOf(state: TraderState, symbol: InstrumentSymbol, { time, from, until }: Stretch): Piece[] {
  const stale = Math.min(until, Math.max(from, freshUntil(state, symbol)));
  const pieces: Piece[] = [];
  if (stale > from) {
    const near = {
      buy: hasNear(state, symbol, { side: 'buy', time }),
      sell: hasNear(state, symbol, { side: 'sell', time }),
    };
    pieces.push({ ms: stale - from, sides: sidesOf(state, symbol, { time, at: stale, near }) });
  }
  if (until > stale)
    pieces.push({ ms: until - stale, sides: sidesOf(state, symbol, { time, at: until, near: NEITHER }) });
  return pieces;
}

const NEITHER: Readonly<Record<Side, boolean>> = { buy: false, sell: false };

/** Until when the last book tells the price, and the last list that orders rest. */
function freshUntil(state: TraderState, symbol: InstrumentSymbol): EpochMs {
  const { book, openOrders: orders } = marketOf(state, symbol);
  if (book.sentAt === null || book.frozen !== null || orders.sentAt === null) return 0;
  const { bookMs, openOrdersMs } = state.settings.ageLimits;
  return Math.floor(Math.min(book.sentAt + bookMs, orders.sentAt + openOrdersMs));
}

/** Whether an order rests on the side as far as is known, at a price that is near enough. */
function hasNear(
  { durable }: TraderState,
  symbol: InstrumentSymbol,
  { side, time }: { readonly side: Side; readonly time: SymbolTime },
): boolean {
  const range = time.ranges[side];
  return liveIntents(durable, symbol).some(
    (intent) =>
      intent.side === side && intent.state === 'open' && isNear(intent.price, range) && !hasVanished(time.seen, intent),
  );
}

interface Moment {
  readonly time: SymbolTime;
  readonly at: EpochMs;
  readonly near: Readonly<Record<Side, boolean>>;
}

function sidesOf(state: TraderState, symbol: InstrumentSymbol, { time, at, near }: Moment): Piece['sides'] {
  if (near.buy && near.sell) return { buy: 'fresh', sell: 'fresh' };
  const blocked = whyBlocked(state, symbol, at);
  const of = (side: Side): Presence =>
    near[side] ? 'fresh' : (blocked ?? whySideLost(state, symbol, { side, seen: time.seen }));
  return { buy: of('buy'), sell: of('sell') };
}
