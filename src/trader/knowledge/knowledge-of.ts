// A strategy's market data besides holdings: the book without our own orders, public trades, own fills and their cost.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type OrderBook, type OwnLevel, withoutOwn } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import { type BookSeen, type Knowledge, type Needs, NO_KNOWLEDGE, type OwnFill } from '../../quoting/strategy.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import type { FillRecord, TraderEvent } from '../durable/events.ts';
import { type DurableOrders, type Intent, remainingOf } from '../durable/intent.ts';
import { FILLS_SHOWN, marketIn } from '../durable/market.ts';
import { costOfHeld, type OwnLot } from '../durable/remembered.ts';
import type { Market } from '../state/market.ts';
import { bookSurfaceOf, type With } from '../state/state.ts';
import type { Surface } from '../state/surfaces.ts';

/**
 * The data for the symbol's strategy, except for the estimates, which change with each good book; `known` is computed
 * by the caller, who tracks changes.
 */
export function knowledgeOf(
  state: With<'durable' | 'markets' | 'otherBooks' | 'clock'>,
  market: Market,
  {
    doubted,
    ...known
  }: Pick<Knowledge, 'ownFills' | 'averageCost' | 'mostBase' | 'locks'> & {
    readonly doubted: readonly InstrumentSymbol[];
  },
): Knowledge {
  const { knowledge, references } = market;
  // The list of references grows with each good book, and each makes new inputs.
  return {
    ...NO_KNOWLEDGE,
    ...known,
    references,
    trades: knowledge.trades,
    books: booksFor(state, knowledge.needs, doubted),
  };
}

/** Whether all data that the strategy needs was read, or refused, once, and the books of other runs were confirmed. */
export function isInformed(state: With<'durable' | 'markets' | 'otherBooks'>, market: Market): boolean {
  const { needs, tradesRead } = market.knowledge;
  const surfaces: Surface[] = (needs.books ?? []).map((other) => bookSurfaceOf(state, other));
  if (needs.trades === true) surfaces.push(tradesRead);
  const isRead = surfaces.every(({ sentAt, failures }) => sentAt !== null || failures > 0);
  return isRead && doubtedBooks(state, market).length === 0;
}

/** A market whose price the bot itself does not trust prices no other one either. */
function booksFor(
  state: With<'durable' | 'markets' | 'otherBooks' | 'clock'>,
  { books = [] }: Needs,
  doubted: readonly InstrumentSymbol[],
): Knowledge['books'] {
  if (books.length === 0) return NO_KNOWLEDGE.books;
  return new Map(
    books.flatMap((other): [InstrumentSymbol, BookSeen][] => {
      const seen = doubted.includes(other) ? null : trustedBook(state, other);
      return seen === null ? [] : [[other, seen]];
    }),
  );
}

// Whether a market's data is fit to price another one.

/** Why this market's price is not fit to convert another one's; null if it is. */
export function priceDoubt(state: With<'durable'>, market: Market): string | null {
  const { symbol, jump, lastGoodReference } = market;
  if (marketIn(state.durable, symbol).halt?.code === 'price')
    return `${symbol} is halted here because its price jumped.`;
  if (jump !== null) return `The price of ${symbol} jumped here, and is not trusted.`;
  return lastGoodReference === null ? `No second book has confirmed the price of ${symbol} here yet.` : null;
}

/** Prices from elsewhere reveal nothing about the exchange's books, nor its books about them. */
export const OF_OTHERS: ReadonlySet<ReferenceSource> = new Set<ReferenceSource>(['external', 'fixed']);

/** Books that the symbol's strategy needs and whose prices are not trusted now. */
export function doubtedBooks(state: With<'durable' | 'markets'>, market: Market): readonly InstrumentSymbol[] {
  const { books = NONE } = market.knowledge.needs;
  if (books.length === 0) return NONE;
  return books.filter((other) => {
    const needed = state.markets.get(other);
    return needed && !OF_OTHERS.has(needed.run.referenceSource) && priceDoubt(state, needed) !== null;
  });
}

const NONE: readonly InstrumentSymbol[] = [];

// The market without us: a book without own orders.

/**
 * The last book of a symbol, fit for a price: without our own orders, and null while it counts as frozen (decision
 * 0027).
 */
export function trustedBook(
  state: With<'durable' | 'markets' | 'otherBooks' | 'clock'>,
  symbol: InstrumentSymbol,
): BookSeen | null {
  const { book: read, sentAt, frozen } = bookSurfaceOf(state, symbol);
  if (frozen !== null || sentAt === null) return null;
  const market = state.markets.get(symbol);
  const book = market ? bookOfOthers(state, market) : read;
  return book && { book, sentAt };
}

/**
 * The last book without quantities that were, or may have been, ours when it was read: every intent that had left when
 * it came and is not closed, those that closed only after its request left, and their fills since.
 */
export function bookOfOthers(state: With<'durable' | 'clock'>, market: Market): OrderBook | null {
  const { symbol } = market;
  const { book, sentAt, receivedAt } = market.book;
  if (book === null || sentAt === null || receivedAt === null) return null;
  const live = liveIntents(state.durable, symbol).filter((intent) => intent.sentAt < receivedAt);
  const own = [...live, ...recentlyClosed(state.durable.orders, symbol, sentAt)].map((intent) =>
    restingPart(intent, sentAt),
  );
  own.push(...filledSince(state, symbol, sentAt));
  return withoutOwn(book, own);
}

/** An order that was named after the request for the book left may be younger than the book. */
const restingPart = (intent: Intent, sentAt: EpochMs): OwnLevel => ({
  side: intent.side,
  price: intent.price,
  quantity: remainingOf(intent),
  isCertain: intent.state === 'open' && intent.since <= sentAt,
});

/** A fill is known sooner than the next book: the filled quantity is still in the previous one. */
function filledSince(
  { durable, clock }: With<'durable' | 'clock'>,
  symbol: InstrumentSymbol,
  sentAt: EpochMs,
): OwnLevel[] {
  const since = sentAt + (clock?.offsetMs ?? 0) - (clock?.uncertaintyMs ?? 0);
  const { recent } = marketIn(durable, symbol);
  return recent
    .filter(({ fill, ours }) => ours && fill.venueTime >= since)
    .map(({ fill: { side, price, quantity } }) => ({ side, price, quantity, isCertain: false }));
}

function recentlyClosed(orders: DurableOrders, symbol: InstrumentSymbol, since: number): Intent[] {
  const recent: Intent[] = [];
  for (const intent of [...orders.closed.values()].slice(-RECENTLY).reverse()) {
    if (intent.since < since) break;
    if (intent.symbol === symbol && intent.closedAs === 'canceled') recent.push(intent);
  }
  return recent;
}

/** Number of recently closed intents that may have closed since a book was requested. */
const RECENTLY = 64;

// The last own fills for a strategy, and the cost of the base that they bought.

/**
 * Oldest first, by when they happened: a row may come late. Of the last `FILLS_SHOWN` trades. Times are
 * by our clock, like all times they are compared with.
 */
export function ownFillsOf(
  { durable, clock }: With<'durable' | 'clock'>,
  symbol: InstrumentSymbol,
): readonly OwnFill[] {
  const own = marketIn(durable, symbol)
    .recent.slice(-FILLS_SHOWN)
    .flatMap(({ fill, ours }) => (ours ? [fill] : []));
  if (own.length === 0) return [];
  const seen = new Set<OrderId>();
  const newestFirst = own.toSorted((a, b) => b.venueTime - a.venueTime || compareTradeIds(b.tradeId, a.tradeId));
  const fills = newestFirst.map((fill) => {
    const isLast = !seen.has(fill.orderId);
    seen.add(fill.orderId);
    return ownFill(fill, intentOf(durable, fill), { isLast, offsetMs: clock?.offsetMs ?? 0 });
  });
  return fills.reverse();
}

function ownFill(
  { side, price, quantity, venueTime, liquidity }: Fill,
  intent: Intent | undefined,
  { isLast, offsetMs }: { readonly isLast: boolean; readonly offsetMs: DurationMs },
): OwnFill {
  const completesOrder = isLast && intent?.filled.gte(intent.quantity) === true;
  const at = venueTime - offsetMs;
  return { side, slot: intent?.slot ?? null, price, quantity, at, liquidity, completesOrder };
}

function intentOf({ orders }: Pick<Durable, 'orders'>, { orderId }: Fill): Intent | undefined {
  const id = orders.byOrderId.get(orderId);
  return id === undefined ? undefined : (orders.intents.get(id) ?? orders.closed.get(id));
}

/**
 * The cost of base that own fills bought and have not sold: the average price of the newest buys that add up to it,
 * with their actual fee; without a price for the fee here, the configured one. Null if there is none of it, or if the
 * remembered buys don't add up to it.
 */
export function averageCostOf(durable: Durable, symbol: InstrumentSymbol, feeRatio: Decimal): Decimal | null {
  const feeOf = ({ worth, fee }: OwnLot): Decimal => (fee.isZero() ? worth.mul(feeRatio) : fee);
  const cost = costOfHeld(marketIn(durable, symbol), (lot) => lot.worth.add(feeOf(lot)));
  return cost?.toDecimalPlaces(COST_PLACES) ?? null;
}

const COST_PLACES = 20;

// Own fills of a turn.

/** Includes fills that were booked as the owner's until this turn; excludes fills that are only booked anew. */
export function ownFillsIn(events: readonly TraderEvent[]): readonly FillRecord[] {
  return events.flatMap((event) => {
    if (event.type === 'fill') return event.payload.intentId === null ? [] : [event.payload.fill];
    if (event.type !== 'fill-corrected' || event.payload.fill === null) return [];
    return event.payload.attributed ? [event.payload.fill] : [];
  });
}
