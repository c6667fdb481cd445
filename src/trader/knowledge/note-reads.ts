// What reads show that only strategies ask for: public trades, books of other symbols, and what a strategy remembers.
import type { PublicTrade } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { midPrice, type OrderBook, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import { DEFAULT_ESTIMATES } from '../../estimates/estimate.ts';
import {
  estimatesAt,
  NO_ESTIMATES,
  noteBookMid,
  noteFilledQuote,
  noteOwnQuotes,
  noteTradesPage,
} from '../../estimates/estimators.ts';
import { type MarketEvent, type MarketView, NO_KNOWLEDGE } from '../../quoting/strategy.ts';
import { handedEvent, reduceMemory, startMemory } from '../../quoting/strategy-call/ask-strategy.ts';
import type { Read } from '../../venue/outcomes.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import { fromFillRecord } from '../durable/fold/fill-record.ts';
import { trustedBook } from '../state/book-of-others.ts';
import type { Market } from '../state/market.ts';
import { marketOf, type TraderState, touch } from '../state/state.ts';
import { noteFailure, noteSuccess } from '../state/surfaces.ts';
import type { Turn } from '../state/turn.ts';
import { isSameFill, ownFillsIn, ownFillsOf, type ToldFill, toldFills } from './own-fills.ts';

/** The strategy of the symbol takes note, where it has a memory. */
function remember(state: Pick<TraderState, 'markets'>, symbol: InstrumentSymbol, events: readonly MarketEvent[]): void {
  const { run, knowledge } = marketOf(state, symbol);
  if (run.strategy.memory === undefined || knowledge.memory.kind !== 'kept' || events.length === 0) return;
  const { memory } = knowledge.memory;
  knowledge.memory = reduceMemory(run.strategy, run.params, { memory, events: events.map(handedEvent) });
  knowledge.version += 1;
  touch(state, symbol);
}

/** A new book of its own was read. */
export function rememberBook(state: TraderState, symbol: InstrumentSymbol): void {
  // Taking own orders out of the book is work.
  if (marketOf(state, symbol).run.strategy.memory === undefined) return;
  const seen = trustedBook(state, symbol);
  if (seen !== null) remember(state, symbol, [{ kind: 'book', ...seen }]);
}

/** With the own fills of before the process: once the exchange's clock is known, by which their times are moved. */
export function beginMemories(state: TraderState): void {
  for (const [symbol, { run, knowledge }] of state.markets)
    if (run.strategy.memory !== undefined && knowledge.memory.kind === 'kept') beginMemory(state, symbol);
}

/** The strategy's memory begins as at a start. */
export function beginMemory(state: TraderState, symbol: InstrumentSymbol): void {
  const { run, knowledge } = marketOf(state, symbol);
  knowledge.memory = startMemory(run.strategy, run.params);
  knowledge.version += 1;
  rememberFillsOf(state, symbol);
}

/** What was learned at a price that was wrong by a decimal is of no market. */
export function beginKnowledge(state: TraderState, symbol: InstrumentSymbol): void {
  const { knowledge } = marketOf(state, symbol);
  Object.assign(knowledge, { noted: NO_ESTIMATES, estimates: NO_KNOWLEDGE.estimates });
  beginMemory(state, symbol);
}

/** A memory that has just begun is told the own fills of before. */
function rememberFillsOf(state: TraderState, symbol: InstrumentSymbol): void {
  const fills = ownFillsOf(state, symbol);
  remember(
    state,
    symbol,
    fills.map((fill) => ({ kind: 'own-fill', fill })),
  );
}

/** The own fills of this turn, oldest first; also one that was booked as the owner's until now. */
export function rememberFills(turn: Turn): void {
  const { state, events } = turn;
  const own = ownFillsIn(turn);
  const attributed = new Set(
    events.flatMap(({ type, payload }) =>
      type === 'fill-corrected' && payload.fill !== null ? [payload.fill.tradeId] : [],
    ),
  );
  for (const [symbol, records] of Map.groupBy(own, (fill) => fill.symbol)) {
    const booked = records.map(fromFillRecord);
    const fills = toldFills(state, symbol, booked).filter(({ fill }) => booked.some((each) => isSameFill(each, fill)));
    // One that was attributed later filled at another mid price, and where its order rested was not noted.
    noteFills(
      marketOf(state, symbol),
      fills.filter(({ fill }) => !attributed.has(fill.tradeId)),
    );
    remember(
      state,
      symbol,
      fills.map(({ told: fill }) => ({ kind: 'own-fill', fill })),
    );
  }
}

function noteFills({ knowledge }: Market, fills: readonly ToldFill[]): void {
  if (knowledge.needs.trades !== true) return;
  for (const {
    told: { side, price, liquidity, at },
  } of fills) {
    if (liquidity === 'taker') continue;
    knowledge.noted = noteFilledQuote(knowledge.noted, { side, price: price.toNumber(), at }, DEFAULT_ESTIMATES);
  }
}

/** What a good book adds to the estimates; of a book that has been looked at before, nothing. */
export function noteEstimates(
  state: Pick<TraderState, 'durable' | 'markets'>,
  { symbol, book, bookSentAt, instrument, now }: MarketView,
): void {
  const { knowledge } = marketOf(state, symbol);
  const touch = touchOf(book);
  if (touch === null || bookSentAt === (knowledge.noted.mids.at(-1)?.at ?? null)) return;
  const price = midPrice(touch).toNumber();
  const bps = (amount: number): number => (amount / price) * BPS;
  const mid = {
    ...{ at: bookSentAt, price, tickBps: bps(instrument.tickSize.toNumber()) },
    halfSpreadBps: bps(touch.ask.price.sub(touch.bid.price).toNumber() / 2),
  };
  knowledge.noted = noteBookMid(knowledge.noted, mid, DEFAULT_ESTIMATES);
  // Who has no use for takers need not count them.
  if (knowledge.needs.trades === true)
    knowledge.noted = noteOwnQuotes(knowledge.noted, quotesAround(state.durable, symbol, price), DEFAULT_ESTIMATES);
  knowledge.estimates = estimatesAt(knowledge.noted, now, DEFAULT_ESTIMATES);
}

/** Own orders that rest for certain, by their distance from the mid price. */
const quotesAround = (durable: Durable, symbol: InstrumentSymbol, mid: number) =>
  liveIntents(durable, symbol)
    .filter((intent) => intent.state === 'open')
    .map(({ side, price }) => {
      const away = side === 'buy' ? mid - price.toNumber() : price.toNumber() - mid;
      return { side, distanceBps: (away / mid) * BPS };
    });

const BPS = 10_000;

/** A page of public trades. */
export function observePublicTrades(
  state: Pick<TraderState, 'markets' | 'clock'>,
  symbol: InstrumentSymbol,
  read: Read<readonly PublicTrade[]>,
  now: EpochMs,
): void {
  const { knowledge } = marketOf(state, symbol);
  const { tradesRead } = knowledge;
  if (!read.complete) return noteFailure(tradesRead);
  // One that was given up on and asked for again may come after the newer one.
  if (tradesRead.sentAt !== null && read.sentAt < tradesRead.sentAt) return;
  noteSuccess(tradesRead, read.sentAt);
  const { sentAt, rows } = read;
  const page = { rows, sentAt, offsetMs: state.clock?.offsetMs ?? 0 };
  const { estimates, joined } = noteTradesPage(knowledge.noted, page, DEFAULT_ESTIMATES);
  const { tail, added, hasGap } = joined;
  knowledge.noted = estimates;
  knowledge.estimates = estimatesAt(estimates, now, DEFAULT_ESTIMATES);
  knowledge.trades = { trades: tail.slice(-TRADES_TOLD), sentAt, hasGap };
  knowledge.version += 1;
  touch(state, symbol);
  if (added.length > 0) remember(state, symbol, [{ kind: 'trades', trades: added, sentAt, hasGap }]);
}

/** How many of the last trades a strategy is told. */
const TRADES_TOLD = 100;

/** A book that a strategy needs of a symbol that no run has. */
export function observeOtherBook(
  state: Pick<TraderState, 'markets' | 'otherBooks'>,
  symbol: InstrumentSymbol,
  read: Read<OrderBook>,
): void {
  const surface = state.otherBooks.get(symbol);
  if (surface === undefined) return;
  if (!read.complete) return noteFailure(surface);
  // One that was given up on and asked for again may come after the newer one.
  if (surface.sentAt !== null && read.sentAt < surface.sentAt) return;
  surface.book = read.rows;
  surface.receivedAt = read.receivedAt;
  noteSuccess(surface, read.sentAt);
  noteOfOthers(state, symbol);
}

/** Whoever quotes by the book of this symbol decides anew. */
export function noteOfOthers(state: Pick<TraderState, 'markets'>, symbol: InstrumentSymbol): void {
  for (const [own, { knowledge }] of state.markets) {
    if (own === symbol || knowledge.needs.books?.includes(symbol) !== true) continue;
    knowledge.version += 1;
    touch(state, own);
  }
}
