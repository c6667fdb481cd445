// Records books and public trades: estimates, the strategy's memory, frozen books, and fills that a book shows first.
import { plain } from '../../domain/decimal.ts';
import type { PublicTrade } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { isSameBook, midPrice, type OrderBook, quantityAt, showsPrice, touchOf } from '../../domain/order-book.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { addTradesPage, estimatesAt, NO_ESTIMATES, withBookMid } from '../../estimates/estimators.ts';
import { type MarketEvent, type MarketView, NO_KNOWLEDGE } from '../../quoting/strategy.ts';
import { handedEvent, reduceMemory, startMemory } from '../../quoting/strategy-call/ask-strategy.ts';
import type { Read } from '../../venue/outcomes.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import type { Market } from '../state/market.ts';
import { seenOf } from '../state/seen.ts';
import { touch, type With } from '../state/state.ts';
import { type BookSurface, countFailedRead, type FrozenBook, need, recordGoodRead } from '../state/surfaces.ts';
import { notice, type Step } from '../state/turn.ts';
import { trustedBook } from './knowledge-of.ts';

/** Updates the strategy's memory, if it has one. */
function remember(market: Market, event: MarketEvent): void {
  const { run, knowledge } = market;
  if (run.strategy.memory === undefined || knowledge.memory.kind !== 'kept') return;
  const { memory } = knowledge.memory;
  knowledge.memory = reduceMemory(run.strategy, run.params, { memory, event: handedEvent(event) });
  knowledge.version += 1;
  touch(market);
}

/** A new book of its own was read. */
export function rememberBook(state: With<'durable' | 'markets' | 'otherBooks' | 'clock'>, market: Market): void {
  // Taking own orders out of the book is expensive.
  if (market.run.strategy.memory === undefined) return;
  const seen = trustedBook(state, market.symbol);
  if (seen !== null) remember(market, { kind: 'book', ...seen });
}

/** The strategy's memory begins as at a start. */
export function beginMemory(market: Market): void {
  const { run, knowledge } = market;
  knowledge.memory = startMemory(run.strategy, run.params);
  knowledge.version += 1;
  touch(market);
}

/** Resets the estimates learned at a price with a slipped decimal. */
export function beginKnowledge(market: Market): void {
  Object.assign(market.knowledge, { noted: NO_ESTIMATES, estimates: NO_KNOWLEDGE.estimates });
  beginMemory(market);
}

/** Adds a good book to the estimates, once. */
export function updateEstimates({ knowledge }: Market, { book, bookSentAt, instrument, now }: MarketView): void {
  const touch = touchOf(book);
  if (touch === null || bookSentAt === (knowledge.noted.mids.at(-1)?.at ?? null)) return;
  const price = midPrice(touch).toNumber();
  const bps = (amount: number): number => (amount / price) * BPS;
  const mid = {
    ...{ at: bookSentAt, price, tickBps: bps(instrument.tickSize.toNumber()) },
    halfSpreadBps: bps(touch.ask.price.sub(touch.bid.price).toNumber() / 2),
  };
  knowledge.noted = withBookMid(knowledge.noted, mid);
  knowledge.estimates = estimatesAt(knowledge.noted, now);
}

const BPS = 10_000;

/** A page of public trades. */
export function observePublicTrades(
  state: With<'clock'>,
  market: Market,
  read: Read<readonly PublicTrade[]>,
  now: EpochMs,
): void {
  const { knowledge } = market;
  const { tradesRead } = knowledge;
  if (!read.complete) return countFailedRead(tradesRead);
  // The answer to an abandoned request may arrive after a newer one.
  if (tradesRead.sentAt !== null && read.sentAt < tradesRead.sentAt) return;
  recordGoodRead(tradesRead, read.sentAt);
  const { sentAt, rows } = read;
  const page = { rows, sentAt, offsetMs: state.clock?.offsetMs ?? 0 };
  const { estimates, joined } = addTradesPage(knowledge.noted, page);
  const { tail, added, hasGap } = joined;
  knowledge.noted = estimates;
  knowledge.estimates = estimatesAt(estimates, now);
  knowledge.trades = { trades: tail.slice(-TRADES_TOLD), sentAt, hasGap };
  knowledge.version += 1;
  touch(market);
  if (added.length > 0) remember(market, { kind: 'trades', trades: added, sentAt, hasGap });
}

/** Number of recent trades that a strategy gets. */
const TRADES_TOLD = 100;

/** A book of a symbol without a run that a strategy needs. */
export function observeOtherBook(
  state: With<'markets' | 'otherBooks'>,
  symbol: InstrumentSymbol,
  read: Read<OrderBook>,
): void {
  const surface = state.otherBooks.get(symbol);
  if (surface === undefined) return;
  if (!read.complete) return countFailedRead(surface);
  // The answer to an abandoned request may arrive after a newer one.
  if (surface.sentAt !== null && read.sentAt < surface.sentAt) return;
  surface.book = read.rows;
  surface.receivedAt = read.receivedAt;
  recordGoodRead(surface, read.sentAt);
  touchDependents(state, symbol);
}

/** Renews the decisions of markets that quote from this symbol's book. */
export function touchDependents(state: With<'markets'>, symbol: InstrumentSymbol): void {
  for (const [own, market] of state.markets) {
    if (own === symbol || market.knowledge.needs.books?.includes(symbol) !== true) continue;
    market.knowledge.version += 1;
    touch(market);
  }
}

// Own orders and the book: a book that stands still without them, and one that lacks a taken order.

/**
 * Once the quotes are pulled, no order of ours can be missing: in a market that really stands still, no book would ever
 * differ from the frozen one. After this long, quoting is tried again and the count restarts.
 */
const TRY_AGAIN_AFTER_MS: DurationMs = 10 * MINUTE;

/** Records a complete book and when the books last changed. */
export function recordBook(market: Market, read: Read<OrderBook>, now: EpochMs): void {
  const surface = market.book;
  const isSame = surface.book !== null && isSameBook(surface.book, read.rows);
  if (!isSame || surface.unchangedSince === null) surface.unchangedSince = read.sentAt;
  Object.assign(surface, { book: read.rows, receivedAt: read.receivedAt });
  const { frozen } = surface;
  if (frozen === null || (isSame && now - frozen.foundAt < TRY_AGAIN_AFTER_MS)) return;
  Object.assign(surface, { frozen: null, unchangedSince: read.sentAt });
}

/** Judges the last book, whenever it or the list of our orders changes. */
export function judgeBook(turn: Step<'settings' | 'orders'>, market: Market): void {
  const { state, now } = turn;
  const { symbol, book: surface } = market;
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
  touchDependents(state, symbol);
  touch(market);
  notice(turn, { level: 'warn', op: 'book-frozen', symbol, message: frozenWords(surface, surface.frozen, now) });
}

/** One sentence for people. */
export function frozenWords({ unchangedSince }: BookSurface, { lacks }: FrozenBook, now: EpochMs): string {
  const seconds = Math.floor((now - (unchangedSince ?? now)) / 1_000);
  return `The order book is frozen: it has not changed for ${seconds} s and lacks our own orders ${lacks}.`;
}

/**
 * Whether it was open all the while: the book shows it at most a lag after it was accepted, and a list proves it open
 * until a lag before the list left. In between, the book must have stood still for the limit.
 */
function shouldShow(
  { settings, orders }: With<'settings' | 'orders'>,
  intent: Intent,
  { unchangedSince, sentAt }: { readonly unchangedSince: EpochMs; readonly sentAt: EpochMs },
): boolean {
  const { listedAt } = seenOf(orders, intent.intentId);
  if (intent.state !== 'open' || listedAt === null) return false;
  const { assumptions, ageLimits } = settings;
  const { readLagBoundMs } = assumptions;
  const from = Math.max(unchangedSince, intent.since + readLagBoundMs);
  const until = Math.min(sentAt, listedAt - readLagBoundMs);
  return until - from >= ageLimits.frozenBookMs;
}

const orderWords = ({ side, quantity, price }: Intent): string => `${side} ${plain(quantity)} @ ${plain(price)}`;

// The book shows a fill before anything else does: books are read more often than own trades.

/**
 * Asks for own trades if the previous book showed the rest of an open order, and the new one shows less. If the
 * previous book lacked it too, it was asked about already, or is late.
 */
export function needTradesIfTaken(state: With<'durable'>, market: Market, book: OrderBook, now: number): void {
  const before = market.book.book;
  if (before === null) return;
  const isTaken = (intent: Intent): boolean =>
    intent.state === 'open' && isShown(before, intent) && !isShown(book, intent);
  if (liveIntents(state.durable, market.symbol).some(isTaken)) need(market.trades, now);
}

const isShown = (book: OrderBook, intent: Intent): boolean => quantityAt(book, intent).gte(remainingOf(intent));
