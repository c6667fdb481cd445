// Own orders and the book: one that stands still without them, and one that lacks what was taken.
import { plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { isSameBook, type OrderBook, quantityAt, showsPrice } from '../../domain/order-book.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { Read } from '../../venue/outcomes.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { noteOfOthers } from '../knowledge/note-reads.ts';
import { liveOrderOf } from '../state/live-order.ts';
import type { Market } from '../state/market.ts';
import { marketOf, type TraderState, touch } from '../state/state.ts';
import { type BookSurface, type FrozenBook, need } from '../state/surfaces.ts';
import { notice, type Turn } from '../state/turn.ts';

/**
 * Once the quotes are pulled nothing of ours can be missing: in a market that really stands still, no book would ever
 * differ from the frozen one. After so long it is tried again, and counted anew.
 */
const TRY_AGAIN_AFTER_MS: DurationMs = 10 * MINUTE;

/** Takes note of a complete book before it becomes the last one, and judges it. */
export function noteBook(market: Market, read: Read<OrderBook>, now: EpochMs): void {
  const surface = market.book;
  const isSame = surface.book !== null && isSameBook(surface.book, read.rows);
  if (!isSame || surface.unchangedSince === null) surface.unchangedSince = read.sentAt;
  Object.assign(surface, { book: read.rows, receivedAt: read.receivedAt });
  const { frozen } = surface;
  if (frozen === null || (isSame && now - frozen.foundAt < TRY_AGAIN_AFTER_MS)) return;
  Object.assign(surface, { frozen: null, unchangedSince: read.sentAt });
}

/** Judges the last book, whenever it or what lists show of our orders is news. */
export function judgeBook(turn: Turn, symbol: InstrumentSymbol): void {
  const { state, now } = turn;
  const surface = marketOf(state, symbol).book;
  const { book, sentAt, unchangedSince } = surface;
  if (surface.frozen !== null || book === null || sentAt === null || unchangedSince === null) return;
  if (sentAt - unchangedSince < state.settings.ageLimits.frozenBookMs) return;
  const isLacking = (intent: Intent): boolean =>
    intent.orderId !== null &&
    showsPrice(book, intent) === false &&
    shouldShow(state, intent, { unchangedSince, sentAt });
  const lacking = liveIntents(state.durable, symbol).filter(isLacking);
  if (lacking.length === 0) return;
  surface.frozen = { foundAt: now, lacks: lacking.map(orderWords).join(', ') };
  noteOfOthers(state, symbol);
  touch(state, symbol);
  notice(turn, { level: 'warn', op: 'book-frozen', symbol, message: frozenWords(surface, surface.frozen, now) });
}

/** One sentence for people. */
export function frozenWords({ unchangedSince }: BookSurface, { lacks }: FrozenBook, now: EpochMs): string {
  const seconds = Math.floor((now - (unchangedSince ?? now)) / 1_000);
  return `The order book is frozen: it has not changed for ${seconds} s and lacks our own orders ${lacks}.`;
}

/**
 * Whether it was open all the while: the book shows it a lag after it was accepted at the latest, and a list proves
 * it open up to a lag before the list left. Between the two the book must have stood still for the limit.
 */
function shouldShow(
  { settings, orders }: Pick<TraderState, 'settings' | 'orders'>,
  intent: Intent,
  { unchangedSince, sentAt }: { readonly unchangedSince: EpochMs; readonly sentAt: EpochMs },
): boolean {
  const { listedAt } = liveOrderOf(orders, intent.intentId);
  if (intent.state !== 'open' || listedAt === null) return false;
  const { assumptions, ageLimits } = settings;
  const { readLagBoundMs } = assumptions;
  const from = Math.max(unchangedSince, intent.since + readLagBoundMs);
  const until = Math.min(sentAt, listedAt - readLagBoundMs);
  return until - from >= ageLimits.frozenBookMs;
}

const orderWords = ({ side, quantity, price }: Intent): string => `${side} ${plain(quantity)} @ ${plain(price)}`;

// A fill shows in the book before anything else is asked for: books are read more often than own trades.

/**
 * Asks for own trades where the last book showed what remains of an open order, and this one, about to become the last,
 * shows less. A book that lacked it before has been asked about, or is late.
 */
export function noteTaken(
  state: Pick<TraderState, 'durable' | 'markets'>,
  symbol: InstrumentSymbol,
  book: OrderBook,
  now: number,
): void {
  const market = marketOf(state, symbol);
  const before = market.book.book;
  if (before === null) return;
  const isTaken = (intent: Intent): boolean =>
    intent.state === 'open' && isShown(before, intent) && !isShown(book, intent);
  if (liveIntents(state.durable, symbol).some(isTaken)) need(market.trades, now);
}

const isShown = (book: OrderBook, intent: Intent): boolean => quantityAt(book, intent).gte(remainingOf(intent));
