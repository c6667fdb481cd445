// `quotekeeper/client`: the exports for your own programs (docs/client.md). Everything else is internal to the bot, and
// may change.
export { Decimal, decimal, plain } from '../domain/decimal.ts';
export type { Fill, SbsTrade } from '../domain/fill.ts';
export { type OrderId, orderId, type TradeId, tradeId } from '../domain/ids.ts';
export type { CryptoTransfer, FiatTransfer } from '../domain/transfer.ts';
export type { HistoryGap, HistoryOutcome } from '../history/outcome.ts';
export { listLimit } from '../venue/bounds.ts';
export type { Answer, ExchangeApi } from './exchange-api.ts';
export { completeRows, type HistoryEvent } from './history-reader.ts';
export { type Exchange, type ExchangeSettings, type HistorySpan, openExchange } from './open-exchange.ts';
