// `quotekeeper/client`: the exports for your own programs (docs/client.md). Everything else is internal to the bot, and
// may change.

export type { Balance } from '../domain/balance.ts';
export { Decimal, decimal, plain } from '../domain/decimal.ts';
export type { Fill, PublicTrade, SbsTrade } from '../domain/fill.ts';
export type { OrderId, TradeId } from '../domain/ids.ts';
export type { Asset, AssetSettings, InstrumentSymbol } from '../domain/instrument.ts';
export type { OpenOrder, Side } from '../domain/order.ts';
export type { Level, OrderBook } from '../domain/order-book.ts';
export type { CryptoTransfer, FiatTransfer } from '../domain/transfer.ts';
export type { HistoryGap, HistoryOutcome } from '../history/outcome.ts';
export type {
  AnswerFacts,
  CancelOutcome,
  CreateOutcome,
  Fault,
  FaultReason,
  Read,
  ReadOutcome,
  Rejected,
  Throttled,
} from '../venue/outcomes.ts';
export type { RefusalKind } from '../venue/refusals.ts';
export type { LegacyBestPrices, LegacyDepth, LegacyTicker, LegacyTrade, Ticker } from '../venue/requests.ts';

export { type Amount, ArgumentError, type Moment } from './asked/arguments.ts';
export type { LaneState, Lanes } from './calls.ts';
export type {
  Answer,
  CallOptions,
  ExchangeApi,
  FirstPage,
  FirstPageAnswer,
  FirstPageOutcome,
  FirstPages,
  ReadOptions,
} from './exchange-api.ts';
export { type Collected, completeRows, type History, type HistoryEvent } from './history-reader.ts';
export {
  type Exchange,
  type ExchangeSettings,
  type HistorySpan,
  openExchange,
} from './open-exchange.ts';
