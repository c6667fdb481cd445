// What may be read of the engine: the paper exchange answers from it, the crowd decides on it.
import type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { AccountBalance, AccountName, EngineOrder, EngineOrderId, EngineTrade, Lots, Ticks } from './types.ts';

export interface BookLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface MarketReader {
  instrument(symbol: InstrumentSymbol): Instrument | undefined;
  /** At most `depth` levels from the best outwards. */
  levels(symbol: InstrumentSymbol, side: Side, depth: number): readonly BookLevel[];
  /** Best price of a side, or `undefined` when it is empty. */
  best(symbol: InstrumentSymbol, side: Side): BookLevel | undefined;
  /** The resting orders at one price in order of priority. */
  queue(symbol: InstrumentSymbol, side: Side, price: Ticks): readonly EngineOrder[];
  order(orderId: EngineOrderId): EngineOrder | undefined;
  /** Resting orders of an account, oldest first. */
  ordersOf(account: AccountName, symbol?: InstrumentSymbol): readonly EngineOrder[];
  balance(account: AccountName, asset: Asset): AccountBalance;
  lastTrade(symbol: InstrumentSymbol): EngineTrade | undefined;
}
