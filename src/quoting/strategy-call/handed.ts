// What a strategy is handed is its own: whatever it does with it, pipeline and risk gate see the market as it was read.
// Decimals are shared, nothing of them can be set.
import type { OrderBook } from '../../domain/order-book.ts';
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import type { BookSeen, TradesSeen } from '../knowledge.ts';
import type { MarketEvent, MarketView } from '../strategy.ts';

export function handedView(view: MarketView): MarketView {
  const { volatilityBpsPerSqrtSecond: volatility, tradesPerSecond, intensity } = view.estimates;
  return {
    ...view,
    instrument: { ...view.instrument },
    costs: { ...view.costs },
    externalPrice: { ...view.externalPrice },
    base: { ...view.base },
    quote: { ...view.quote },
    book: handedBook(view.book),
    ownFills: copyOf(view.ownFills),
    references: copyOf(view.references),
    locks: copyOf(view.locks),
    trades: view.trades && handedTrades(view.trades),
    books: new Map([...view.books].map(([symbol, seen]): [typeof symbol, BookSeen] => [symbol, handedSeen(seen)])),
    estimates: {
      volatilityBpsPerSqrtSecond: { ...volatility },
      tradesPerSecond: { ...tradesPerSecond },
      intensity: { buy: handedIntensity(intensity.buy), sell: handedIntensity(intensity.sell) },
    },
  };
}

export function handedEvent(event: MarketEvent): MarketEvent {
  switch (event.kind) {
    case 'book':
      return { ...event, book: handedBook(event.book) };
    case 'trades':
      return { ...event, trades: copyOf(event.trades) };
    case 'own-fill':
      return { ...event, fill: { ...event.fill } };
  }
}

/** Written out: a book has a hundred levels, and each decision hands one over. */
const handedBook = ({ bids, asks }: OrderBook): OrderBook => ({
  bids: bids.map(({ price, quantity }) => ({ price, quantity })),
  asks: asks.map(({ price, quantity }) => ({ price, quantity })),
});

const handedSeen = (seen: BookSeen): BookSeen => ({ ...seen, book: handedBook(seen.book) });

const handedTrades = (seen: TradesSeen): TradesSeen => ({ ...seen, trades: copyOf(seen.trades) });

const handedIntensity = (of: Estimate<Intensity>): Estimate<Intensity> =>
  of.kind === 'known' ? { ...of, value: { ...of.value } } : { ...of };

const copyOf = <T extends object>(rows: readonly T[]): readonly T[] => rows.map((row) => ({ ...row }));
