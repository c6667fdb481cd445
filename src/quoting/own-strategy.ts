// `quotekeeper/strategy`: the exports for your own strategy (strategies/README.md). Everything else is internal to the
// bot, and may change.

// So that a strategy needs no zod of its own, whose schemas might be of another version.
export { z } from 'zod';
export { BPS, Decimal, decimal, maxOf, minOf, ONE, parseDecimal, plain, ZERO } from '../domain/decimal.ts';
export type { PublicTrade } from '../domain/fill.ts';
export type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
export { opposite, type Quote, type Side, type Slot, slotOf } from '../domain/order.ts';
export { type Level, microPrice, midPrice, type OrderBook, type Touch, touchOf } from '../domain/order-book.ts';
export { fail, ok, type Result } from '../domain/result.ts';
export type { EpochMs } from '../domain/time.ts';
export { amount, ratioOfBps } from './amount.ts';
export {
  type BookSeen,
  type Costs,
  defineStrategy,
  type ExternalPrice,
  type Holding,
  type Knowledge,
  type MarketEvent,
  type MarketView,
  type Needs,
  type OwnFill,
  type PastReference,
  type QuoteSet,
  type Step,
  type Strategy,
  type StrategyMemory,
  type TradesSeen,
} from './strategy.ts';
